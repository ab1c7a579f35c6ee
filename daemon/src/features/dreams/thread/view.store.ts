import Database from 'better-sqlite3';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { MemoryClass } from '@reverie/shared/contract/memories/memories';
import type { ReadDb } from '../../../db/open-store.ts';

/** A connection of a thread's own that cannot write; each statement is a read transaction of its own. */
export function openReader(file: string): { db: ReadDb; close: () => void } {
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  // What is read once needs no 16 MB of pages.
  connection.pragma('cache_size = -1000');
  return {
    db: { prepare: (sql) => connection.prepare(sql) as never, reads: true },
    close: () => void connection.close(),
  };
}

/** What a dream may look at: neither hidden nor written by a dream. */
export interface Eligible {
  id: number;
  bytes: number;
}

export function eligibleMemories(
  db: ReadDb,
  { account, namespace }: { account: AccountId; namespace: string },
): Eligible[] {
  return db
    .prepare<[number, number, string], Eligible>(
      `SELECT m.id, m.bytes FROM memories m WHERE m.account = ?
       AND m.namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?)
       AND m.class <> 'dream' AND m.hidden IS NULL ORDER BY m.id`,
    )
    .all(account, account, namespace);
}

export interface ViewedRow {
  id: number;
  key: string;
  value: string;
  metadata: string;
  class: MemoryClass;
  session: string | null;
  session_time: number | null;
  created_at: number;
  updated_at: number;
  was_recalled: 0 | 1;
  noted_at: number | null;
}

/** Rows by their ids; those that are gone meanwhile are left out. */
export function viewedRows(db: ReadDb, account: AccountId, ids: readonly number[]): ViewedRow[] {
  return db
    .prepare<[string, number], ViewedRow>(
      `SELECT m.id, m.key, m.value, m.metadata, m.class, m.session, m.session_time, m.created_at, m.updated_at, m.noted_at,
         EXISTS (SELECT 1 FROM memory_recalls r WHERE r.memory_id = m.id) AS was_recalled
       FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value
       WHERE m.account = ? AND m.hidden IS NULL`,
    )
    .all(JSON.stringify(ids), account);
}

export interface VectorRow {
  memory_id: number;
  scale: number;
  vector: Buffer;
}

/** The vectors of all chunks of some memories, as far as `model` made them. */
export function vectorRows(db: ReadDb, ids: readonly number[], model: string): VectorRow[] {
  return db
    .prepare<[string, string], VectorRow>(
      `SELECT c.memory_id, c.scale, c.vector FROM json_each(?) wanted CROSS JOIN chunks c ON c.memory_id = wanted.value
       WHERE c.model = ?`,
    )
    .all(JSON.stringify(ids), model);
}
