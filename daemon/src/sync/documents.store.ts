import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../db/open-store.ts';

interface At {
  account: AccountId;
  namespaceId: number;
  bucket: number;
}

/** The stored updates of a bucket, in order. */
export function loadUpdates(db: ReadDb, namespaceId: number, bucket: number): Uint8Array[] {
  return db
    .prepare<[number, number], { body: Uint8Array }>(
      'SELECT body FROM sync_updates WHERE namespace_id = ? AND bucket = ? ORDER BY id',
    )
    .all(namespaceId, bucket)
    .map(({ body }) => body);
}

export function insertUpdate(db: WriteDb, at: At, body: Uint8Array): void {
  db.prepare<unknown[]>(
    'INSERT INTO sync_updates (account, namespace_id, bucket, body) VALUES (?, ?, ?, ?)',
  ).run(at.account, at.namespaceId, at.bucket, body);
}

/** Puts the whole bucket in the place of its updates. */
export function replaceUpdates(db: WriteDb, at: At, body: Uint8Array): void {
  db.prepare<[number, number]>('DELETE FROM sync_updates WHERE namespace_id = ? AND bucket = ?').run(
    at.namespaceId,
    at.bucket,
  );
  insertUpdate(db, at, body);
}

/** Buckets with more updates than that. */
export function longBuckets(db: ReadDb, namespaceId: number, most: number): number[] {
  return db
    .prepare<[number, number], { bucket: number }>(
      'SELECT bucket FROM sync_updates WHERE namespace_id = ? GROUP BY bucket HAVING count(*) > ?',
    )
    .all(namespaceId, most)
    .map(({ bucket }) => bucket);
}

/** Buckets of a namespace that have content. */
export function filledBuckets(db: ReadDb, namespaceId: number): number[] {
  return db
    .prepare<[number], { bucket: number }>(
      'SELECT DISTINCT bucket FROM sync_updates WHERE namespace_id = ? ORDER BY bucket',
    )
    .all(namespaceId)
    .map(({ bucket }) => bucket);
}

export function dropUpdates(db: WriteDb, namespaceId: number): void {
  db.prepare<[number]>('DELETE FROM sync_updates WHERE namespace_id = ?').run(namespaceId);
}

/** Puts an entry aside that could not be read. */
export function insertQuarantined(
  db: WriteDb,
  at: { account: AccountId; namespaceId: number },
  entry: { seq: number; device: string; reason: string; body: Uint8Array; now: number },
): void {
  db.prepare<unknown[]>(
    `INSERT INTO sync_quarantine (account, namespace_id, seq, device, reason, body, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  ).run(at.account, at.namespaceId, entry.seq, entry.device, entry.reason, entry.body, entry.now);
}

export function countQuarantined(db: ReadDb): number {
  return db.prepare<[], { count: number }>('SELECT count(*) AS count FROM sync_quarantine').get()?.count ?? 0;
}
