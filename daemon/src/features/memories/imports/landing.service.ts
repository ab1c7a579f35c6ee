import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import type { Author } from '../../../db/change.ts';
import { objectIn } from '../../../db/json-column.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import type { MemoryDeps } from '../deps.ts';
import { writeMemory } from '../memories.service.ts';
import { findMemoriesById, findMemory, type MemoryRow } from '../memories.store.ts';
import { tagsOf } from '../reading/session.ts';
import { moveToTrashNow } from '../trash/trashing.ts';
import { changeOf, importMemories, tagsSaid, withTagsOfPerson } from './import.service.ts';
import {
  dropSource,
  findSource,
  forgetDeleted,
  type ImportAddress,
  markVanished,
  saveSource,
} from './imports.store.ts';

/** What a file says, with the source that it is told by. */
export type LandingMemory = PortableMemory & { source: NonNullable<PortableMemory['source']> };

/** The memory and its version that a file agrees with; `kept` and `deleted_here` left things as they are. */
export type Landed =
  | { outcome: 'created' | 'updated' | 'unchanged' | 'restored' | 'conflict'; id: number; version: number }
  | { outcome: 'kept' | 'deleted_here' };

/**
 * Makes a memory what its file says, as an import does. What was edited here into the same text agrees with it; with `wins`, what
 * was edited otherwise gives way, and stays in the history.
 */
export function landMemory(
  db: WriteDb,
  deps: MemoryDeps,
  { author, memory, wins }: { author: Author; memory: LandingMemory; wins: boolean },
): Landed {
  const { account } = author;
  const { namespace, key, source } = memory;
  const address = { sourceId: source.id, namespace, key };
  const row = findMemory(db, { account, namespace, key });
  const known = findSource(db, account, address);
  const agree = ({ id, version }: { id: number; version: number }, tags: string) => {
    forgetDeleted(db, account, address);
    const at = { memory_id: id, version, hash: source.hash, vanished: 0 } as const;
    saveSource(db, account, { ...address, ...at, tags });
  };
  if (row && row.value === memory.value && known?.version !== row.version) {
    agree(row, tagsOfBoth(memory, row));
    return { outcome: 'unchanged', id: row.id, version: row.version };
  }
  const [outcome] = importMemories(deps, author, { items: [memory] });
  if (outcome === 'kept' && wins && row) {
    const item = changeOf(withTagsOfPerson(memory, row, known), row);
    const written = writeMemory(db, deps, { author, item });
    agree(written, tagsSaid(memory));
    return { ...written, outcome: 'conflict' };
  }
  const now = findSource(db, account, address);
  if (outcome === undefined || outcome === 'deleted_here' || outcome === 'kept' || !now)
    return { outcome: outcome === 'deleted_here' ? 'deleted_here' : 'kept' };
  return { outcome, id: now.memory_id, version: now.version };
}

/**
 * A file is gone: its memory goes to the trash, unless it was edited or renamed here since. If it was deleted here before, that is
 * forgotten, too: a file that comes there later is another one.
 */
export function landRemoval(
  db: WriteDb,
  deps: MemoryDeps,
  { author, ...address }: ImportAddress & { author: Author },
): 'trashed' | 'kept' | 'gone' {
  const { account } = author;
  const { sourceId, namespace, key } = address;
  forgetDeleted(db, account, { sourceId, namespace, key });
  const source = findSource(db, account, { sourceId, namespace, key });
  const [row] = source ? findMemoriesById(db, account, [source.memory_id]) : [];
  if (!source || !row) return 'gone';
  const vanish = () => markVanished(db, account, { sourceId, memoryId: row.id });
  if (source.trashed === 1) {
    vanish();
    return 'gone';
  }
  if (row.version !== source.version || row.key !== key || row.namespace !== namespace) {
    // It is nobody's file any more: one that comes there later is another memory's.
    dropSource(db, account, { sourceId, namespace, key });
    return 'kept';
  }
  moveToTrashNow(db, deps, { author, row });
  vanish();
  return 'trashed';
}

/** Notes that a file was written with what this version of its memory says. */
export function noteAgreement(
  db: WriteDb,
  { account }: Author,
  at: ImportAddress & { hash: string; memoryId: number; version: number } & Pick<LandingMemory, 'metadata'>,
): void {
  const { memoryId, metadata, ...rest } = at;
  forgetDeleted(db, account, at);
  const known = findSource(db, account, at);
  const [row] = findMemoriesById(db, account, [memoryId]);
  const isAsBefore = known?.hash === at.hash && known.tags !== null;
  const tags = isAsBefore ? known.tags : tagsOfBoth({ metadata }, row);
  saveSource(db, account, { ...rest, memory_id: memoryId, vanished: 0, tags });
}

/** The tags that a file with these should have: those of the person are added, and what the person took off is left out. */
export function tagsOfFile(
  db: ReadDb,
  { account }: Author,
  { memoryId, tags, ...at }: ImportAddress & { memoryId: number; tags: string[] },
): string[] {
  const [row] = findMemoriesById(db, account, [memoryId]);
  const item = { key: at.key, namespace: at.namespace, value: '', metadata: { tags } };
  return row ? tagsOf(withTagsOfPerson(item, row, findSource(db, account, at)).metadata ?? {}) : tags;
}

/**
 * The tags that file and memory both have, where a text from here became the file's: one that the memory lacks was not taken off by
 * anybody, its metadata were only written without it.
 */
function tagsOfBoth(file: Pick<LandingMemory, 'metadata'>, row: MemoryRow | undefined): string {
  const here = tagsOf(objectIn(row?.metadata ?? '{}'));
  return JSON.stringify(tagsOf(file.metadata ?? {}).filter((tag) => here.includes(tag)));
}
