import { z } from 'zod';
import type { importOutcomes, PortableMemory } from '@reverie/shared/contract/memories/portable';
import type { Author } from '../../../db/change.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import { objectIn, valueIn } from '../../../db/json-column.ts';
import type { MemoryDeps } from '../deps.ts';
import { isSame, writeMemory } from '../memories.service.ts';
import { findMemoriesById, findMemory, type MemoryRow } from '../memories.store.ts';
import { tagsBeyond, tagsOf } from '../reading/session.ts';
import { findTrashedById, type TrashedRow } from '../trash/trash.store.ts';
import { bringBack } from '../trash/trashing.ts';
import {
  dropOtherAddresses,
  findSource,
  findSourceOf,
  forgetDeleted,
  type ImportAddress,
  type ImportSource,
  saveSource,
  wasDeleted,
} from './imports.store.ts';

export type ImportOutcome = (typeof importOutcomes)[number];

/** What an import brings; with `restore`, memories that were deleted here are brought, too. */
export interface ImportRequest {
  items: readonly PortableMemory[];
  restore?: boolean;
}

/**
 * Imports memories with their times, in one transaction; answers what was done with each. What is unchanged at its source is
 * skipped, what was edited here since the last import is kept, and what was deleted here stays so.
 */
export function importMemories(
  deps: MemoryDeps,
  author: Author,
  { items, restore = false }: ImportRequest,
): ImportOutcome[] {
  return deps.store.write((db) =>
    items.map((item) => {
      const decided = decide(db, { author, item, restore });
      carryOut(db, deps, { author, item, decided });
      return decided.outcome;
    }),
  );
}

/** What an import would do, without doing it. */
export function planImport(
  { store }: Pick<MemoryDeps, 'store'>,
  author: Author,
  { items, restore = false }: ImportRequest,
): ImportOutcome[] {
  return store.read((db) => items.map((item) => decide(db, { author, item, restore }).outcome));
}

/** The memory and its version that a source stands for, and the tags that were noted of it, where they stay so. */
type Standing = Pick<ImportSource, 'memory_id' | 'version'> & Partial<Pick<ImportSource, 'tags'>>;

type Decided =
  | { outcome: 'created' }
  | { outcome: 'updated'; row: MemoryRow; item: PortableMemory }
  /** `at` is recorded as the state of the source; without it that is known already. */
  | { outcome: 'unchanged'; at?: Standing }
  | { outcome: 'kept' | 'deleted_here' }
  /** `trashed` where it comes back from there. */
  | { outcome: 'restored'; trashed?: TrashedRow; known?: ImportSource };

interface Candidate {
  author: Author;
  item: PortableMemory;
  restore: boolean;
}

function addressOf({ namespace, key, source }: PortableMemory): ImportAddress | undefined {
  return source && { sourceId: source.id, namespace, key };
}

function decide(db: ReadDb, { author, item, restore }: Candidate): Decided {
  const { account } = author;
  const address = addressOf(item);
  const known = address && findSource(db, account, address);
  if (known?.trashed === 0 && known.hash === item.source?.hash)
    return known.vanished === 0 ? { outcome: 'unchanged' } : { outcome: 'unchanged', at: known };
  // Where it was renamed here, the import goes on with it there.
  const own = known?.trashed === 0 ? findMemoriesById(db, account, [known.memory_id])[0] : undefined;
  const row = own ?? findMemory(db, { account, namespace: item.namespace, key: item.key });
  if (row) return decideOn(db, { item, row, source: own && known });
  if (known) {
    if (!restore && known.vanished === 0) return { outcome: 'deleted_here' };
    const trashed = findTrashedById(db, known.memory_id);
    // Another memory has the key that it had when it was put there.
    if (trashed && findMemory(db, trashed)) return { outcome: 'kept' };
    return trashed ? { outcome: 'restored', trashed, known } : { outcome: 'created' };
  }
  if (address && wasDeleted(db, account, address)) return { outcome: restore ? 'restored' : 'deleted_here' };
  return { outcome: 'created' };
}

/** What becomes of a memory that is there. */
function decideOn(
  db: ReadDb,
  { item, row, source }: { item: PortableMemory; row: MemoryRow; source: ImportSource | undefined },
): Decided {
  const at = { memory_id: row.id, version: row.version };
  const expires_at = item.expires_at === undefined ? null : Date.parse(item.expires_at);
  const known = source ?? (item.source && findSourceOf(db, { memoryId: row.id, sourceId: item.source.id }));
  if (item.source && known?.hash === item.source.hash) return { outcome: 'unchanged', at: known };
  const merged = withTagsOfPerson(item, row, known);
  if (isSame(row, { item: merged, metadata: merged.metadata ?? {}, expires_at }))
    return { outcome: 'unchanged', at };
  // The state of a kept one stays unrecorded, so that the next import says again that it differs.
  if (item.source)
    return known?.version === row.version ? { outcome: 'updated', row, item: merged } : { outcome: 'kept' };
  const isNewerHere = item.updated_at === undefined || Date.parse(item.updated_at) < row.updated_at;
  return isNewerHere ? { outcome: 'kept' } : { outcome: 'updated', row, item };
}

function carryOut(
  db: WriteDb,
  deps: MemoryDeps,
  { author, item, decided }: { author: Author; item: PortableMemory; decided: Decided },
): void {
  const at = place(db, deps, { author, item, decided });
  const address = addressOf(item);
  if (!at || !address || !item.source) return;
  const { account } = author;
  // Somebody stored it again, or `restore` did.
  if (decided.outcome === 'unchanged' || decided.outcome === 'restored') forgetDeleted(db, account, address);
  if (decided.outcome !== 'created') dropOtherAddresses(db, at.memory_id, address);
  const tags = at.tags ?? tagsSaid(item);
  saveSource(db, account, { ...address, ...at, hash: item.source.hash, vanished: 0, tags });
}

/** Writes what was decided; answers which memory the source stands for now, and in which version. */
function place(
  db: WriteDb,
  deps: MemoryDeps,
  { author, item, decided }: { author: Author; item: PortableMemory; decided: Decided },
): Standing | undefined {
  switch (decided.outcome) {
    case 'kept':
    case 'deleted_here':
      return undefined;
    case 'unchanged':
      return decided.at;
    case 'created':
      return stands(writeMemory(db, deps, { author, item: unchangedSince(item) }));
    case 'updated': {
      const { namespace, key } = decided.row;
      const item = changeOf(decided.item, decided.row);
      return stands(writeMemory(db, deps, { author, item: { ...item, namespace, key } }));
    }
    case 'restored': {
      const { trashed, known } = decided;
      if (trashed) bringBack(db, deps, { author, trashed });
      const { namespace, key } = trashed ?? item;
      const merged = trashed ? withTagsOfPerson(item, trashed, known) : item;
      const made = trashed ? changeOf(merged, trashed) : unchangedSince(merged);
      return stands(writeMemory(db, deps, { author, item: { ...made, namespace, key } }));
    }
  }
}

/** The tags of an item, as they are noted of its source. */
export function tagsSaid({ metadata }: Pick<PortableMemory, 'metadata'>): string {
  return JSON.stringify(tagsOf(metadata ?? {}));
}

const Tags = z.array(z.string());

/**
 * What a source says, with the tags that the person gave its memory, and without those that the person took off: its tags and the
 * person's are two sets, told apart by what the source said before. Where more than tags was edited here, a tag that is missing was not
 * taken off on purpose.
 */
export function withTagsOfPerson(
  item: PortableMemory,
  row: Pick<MemoryRow, 'metadata' | 'version'>,
  source: Pick<ImportSource, 'tags' | 'version'> | undefined,
): PortableMemory {
  if (!source) return item;
  const isOnlyTagged = source.version === row.version;
  const here = tagsOf(objectIn(row.metadata));
  const before = source.tags === null ? (isOnlyTagged ? here : []) : valueIn(Tags, source.tags);
  const said = tagsOf(item.metadata ?? {});
  const takenOff = isOnlyTagged ? tagsBeyond(before, here) : [];
  const kept = tagsBeyond(said, takenOff);
  const own = tagsBeyond(here, [...before, ...said]);
  if (own.length === 0 && kept.length === said.length) return item;
  return { ...item, metadata: { ...item.metadata, tags: [...kept, ...own] } };
}

function stands({ id, version }: { id: number; version: number }) {
  return { memory_id: id, version };
}

/**
 * What only says when it was made has not been changed since: stored as changed now, the notes of years would all be of
 * the day of the import, and of two that differ the older one would be as new as the newer.
 */
function unchangedSince(item: PortableMemory): PortableMemory {
  return item.updated_at === undefined && item.created_at !== undefined
    ? { ...item, updated_at: item.created_at }
    : item;
}

/**
 * What a file says as a change of its memory. That is made when it was made, for a file is as old as its last save; and its versions
 * follow each other in time, also where an older file took the place of a newer one.
 */
export function changeOf(
  item: PortableMemory,
  row: Pick<MemoryRow, 'created_at' | 'updated_at'>,
): PortableMemory {
  if (!isFile(item)) return item;
  const isLater = item.updated_at !== undefined && Date.parse(item.updated_at) > row.updated_at;
  return {
    ...item,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: isLater ? item.updated_at : undefined,
  };
}

/** Whether an item is a note out of a file, and not a record with times of its own. */
function isFile({ metadata: { imported } = {} }: PortableMemory): boolean {
  return typeof imported === 'object' && imported !== null && 'path' in imported;
}
