import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

interface At {
  account: AccountId;
  namespaceId: number;
  bucket: number;
}

/** What a bucket's document is made of: what the log said of it, and what waits to be confirmed. */
export function loadUpdates(db: ReadDb, namespaceId: number, bucket: number): Uint8Array[] {
  return db
    .prepare<[number, number, number, number], { body: Uint8Array }>(
      `SELECT body FROM (SELECT 0 AS part, id, body FROM sync_updates WHERE namespace_id = ? AND bucket = ?
         UNION ALL SELECT 1, id, body FROM sync_sends WHERE namespace_id = ? AND bucket = ? AND body IS NOT NULL)
       ORDER BY part, id`,
    )
    .all(namespaceId, bucket, namespaceId, bucket)
    .map(({ body }) => body);
}

/** What the log said of a bucket, in order. */
export function loadConfirmed(db: ReadDb, namespaceId: number, bucket: number): Uint8Array[] {
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

/** Replaces all updates that the log had for a bucket by one, or by none. */
export function replaceUpdates(db: WriteDb, at: At, body: Uint8Array | undefined): void {
  db.prepare<[number, number]>('DELETE FROM sync_updates WHERE namespace_id = ? AND bucket = ?').run(
    at.namespaceId,
    at.bucket,
  );
  if (body) insertUpdate(db, at, body);
}

/** Buckets with more than `most` updates. */
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
    .prepare<[number, number], { bucket: number }>(
      `SELECT bucket FROM sync_updates WHERE namespace_id = ?
       UNION SELECT bucket FROM sync_sends WHERE namespace_id = ? AND bucket IS NOT NULL ORDER BY bucket`,
    )
    .all(namespaceId, namespaceId)
    .map(({ bucket }) => bucket);
}

/** Drops all that the log said of a namespace. */
export function dropUpdates(db: WriteDb, namespaceId: number): void {
  for (const table of ['sync_updates', 'sync_bases'])
    db.prepare<[number]>(`DELETE FROM ${table} WHERE namespace_id = ?`).run(namespaceId);
}

/** What the documents of a namespace take, and what its memories say, in bytes. */
export function sizesOf(
  db: ReadDb,
  { id, account, name }: { id: number; account: AccountId; name: string },
): { documents: number; memories: number; count: number } {
  const stored = db
    .prepare<[number], { bytes: number | null }>(
      'SELECT sum(length(body)) AS bytes FROM sync_updates WHERE namespace_id = ?',
    )
    .get(id);
  const said = db
    .prepare<[number, string], { bytes: number; memories: number }>(
      'SELECT bytes, memories FROM namespaces WHERE account = ? AND name = ?',
    )
    .get(account, name);
  return { documents: stored?.bytes ?? 0, memories: said?.bytes ?? 0, count: said?.memories ?? 0 };
}

/** Notes that a deleted value still stands in the bytes of a bucket. */
export function insertRedaction(db: WriteDb, at: At): void {
  db.prepare<[number, number, number]>(
    'INSERT INTO sync_redactions (account, namespace_id, bucket) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  ).run(at.account, at.namespaceId, at.bucket);
}

/** A bucket of a namespace with something deleted in its bytes, if there is one. */
export function nextRedaction(db: ReadDb, namespaceId: number): number | undefined {
  return db
    .prepare<[number], { bucket: number }>(
      'SELECT bucket FROM sync_redactions WHERE namespace_id = ? ORDER BY bucket LIMIT 1',
    )
    .get(namespaceId)?.bucket;
}

export function deleteRedaction(db: WriteDb, namespaceId: number, bucket: number): void {
  db.prepare<[number, number]>('DELETE FROM sync_redactions WHERE namespace_id = ? AND bucket = ?').run(
    namespaceId,
    bucket,
  );
}

/** A document at the begin of an epoch, by the word of the relay. */
export interface BaseRow {
  bucket: number;
  epoch: number;
  covers: number;
  body: Uint8Array;
}

export function insertBase(
  db: WriteDb,
  at: { account: AccountId; namespaceId: number },
  base: BaseRow,
): void {
  db.prepare<unknown[]>(
    `INSERT INTO sync_bases (account, namespace_id, bucket, epoch, covers, body) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET covers = excluded.covers, body = excluded.body`,
  ).run(at.account, at.namespaceId, base.bucket, base.epoch, base.covers, base.body);
}

/** The bases that the relay told of, in the order of their epochs. */
export function listBases(
  db: ReadDb,
  namespaceId: number,
  { above, upTo }: { above: number; upTo: number },
): BaseRow[] {
  return db
    .prepare<[number, number, number], BaseRow>(
      `SELECT bucket, epoch, covers, body FROM sync_bases WHERE namespace_id = ? AND epoch > ? AND epoch <= ?
       ORDER BY epoch`,
    )
    .all(namespaceId, above, upTo);
}

/** Whether the relay told what a bucket begins a later epoch with, in place of an entry among others. */
export function hasBase(
  db: ReadDb,
  namespaceId: number,
  { bucket, epoch, seq }: { bucket: number; epoch: number; seq: number },
): boolean {
  const found = db
    .prepare<[number, number, number, number], { one: 1 }>(
      'SELECT 1 AS one FROM sync_bases WHERE namespace_id = ? AND bucket = ? AND epoch > ? AND covers >= ? LIMIT 1',
    )
    .get(namespaceId, bucket, epoch, seq);
  return found !== undefined;
}

/** Documents that stand in place of entries of a room and are still to be made into rows. */
export interface BasesWaiting {
  count: number;
  /** The last entry that they stand for. */
  covers: number;
}

/** Those of each namespace that has any. */
export function basesWaiting(db: ReadDb): Map<number, BasesWaiting> {
  const rows = db
    .prepare<[], BasesWaiting & { id: number }>(
      'SELECT namespace_id AS id, count(*) AS count, max(covers) AS covers FROM sync_bases GROUP BY namespace_id',
    )
    .all();
  return new Map(rows.map(({ id, ...bases }) => [id, bases]));
}

/** Drops the bases of a bucket up to an epoch; without one, all of them. */
export function dropBases(db: WriteDb, namespaceId: number, of?: { bucket: number; upTo: number }): void {
  db.prepare<unknown[]>(
    'DELETE FROM sync_bases WHERE namespace_id = ? AND (? IS NULL OR bucket = ?) AND epoch <= ?',
  ).run(namespaceId, of?.bucket ?? null, of?.bucket ?? null, of?.upTo ?? Number.MAX_SAFE_INTEGER);
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
