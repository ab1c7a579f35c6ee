import type { AccountId } from '@reverie/shared/accounts/caller';
import type { HiddenKind } from '@reverie/shared/contract/memories/memories';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import type { At, MemoryRow } from '../memories.store.ts';

/** A memory in the trash, as it was before: with the namespace, the key and the hiding that it had. `trash_id` is its namespace there. */
export interface TrashedRow extends MemoryRow {
  account: AccountId;
  trashed_at: number;
  trash_id: number;
}

const COLUMNS = `m.id, m.account, m.namespace_id, m.namespace_id AS trash_id, t.namespace, t.key, m.value, m.metadata, m.class, m.bytes,
  m.version, m.created_at, m.updated_at, m.expires_at, m.noted_at, t.was_hidden AS hidden, m.hidden_behind, m.archived_at, m.writer, t.trashed_at`;
const FROM = 'FROM memory_trash t CROSS JOIN memories m ON m.id = t.memory_id';

export interface NewTrash {
  account: AccountId;
  memoryId: number;
  namespace: string;
  key: string;
  trashedAt: number;
  wasHidden: HiddenKind | null;
}

export function insertTrash(db: WriteDb, trash: NewTrash): void {
  db.prepare<[NewTrash]>(
    `INSERT INTO memory_trash (memory_id, account, namespace, key, trashed_at, was_hidden)
     VALUES (@memoryId, @account, @namespace, @key, @trashedAt, @wasHidden)`,
  ).run(trash);
}

export function saveTrashedAt(db: WriteDb, memoryId: number, at: number): void {
  db.prepare<[number, number]>('UPDATE memory_trash SET trashed_at = ? WHERE memory_id = ?').run(
    at,
    memoryId,
  );
}

export function deleteTrash(db: WriteDb, memoryId: number): void {
  db.prepare<[number]>('DELETE FROM memory_trash WHERE memory_id = ?').run(memoryId);
}

/** The memory of a key that was put into the trash last, or that was put there, or made, at just that time. */
export function findTrashed(
  db: ReadDb,
  { account, namespace, key, ...at }: At & { trashedAt?: number | undefined; createdAt?: number },
): TrashedRow | undefined {
  const { trashedAt = null, createdAt = null } = at;
  return db
    .prepare<unknown[], TrashedRow>(
      `SELECT ${COLUMNS} ${FROM} WHERE t.account = ? AND t.namespace = ? AND t.key = ? AND (? IS NULL OR t.trashed_at = ?)
       AND (? IS NULL OR m.created_at = ?) ORDER BY t.trashed_at DESC, t.memory_id DESC LIMIT 1`,
    )
    .get(account, namespace, key, trashedAt, trashedAt, createdAt, createdAt);
}

interface Which {
  account: AccountId;
  /** Null for all. */
  namespace: string | null;
  /** Patterns of namespaces as JSON; null for all. */
  within: string | null;
}

const WHICH =
  't.account = @account AND (@namespace IS NULL OR t.namespace = @namespace) AND (@within IS NULL OR has_namespace(@within, t.namespace))';

export function listTrashed(db: ReadDb, which: Which & { limit: number; offset: number }): TrashedRow[] {
  return db
    .prepare<[typeof which], TrashedRow>(
      `SELECT ${COLUMNS} ${FROM} WHERE ${WHICH} ORDER BY t.trashed_at DESC, t.memory_id DESC LIMIT @limit OFFSET @offset`,
    )
    .all(which);
}

export function countTrashed(db: ReadDb, which: Which): number {
  return (
    db
      .prepare<[Which], { count: number }>(`SELECT count(*) AS count FROM memory_trash t WHERE ${WHICH}`)
      .get(which)?.count ?? 0
  );
}

/** Memories of all accounts that were put into the trash until a time, the oldest first, at most 100 a call. */
export function trashedUntil(db: ReadDb, until: number): TrashedRow[] {
  return db
    .prepare<[number], TrashedRow>(
      `SELECT ${COLUMNS} ${FROM} WHERE t.trashed_at <= ? ORDER BY t.trashed_at LIMIT 100`,
    )
    .all(until);
}

/** A memory by its id, where it is in the trash. */
export function findTrashedById(db: ReadDb, memoryId: number): TrashedRow | undefined {
  return db.prepare<[number], TrashedRow>(`SELECT ${COLUMNS} ${FROM} WHERE t.memory_id = ?`).get(memoryId);
}
