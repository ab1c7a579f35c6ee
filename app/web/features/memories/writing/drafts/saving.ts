import { ApiError, type Client } from '@reverie/shared/client';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { keyFrom, keysLike } from '@reverie/shared/contract/memories/key-from';
import { getMemory, setMemory, type Memory } from '@reverie/shared/contract/memories/memories';
import type { MemoryDraft } from './draft.ts';

/** What came of saving: done, or somebody else was faster. `theirs` is undefined where they deleted it. */
export type Saved =
  { kind: 'saved'; key: string } | { kind: 'taken' } | { kind: 'conflict'; theirs: Memory | undefined };

type Checked = MemoryDraft & { parsed: JsonObject };

/** Stores a new memory; without a key one is made of its first words, as the command line does. Never overwrites. */
export async function createMemory(call: Client, draft: Checked): Promise<Saved> {
  const { namespace, value, parsed: metadata } = draft;
  const keys = draft.key === '' ? keysLike(keyFrom(value), randomEnd()) : [draft.key];
  for (const key of keys)
    try {
      const body = { namespace, key, value, metadata, ...endOf(draft), if_updated_at: null };
      await call(setMemory, { body });
      return { kind: 'saved', key };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    }
  return { kind: 'taken' };
}

function randomEnd(): string {
  return crypto.getRandomValues(new Uint32Array(1))[0]?.toString(16) ?? '';
}

function endOf({ expires }: MemoryDraft) {
  return expires === '' ? {} : { expires_at: expires };
}

/** Stores a changed memory, if it is still as it was when the change began. */
export async function changeMemory(call: Client, draft: Checked): Promise<Saved> {
  const { key, namespace, value, parsed: metadata, base } = draft;
  const only = base === undefined ? {} : { if_updated_at: base.updated_at };
  try {
    await call(setMemory, { body: { namespace, key, value, metadata, ...endOf(draft), ...only } });
    return { kind: 'saved', key };
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'conflict' && error.code !== 'memory_not_found'))
      throw error;
    return { kind: 'conflict', theirs: await findMemory(call, namespace, key) };
  }
}

/** A memory as it is stored now; undefined where there is none. */
export async function findMemory(call: Client, namespace: string, key: string): Promise<Memory | undefined> {
  try {
    return await call(getMemory, { body: { namespace, key } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'memory_not_found') return undefined;
    throw error;
  }
}
