import { Metadata } from '@reverie/shared/contract/fields';
import { Problem } from '@reverie/shared/contract/problems';
import { objectIn } from '../../db/json-column.ts';
import type { Author } from '../../db/change.ts';
import type { MemoryDeps } from './deps.ts';
import { inItem, notFound, writeMemory } from './memories.service.ts';
import { findMemory, type MemoryRow } from './memories.store.ts';
import { tagsBeyond, tagsOf } from './reading/session.ts';

interface Address {
  namespace: string;
  key: string;
}

export interface Tagged extends Address {
  tags: string[];
}

/** Adds tags to memories and takes others off, all or nothing; answers what they have now, and how many changed. */
export function tagMemories(
  deps: MemoryDeps,
  author: Author,
  { items, add, remove }: { items: readonly Address[]; add: readonly string[]; remove: readonly string[] },
): { changed: number; memories: Tagged[] } {
  return deps.store.write((db) => {
    let changed = 0;
    const memories = items.map(({ namespace, key }, index) => {
      const row = findMemory(db, { account: author.account, namespace, key });
      if (!row) throw notFound({ namespace, key });
      const had = tagsOf(objectIn(row.metadata));
      const tags = tagged(had, { add, remove });
      if (had.join() === tags.join()) return { key, namespace, tags };
      try {
        writeMemory(db, deps, { author, item: itemOf(row, tags) });
      } catch (cause) {
        throw inItem(cause, index);
      }
      changed += 1;
      return { key, namespace, tags };
    });
    return { changed, memories };
  });
}

/** Tags with others added and taken off, whatever their case and accents; what is both added and taken off is changed to how it is added. */
function tagged(
  had: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string[] {
  const without = remove.map((tag) => tag.normalize('NFC'));
  const fresh = add.map((tag) => tag.normalize('NFC')).filter((tag) => !without.includes(tag));
  return fresh.reduce((tags, tag) => [...tags, ...tagsBeyond([tag], tags)], tagsBeyond(had, without));
}

function itemOf({ key, value, namespace, metadata, expires_at }: MemoryRow, tags: readonly string[]) {
  const { tags: _, ...others } = objectIn(metadata);
  const parsed = Metadata.safeParse(tags.length > 0 ? { ...others, tags } : others);
  if (!parsed.success)
    throw new Problem('invalid_request', `the metadata of ${key} would be more than is allowed`, {
      errors: [{ path: 'metadata', message: parsed.error.issues[0]?.message ?? 'is more than is allowed' }],
    });
  return {
    key,
    value,
    namespace,
    metadata: parsed.data,
    ...(expires_at !== null && { expires_at: new Date(expires_at).toISOString() }),
  };
}
