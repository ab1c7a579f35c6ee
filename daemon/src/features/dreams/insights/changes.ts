import type { InsightChange, Resolution } from '@reverie/shared/contract/dreams/dreams';
import { Problem } from '@reverie/shared/contract/problems';
import { z } from 'zod';
import { objectIn } from '../../../db/json-column.ts';
import type { Author } from '../../../db/change.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import type { DreamMemories, HowHidden, SourceMemory } from '../deps.ts';

const Before = z.object({
  value: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string().exactOptional(),
});
type Before = z.infer<typeof Before>;

/** What is needed to undo a decision. The old value is kept only for an update; the first Reverie that had dreams wrote no `behind`. */
export const Undo = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('show'),
    keys: z.array(z.string()),
    behind: z.string().nullable().default(null),
  }),
  z.object({ kind: z.literal('restore'), key: z.string(), written: z.string(), before: Before }),
  z.object({ kind: z.literal('nothing') }),
]);
export type Undo = z.infer<typeof Undo>;

/** The same undo after one of its memories was renamed. */
export function renamedIn(undo: Undo, { from, to }: { from: string; to: string }): Undo {
  const now = (key: string) => (key === from ? to : key);
  switch (undo.kind) {
    case 'show':
      return { ...undo, keys: undo.keys.map(now), behind: undo.behind && now(undo.behind) };
    case 'restore':
      return { ...undo, key: now(undo.key) };
    case 'nothing':
      return undo;
  }
}

interface Where {
  memories: DreamMemories;
  author: Author;
  namespace: string;
}

/** Carries out what an accepted insight proposes. Throws `conflict` where a memory is gone or hidden. */
export function carryOut(
  db: WriteDb,
  where: Where,
  { change, resolution = 'newer' }: { change: InsightChange | null; resolution?: Resolution | undefined },
): Undo {
  const { memories, author, namespace } = where;
  const hide = (keys: string[], how: HowHidden): Undo => {
    const behind = how.hidden === 'archived' ? null : how.behind;
    if (behind !== null) visible(db, where, behind);
    for (const key of keys) {
      visible(db, where, key);
      memories.hide(db, author, { account: author.account, namespace, key, how });
    }
    return { kind: 'show', keys, behind };
  };
  switch (change?.kind) {
    case 'merge':
      return hide(change.hide, { hidden: 'merged', behind: change.keep });
    case 'archive':
      return hide(change.keys, { hidden: 'archived' });
    case 'disagree': {
      if (resolution === 'both') return { kind: 'nothing' };
      const [kept, other] =
        resolution === 'newer' ? [change.newer, change.older] : [change.older, change.newer];
      return hide([other.key], { hidden: 'superseded', behind: kept.key });
    }
    case 'update': {
      const before = beforeOf(visible(db, where, change.key));
      const { key, value } = change;
      const { metadata, expires_at } = before;
      memories.write(db, author, { namespace, key, value, metadata, ...(expires_at && { expires_at }) });
      return { kind: 'restore', key, written: value, before };
    }
    case 'link':
    case undefined:
      return { kind: 'nothing' };
  }
}

/** Makes memories as they were before `carryOut`. Throws `conflict` where they were changed since. */
export function takeBack(db: WriteDb, { memories, author, namespace }: Where, undo: Undo): void {
  const { account } = author;
  switch (undo.kind) {
    case 'show':
      // Whoever wrote such a key meanwhile made it visible, another insight may hide it now, what was deleted stays deleted.
      for (const key of undo.keys)
        memories.show(db, author, { account, namespace, key, behind: undo.behind });
      return;
    case 'restore': {
      const now = memories.find(db, { account, namespace, key: undo.key });
      if (now?.value !== undo.written)
        throw new Problem(
          'conflict',
          `The memory ${undo.key} was changed since, so what it said before is not put back; its history has it`,
        );
      memories.write(db, author, { namespace, key: undo.key, ...undo.before });
      return;
    }
    case 'nothing':
      return;
  }
}

function visible(db: ReadDb, { memories, author, namespace }: Where, key: string): SourceMemory {
  const memory = memories.find(db, { account: author.account, namespace, key });
  if (!memory) throw new Problem('conflict', `The memory ${key} is not there any more`);
  if (memory.hidden !== null) throw new Problem('conflict', `The memory ${key} is hidden already`);
  return memory;
}

function beforeOf(memory: SourceMemory): Before {
  const iso = (at: number) => new Date(at).toISOString();
  return {
    value: memory.value,
    metadata: objectIn(memory.metadata),
    created_at: iso(memory.created_at),
    updated_at: iso(memory.updated_at),
    ...(memory.expires_at !== null && { expires_at: iso(memory.expires_at) }),
  };
}
