import type { PortableMemory } from '@reverie/shared/contract/portable';
import type { Author } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import { deleteSource, findSource, saveSource } from './imports.store.ts';
import { writeMemory } from './memories.service.ts';
import { findMemory, type MemoryRow } from './memories.store.ts';
import { renameMemory } from './renaming.service.ts';
import { type TrashDeps, trashMemories } from './trash/trash.service.ts';
import { findTrashed } from './trash/trash.store.ts';
import { bringBack } from './trash/trashing.ts';

/** What a file says, with the source that it is told by. */
export type LandingMemory = PortableMemory & { source: NonNullable<PortableMemory['source']> };

/** The memory and its version that a file agrees with; `kept` and `deleted_here` left things as they are. */
export type Landed =
  | { outcome: 'created' | 'updated' | 'unchanged' | 'conflict'; id: number; version: number }
  | { outcome: 'kept' | 'deleted_here' };

interface Put {
  author: Author;
  memory: LandingMemory;
  /** Nothing was taken from this source before, or it was gone meanwhile: what is in the trash comes back. */
  isNew: boolean;
  /** What was edited here gives way, and stays in the history. */
  wins: boolean;
}

/** Makes a memory what its file says, unless it was edited or deleted here since. */
export function landMemory(db: WriteDb, deps: TrashDeps, { author, memory, isNew, wins }: Put): Landed {
  const { account } = author;
  const { source } = memory;
  const address = { account, namespace: memory.namespace, key: memory.key };
  const row = findMemory(db, address) ?? (isNew ? broughtBack(db, deps, { author, memory }) : undefined);
  if (!row) {
    if (!isNew) return { outcome: 'deleted_here' };
    return written(db, deps, { author, memory });
  }
  const known = findSource(db, account, { sourceId: source.id, memoryId: row.id });
  if (known?.hash === source.hash) return { outcome: 'unchanged', id: row.id, version: known.version };
  const isEditedHere = known?.version !== row.version;
  if (isEditedHere && row.value === memory.value) {
    saveSource(db, account, agreed(memory, row));
    return { outcome: 'unchanged', id: row.id, version: row.version };
  }
  if (isEditedHere && !wins) return { outcome: 'kept' };
  const landed = written(db, deps, { author, memory });
  return isEditedHere ? { ...landed, outcome: 'conflict' } : landed;
}

function agreed({ source }: LandingMemory, { id, version }: Pick<MemoryRow, 'id' | 'version'>) {
  return { sourceId: source.id, hash: source.hash, memoryId: id, version };
}

function written(
  db: WriteDb,
  deps: TrashDeps,
  { author, memory }: { author: Author; memory: LandingMemory },
) {
  const done = writeMemory(db, deps, { author, item: memory });
  saveSource(db, author.account, agreed(memory, done));
  return done;
}

/** The memory of a file that was gone for a while, out of the trash. */
function broughtBack(
  db: WriteDb,
  deps: TrashDeps,
  { author, memory }: { author: Author; memory: LandingMemory },
): MemoryRow | undefined {
  const { account } = author;
  const { namespace, key, source } = memory;
  const trashed = findTrashed(db, { account, namespace, key });
  if (!trashed || !findSource(db, account, { sourceId: source.id, memoryId: trashed.id })) return undefined;
  bringBack(db, deps, { author, trashed });
  return findMemory(db, { account, namespace, key });
}

interface Moved {
  author: Author;
  /** What the file was before. */
  from: { key: string; sourceId: string };
  memory: LandingMemory;
  wins: boolean;
}

/** A file has another name and says the same: its memory goes with it. Where that cannot be, the answer is undefined. */
export function landRename(
  db: WriteDb,
  deps: TrashDeps,
  { author, from, memory, wins }: Moved,
): Landed | undefined {
  const { account } = author;
  const { namespace, key, source } = memory;
  const row = findMemory(db, { account, namespace, key: from.key });
  if (!row || (from.key !== key && findMemory(db, { account, namespace, key }))) return undefined;
  const known = findSource(db, account, { sourceId: from.sourceId, memoryId: row.id });
  renameMemory(deps, author, { from: { namespace, key: from.key }, to: { namespace, key } });
  deleteSource(db, account, { sourceId: from.sourceId, memoryId: row.id });
  // What was edited here stays so; else its metadata name the new path.
  const isEditedHere = known?.version !== row.version;
  if (known)
    saveSource(db, account, {
      ...{ sourceId: source.id, memoryId: row.id, version: known.version },
      hash: isEditedHere ? known.hash : '',
    });
  return landMemory(db, deps, { author, memory, isNew: false, wins });
}

/** A file is gone: its memory goes to the trash, unless it was edited here since. */
export function landRemoval(
  db: WriteDb,
  deps: TrashDeps,
  { author, key, namespace, sourceId }: { author: Author; key: string; namespace: string; sourceId: string },
): 'trashed' | 'kept' | 'gone' {
  const { account } = author;
  const row = findMemory(db, { account, namespace, key });
  if (!row) return 'gone';
  if (findSource(db, account, { sourceId, memoryId: row.id })?.version !== row.version) return 'kept';
  trashMemories(deps, author, [{ namespace, key }]);
  return 'trashed';
}

/** A file was written that says what this version of its memory says. */
export function noteAgreement(
  db: WriteDb,
  { account }: Author,
  at: { sourceId: string; hash: string; memoryId: number; version: number },
): void {
  saveSource(db, account, at);
}
