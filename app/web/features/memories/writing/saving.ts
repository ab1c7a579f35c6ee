import { ApiError, type Client } from '@reverie/shared/client';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { getMemory, setMemory, storeBatch, type Memory } from '@reverie/shared/contract/memories';
import type { Draft } from './draft.ts';

/** What came of saving: done, or somebody else was faster. `theirs` is undefined where they deleted it. */
export type Saved =
  { kind: 'saved'; key: string } | { kind: 'taken' } | { kind: 'conflict'; theirs: Memory | undefined };

type Checked = Draft & { parsed: JsonObject };

/** Stores a new memory; without a key the daemon makes one. Never overwrites. */
export async function createMemory(call: Client, draft: Checked): Promise<Saved> {
  const { key, namespace, value, parsed: metadata } = draft;
  if (key === '') {
    const { ids } = await call(storeBatch, { body: { items: [{ namespace, value, metadata }] } });
    const [made] = ids;
    if (made === undefined) throw new Error('The daemon stored the memory but did not say under which key');
    return { kind: 'saved', key: made };
  }
  if (await findMemory(call, namespace, key)) return { kind: 'taken' };
  await call(setMemory, { body: { namespace, key, value, metadata } });
  return { kind: 'saved', key };
}

/** Stores a changed memory, if it is still as it was when the change began. */
export async function changeMemory(call: Client, draft: Checked): Promise<Saved> {
  const { key, namespace, value, parsed: metadata, base } = draft;
  const expires = base?.expires_at === undefined ? {} : { expires_at: base.expires_at };
  const only = base === undefined ? {} : { if_updated_at: base.updated_at };
  try {
    await call(setMemory, { body: { namespace, key, value, metadata, ...expires, ...only } });
    return { kind: 'saved', key };
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'conflict' && error.code !== 'memory_not_found'))
      throw error;
    return { kind: 'conflict', theirs: await findMemory(call, namespace, key) };
  }
}

async function findMemory(call: Client, namespace: string, key: string): Promise<Memory | undefined> {
  try {
    return await call(getMemory, { body: { namespace, key } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'memory_not_found') return undefined;
    throw error;
  }
}
