import type { AccountId } from '@reverie/shared/accounts/caller';
import { wallOf } from '@reverie/shared/document/clock';
import type { Patch } from '@reverie/shared/document/patch';
import type { WaitingEntry } from '@reverie/shared/document/replica';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { insertUpdate } from './documents.store.ts';

/** An entry for the relay. */
export interface SendRow {
  id: number;
  incarnation: string;
  n: number;
  /** The newest wall-clock time inside, ms. */
  at: number;
  bucket: number | null;
  body: Uint8Array | null;
  cleared_before: number | null;
}

const COLUMNS = 'id, incarnation, n, at, bucket, body, cleared_before';

interface At {
  account: AccountId;
  namespaceId: number;
}

/** What an entry is made of, besides its operations. */
export type NewSend = Omit<SendRow, 'id' | 'at'> & { patch?: Patch | undefined };

/** Keeps an entry to be sent, and says which operations it is about; it is as new as the newest of them, or as `now`. */
export function insertSend(
  db: WriteDb,
  { account, namespaceId }: At,
  { seqs, now, ...send }: NewSend & { seqs: readonly number[]; now: number },
): number {
  const list = JSON.stringify(seqs);
  const newest = db
    .prepare<[string], { hlc: number | null }>(
      'SELECT max(hlc) AS hlc FROM sync_outbox WHERE seq IN (SELECT value FROM json_each(?))',
    )
    .get(list)?.hlc;
  const { lastInsertRowid } = db
    .prepare<unknown[]>(
      'INSERT INTO sync_sends (account, namespace_id, incarnation, n, at, bucket, body, cleared_before, patch) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(
      account,
      namespaceId,
      send.incarnation,
      send.n,
      newest == null ? now : wallOf(newest),
      send.bucket,
      send.body,
      send.cleared_before,
      send.patch ? JSON.stringify(send.patch) : null,
    );
  db.prepare<[number | bigint, string]>(
    'UPDATE sync_outbox SET send_id = ? WHERE seq IN (SELECT value FROM json_each(?))',
  ).run(lastInsertRowid, list);
  return Number(lastInsertRowid);
}

/** Entries of a namespace after one, in order; not those that have no document yet. */
export function sendsAfter(
  db: ReadDb,
  namespaceId: number,
  { after, limit }: { after: number; limit: number },
): SendRow[] {
  return db
    .prepare<[number, number, number], SendRow>(
      `SELECT ${COLUMNS} FROM sync_sends
       WHERE namespace_id = ? AND id > ? AND (body IS NOT NULL OR bucket IS NULL) ORDER BY id LIMIT ?`,
    )
    .all(namespaceId, after, limit);
}

export function findSend(
  db: ReadDb,
  namespaceId: number,
  { incarnation, n }: { incarnation: string; n: number },
): SendRow | undefined {
  return db
    .prepare<[number, string, number], SendRow>(
      `SELECT ${COLUMNS} FROM sync_sends WHERE namespace_id = ? AND incarnation = ? AND n = ?`,
    )
    .get(namespaceId, incarnation, n);
}

/**
 * The relay has an entry on its disk: its update belongs to what the log said, and it leaves the outbox with its
 * operations. Answers their newest stamp, or whether there was no such entry (undefined).
 */
export function settleSend(
  db: WriteDb,
  { account, namespaceId }: At,
  of: { incarnation: string; n: number },
): number | undefined {
  const found = findSend(db, namespaceId, of);
  if (!found) return undefined;
  const { bucket, body } = found;
  if (bucket !== null && body !== null) insertUpdate(db, { account, namespaceId, bucket }, body);
  const newest = db
    .prepare<[number], { hlc: number | null }>('SELECT max(hlc) AS hlc FROM sync_outbox WHERE send_id = ?')
    .get(found.id)?.hlc;
  db.prepare<[number]>('DELETE FROM sync_outbox WHERE send_id = ?').run(found.id);
  deleteSend(db, found.id);
  return newest ?? 0;
}

export function deleteSend(db: WriteDb, id: number): void {
  db.prepare<[number]>('DELETE FROM sync_sends WHERE id = ?').run(id);
}

/** What waits of a bucket, in order. */
export function waitingOf(
  db: ReadDb,
  namespaceId: number,
  bucket: number,
): (WaitingEntry & { id: number; incarnation: string; n: number })[] {
  return db
    .prepare<
      [number, number],
      { id: number; incarnation: string; n: number; body: Uint8Array | null; patch: string | null }
    >(
      'SELECT id, incarnation, n, body, patch FROM sync_sends WHERE namespace_id = ? AND bucket = ? ORDER BY id',
    )
    .all(namespaceId, bucket)
    .map(({ body, patch, ...rest }) => ({
      ...rest,
      body: body ?? undefined,
      ...(patch !== null && { patch: JSON.parse(patch) as Patch }),
    }));
}

/** Takes out entries; answers the operations that they were about. */
export function takeSends(db: WriteDb, ids: readonly number[]): number[] {
  const list = JSON.stringify(ids);
  const seqs = db
    .prepare<[string], { seq: number }>(
      'SELECT seq FROM sync_outbox WHERE send_id IN (SELECT value FROM json_each(?)) ORDER BY seq',
    )
    .all(list)
    .map(({ seq }) => seq);
  db.prepare<[string]>('DELETE FROM sync_sends WHERE id IN (SELECT value FROM json_each(?))').run(list);
  return seqs;
}

/** Gives entries without operations that are dated after `limit` the time `now`, both in ms: nothing in them is that new. */
export function restampIdle(db: WriteDb, { limit, now }: { limit: number; now: number }): void {
  db.prepare<[number, number]>(
    'UPDATE sync_sends SET at = ? WHERE at > ? AND NOT EXISTS (SELECT 1 FROM sync_outbox o WHERE o.send_id = sync_sends.id)',
  ).run(now, limit);
}

/** Whether a clear of this device, with a stamp or any, waits to be confirmed. */
export function isClearWaiting(db: ReadDb, namespaceId: number, hlc: number | null = null): boolean {
  return (
    db
      .prepare<[number, number | null, number | null, number, number | null, number | null], { has: number }>(
        `SELECT EXISTS (SELECT 1 FROM sync_outbox WHERE namespace_id = ? AND kind = 'clear' AND (? IS NULL OR hlc = ?))
           OR EXISTS (SELECT 1 FROM sync_sends WHERE namespace_id = ? AND bucket IS NULL AND (? IS NULL OR cleared_before = ?)) AS has`,
      )
      .get(namespaceId, hlc, hlc, namespaceId, hlc, hlc)?.has === 1
  );
}
