import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Content, Operation } from '@reverie/shared/document/register';
import type { ReadDb, WriteDb } from '../db/open-store.ts';

export interface NewOperation {
  account: AccountId;
  namespaceId: number;
  kind: 'set' | 'delete' | 'clear';
  key: string | null;
  content: Content | null;
  hlc: number;
  now: number;
}

export function insertOperation(db: WriteDb, operation: NewOperation): void {
  db.prepare<unknown[]>(
    'INSERT INTO sync_outbox (account, namespace_id, kind, key, content, hlc, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(
    operation.account,
    operation.namespaceId,
    operation.kind,
    operation.key,
    operation.content && JSON.stringify(operation.content),
    operation.hlc,
    operation.now,
  );
}

/** Forgets what was said of a deleted memory and never written; `key` null: of all of the namespace. */
export function dropUnwritten(db: WriteDb, namespaceId: number, key: string | null): void {
  if (key === null)
    db.prepare<[number]>('DELETE FROM sync_outbox WHERE namespace_id = ? AND send_id IS NULL').run(
      namespaceId,
    );
  else
    db.prepare<[number, string]>(
      "DELETE FROM sync_outbox WHERE namespace_id = ? AND send_id IS NULL AND kind = 'set' AND key = ?",
    ).run(namespaceId, key);
}

interface UnwrittenRow {
  seq: number;
  kind: 'set' | 'delete';
  key: string;
  content: string | null;
  hlc: number;
}

/** Operations that are in no document yet, the first ones. */
export function unwritten(db: ReadDb, namespaceId: number, limit: number): (Operation & { seq: number })[] {
  return db
    .prepare<[number, number], UnwrittenRow>(
      `SELECT seq, kind, key, content, hlc FROM sync_outbox
       WHERE namespace_id = ? AND send_id IS NULL AND kind <> 'clear' ORDER BY seq LIMIT ?`,
    )
    .all(namespaceId, limit)
    .map(({ seq, key, hlc, content }) =>
      content === null
        ? { kind: 'delete', seq, key, hlc }
        : { kind: 'set', seq, key, hlc, content: JSON.parse(content) as Content },
    );
}

/** Clears that have no entry yet. */
export function unwrittenClears(db: ReadDb, namespaceId: number): { seq: number; hlc: number }[] {
  return db
    .prepare<[number], { seq: number; hlc: number }>(
      `SELECT seq, hlc FROM sync_outbox WHERE namespace_id = ? AND send_id IS NULL AND kind = 'clear' ORDER BY seq`,
    )
    .all(namespaceId);
}

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

/** Keeps an entry to be sent, and says which operations it is about. */
export function insertSend(
  db: WriteDb,
  at: { account: AccountId; namespaceId: number },
  send: Omit<SendRow, 'id'> & { seqs: readonly number[] },
): void {
  const { lastInsertRowid } = db
    .prepare<unknown[]>(
      'INSERT INTO sync_sends (account, namespace_id, incarnation, n, at, bucket, body, cleared_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(
      at.account,
      at.namespaceId,
      send.incarnation,
      send.n,
      send.at,
      send.bucket,
      send.body,
      send.cleared_before,
    );
  db.prepare<[number | bigint, string]>(
    'UPDATE sync_outbox SET send_id = ? WHERE seq IN (SELECT value FROM json_each(?))',
  ).run(lastInsertRowid, JSON.stringify(send.seqs));
}

export function deleteOperations(db: WriteDb, seqs: readonly number[]): void {
  db.prepare<[string]>('DELETE FROM sync_outbox WHERE seq IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(seqs),
  );
}

/** Entries of a namespace after one, in order. */
export function sendsAfter(
  db: ReadDb,
  namespaceId: number,
  { after, limit }: { after: number; limit: number },
): SendRow[] {
  return db
    .prepare<[number, number, number], SendRow>(
      `SELECT id, incarnation, n, at, bucket, body, cleared_before FROM sync_sends
       WHERE namespace_id = ? AND id > ? ORDER BY id LIMIT ?`,
    )
    .all(namespaceId, after, limit);
}

/** The relay has an entry on its disk: it leaves the outbox with its operations. */
export function settleSend(db: WriteDb, namespaceId: number, of: { incarnation: string; n: number }): void {
  const found = db
    .prepare<[number, string, number], { id: number }>(
      'SELECT id FROM sync_sends WHERE namespace_id = ? AND incarnation = ? AND n = ?',
    )
    .get(namespaceId, of.incarnation, of.n);
  if (!found) return;
  db.prepare<[number]>('DELETE FROM sync_outbox WHERE send_id = ?').run(found.id);
  db.prepare<[number]>('DELETE FROM sync_sends WHERE id = ?').run(found.id);
}

/** Whether anything is not confirmed. */
export function hasPending(db: ReadDb): boolean {
  return (
    db
      .prepare<[], { has: number }>(
        'SELECT EXISTS (SELECT 1 FROM sync_outbox) OR EXISTS (SELECT 1 FROM sync_sends) AS has',
      )
      .get()?.has === 1
  );
}

/** What is not confirmed, by namespace. Entries without operations (documents sent anew) count as one change each. */
export function pendingByNamespace(
  db: ReadDb,
): { namespace_id: number; pending: number; oldest: number | null }[] {
  return db
    .prepare<[], { namespace_id: number; pending: number; oldest: number | null }>(
      `SELECT n.id AS namespace_id,
         (SELECT count(*) FROM sync_outbox o WHERE o.namespace_id = n.id)
         + (SELECT count(*) FROM sync_sends s WHERE s.namespace_id = n.id AND NOT EXISTS (SELECT 1 FROM sync_outbox o WHERE o.send_id = s.id)) AS pending,
         (SELECT min(created_at) FROM sync_outbox o WHERE o.namespace_id = n.id) AS oldest
       FROM sync_namespaces n`,
    )
    .all();
}

/** Sets in the outbox that are not confirmed, newest first for each key. */
export function unconfirmedSets(
  db: ReadDb,
  namespaceId: number,
): { key: string; content: string; hlc: number; created_at: number }[] {
  return db
    .prepare<[number], { key: string; content: string; hlc: number; created_at: number }>(
      `SELECT key, content, max(hlc) AS hlc, created_at FROM sync_outbox
       WHERE namespace_id = ? AND kind = 'set' GROUP BY key`,
    )
    .all(namespaceId);
}

/** Drops all that is to be sent of a namespace. */
export function dropOutbox(db: WriteDb, namespaceId: number): void {
  db.prepare<[number]>('DELETE FROM sync_outbox WHERE namespace_id = ?').run(namespaceId);
  db.prepare<[number]>('DELETE FROM sync_sends WHERE namespace_id = ?').run(namespaceId);
}
