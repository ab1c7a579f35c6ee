import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

export interface NamespaceRow {
  id: number;
  name: string;
  memories: number;
  /** Those of them that are hidden. */
  hidden: number;
  bytes: number;
  updated_at: number;
}

const COLUMNS = `id, name, memories, bytes, updated_at, (SELECT count(*) FROM memories m
  WHERE m.account = namespaces.account AND m.namespace_id = namespaces.id AND m.hidden IS NOT NULL) AS hidden`;

export function findNamespace(db: ReadDb, account: AccountId, name: string): NamespaceRow | undefined {
  return db
    .prepare<[number, string], NamespaceRow>(
      `SELECT ${COLUMNS} FROM namespaces WHERE account = ? AND name = ?`,
    )
    .get(account, name);
}

/** The namespaces of an account by name, without those that hold what is hidden or in the trash. */
export function listNamespaceRows(db: ReadDb, account: AccountId): NamespaceRow[] {
  return db
    .prepare<[number], NamespaceRow>(
      `SELECT ${COLUMNS} FROM namespaces WHERE account = ? AND substr(name, 1, 1) <> char(1) ORDER BY name`,
    )
    .all(account);
}

/** The id of a namespace, which is made where it is missing. */
export function openNamespace(db: WriteDb, account: AccountId, at: { name: string; now: number }): number {
  const found = findNamespace(db, account, at.name);
  if (found) return found.id;
  const { lastInsertRowid } = db
    .prepare<[number, string, number]>(
      `INSERT INTO namespaces (account, name, memories, bytes, chunks, next_chunk, updated_at)
       VALUES (?, ?, 0, 0, 0, 0, ?)`,
    )
    .run(account, at.name, at.now);
  return Number(lastInsertRowid);
}

/** Counts a change of a namespace's content; a namespace without memories is dropped. */
export function countChange(
  db: WriteDb,
  id: number,
  change: { memories: number; bytes: number; now: number },
): void {
  db.prepare<[number, number, number, number]>(
    'UPDATE namespaces SET memories = memories + ?, bytes = bytes + ?, updated_at = max(updated_at, ?) WHERE id = ?',
  ).run(change.memories, change.bytes, change.now, id);
  if (change.memories < 0)
    db.prepare<[number]>('DELETE FROM namespaces WHERE id = ? AND memories = 0').run(id);
}

/** Deletes all memories of a namespace with what hangs on them, and the namespace. */
export function dropNamespace(db: WriteDb, account: AccountId, id: number): void {
  db.prepare<[number, number]>('DELETE FROM memories WHERE account = ? AND namespace_id = ?').run(
    account,
    id,
  );
  db.prepare<[number]>('DELETE FROM namespaces WHERE id = ?').run(id);
}

/** Memories of all accounts, without those in the trash. */
export function countAllMemories(db: ReadDb): number {
  return (
    db
      .prepare<[], { count: number }>(
        'SELECT coalesce(sum(memories), 0) AS count FROM namespaces WHERE substr(name, 1, 1) <> char(1)',
      )
      .get()?.count ?? 0
  );
}

/** Deletes a namespace of hidden memories that holds none any more. */
export function dropEmptyNamespace(db: WriteDb, id: number): void {
  db.prepare<[number]>('DELETE FROM namespaces WHERE id = ? AND memories = 0 AND chunks = 0').run(id);
}
