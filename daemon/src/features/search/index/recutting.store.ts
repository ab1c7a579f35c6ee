import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';
import { CHUNK_SPAN, type MemoryTextRow } from './index.store.ts';

/** Memories by their ids: those behind `done`, up to `until`. */
export interface MemoryRange {
  readonly done: number;
  readonly until: number;
}

/** A memory, and where its chunks stand: what is hidden is indexed in another namespace than its own. */
export type IndexedRow = MemoryTextRow & { readonly account: AccountId };

/** The first memories of a range, as many as have `bytes` together but one at least. */
export function memoriesOf(db: ReadDb, { done, until }: MemoryRange, bytes: number): IndexedRow[] {
  const rows = db
    .prepare<[number, number, number], IndexedRow>(
      `SELECT id, account, key, value, metadata, version, session, session_time, session_key,
         coalesce((SELECT id / CAST(? AS INTEGER) FROM chunks WHERE memory_id = memories.id LIMIT 1), namespace_id) AS namespace_id
       FROM memories WHERE id > ? AND id <= ? ORDER BY id`,
    )
    .iterate(CHUNK_SPAN, done, until);
  const found: IndexedRow[] = [];
  let read = 0;
  for (const row of rows) {
    found.push(row);
    read += row.value.length;
    if (read >= bytes) break;
  }
  return found;
}

/** How many memories a range has, of one account where it is given. */
export function countMemoriesOf(db: ReadDb, { done, until }: MemoryRange, account?: AccountId): number {
  const row = db
    .prepare<[number, number, AccountId | null, AccountId | null], { count: number }>(
      'SELECT count(*) AS count FROM memories WHERE id > ? AND id <= ? AND (? IS NULL OR account = ?)',
    )
    .get(done, until, account ?? null, account ?? null);
  return row?.count ?? 0;
}

/** The id of the newest memory; 0 without any. */
export function newestMemory(db: ReadDb): number {
  return db.prepare<[], { id: number | null }>('SELECT max(id) AS id FROM memories').get()?.id ?? 0;
}
