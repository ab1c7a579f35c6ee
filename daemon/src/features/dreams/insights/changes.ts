import type { InsightChange } from '@reverie/shared/contract/dreams';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { Problem } from '@reverie/shared/contract/problems';
import type { Author } from '../../../db/change.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import type { DreamMemories, SourceMemory } from '../deps.ts';

/** What taking back a change needs. A value stands in it only for an update. */
export type Undo =
  | { kind: 'show'; keys: string[]; behind: string | null }
  | { kind: 'restore'; key: string; written: string; before: Before }
  | { kind: 'nothing' };

interface Before {
  value: string;
  metadata: JsonObject;
  created_at: string;
  updated_at: string;
  expires_at?: string;
}

interface Where {
  memories: DreamMemories;
  author: Author;
  namespace: string;
}

/** Carries out what an accepted insight proposes. Throws `conflict` where a memory is gone or hidden. */
export function carryOut(db: WriteDb, where: Where, change: InsightChange | null): Undo {
  const { memories, author, namespace } = where;
  const hide = (key: string, behind: string | null): void => {
    visible(db, where, key);
    memories.hide(db, author, { account: author.account, namespace, key, behind });
  };
  switch (change?.kind) {
    case 'merge':
      visible(db, where, change.keep);
      for (const key of change.hide) hide(key, change.keep);
      return { kind: 'show', keys: change.hide, behind: change.keep };
    case 'archive':
      for (const key of change.keys) hide(key, null);
      return { kind: 'show', keys: change.keys, behind: null };
    case 'update': {
      const old = visible(db, where, change.key);
      const before = beforeOf(old);
      memories.write(db, author, {
        namespace,
        key: change.key,
        value: change.value,
        metadata: before.metadata,
        ...(before.expires_at !== undefined && { expires_at: before.expires_at }),
      });
      return { kind: 'restore', key: change.key, written: change.value, before };
    }
    case 'link':
    case undefined:
      return { kind: 'nothing' };
  }
}

/** Makes memories as they were before `carryOut`. Throws `conflict` where they were changed since. */
export function takeBack(db: WriteDb, where: Where, undo: Undo): void {
  const { memories, author, namespace } = where;
  const { account } = author;
  switch (undo.kind) {
    case 'show':
      // Whoever wrote such a key meanwhile made it visible, another insight may hide it now, what was deleted stays deleted.
      for (const key of undo.keys) {
        const memory = memories.find(db, { account, namespace, key });
        if (memory && memory.hidden !== null && memory.merged_into === undo.behind)
          memories.show(db, author, { account, namespace, key });
      }
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
    metadata: JSON.parse(memory.metadata) as JsonObject,
    created_at: iso(memory.created_at),
    updated_at: iso(memory.updated_at),
    ...(memory.expires_at !== null && { expires_at: iso(memory.expires_at) }),
  };
}
