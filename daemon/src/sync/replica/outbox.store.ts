import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Content, Operation, VersionName } from '@reverie/shared/document/register';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import type { SyncedRow } from '../namespaces/namespaces.store.ts';

/** What is kept of the write of a memory. */
type Told = Content & Pick<Extract<Operation, { kind: 'set' }>, 'joins' | 'before'>;

export interface NewOperation {
  account: AccountId;
  namespaceId: number;
  kind: 'set' | 'delete' | 'clear' | 'settle';
  key: string | null;
  /** What a memory says, and what it joins; of `settle` the version that was decided about, and of `delete` the only one that goes, or what it was written over. */
  content: Told | VersionName | { before: number } | null;
  hlc: number;
  now: number;
  /** The memory was here before its namespace was synced. */
  isFirst?: boolean;
}

/** What an operation says besides its key and its stamp, as the outbox keeps it. */
export function toldIn(operation: Without<Operation, 'hlc'>): NewOperation['content'] {
  switch (operation.kind) {
    case 'set':
      return { ...operation.content, joins: operation.joins, before: operation.before };
    case 'settle':
      return operation.settles;
    case 'delete':
      return operation.only ?? (operation.before === undefined ? null : { before: operation.before });
  }
}

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export function insertOperation(db: WriteDb, operation: NewOperation): void {
  db.prepare<unknown[]>(
    'INSERT INTO sync_outbox (account, namespace_id, kind, key, content, hlc, created_at, is_first) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    operation.account,
    operation.namespaceId,
    operation.kind,
    operation.key,
    operation.content && JSON.stringify(operation.content),
    operation.hlc,
    operation.now,
    operation.isFirst ? 1 : 0,
  );
}

/**
 * Forgets what the outbox says of a deleted memory, also under its earlier keys: operations that are in no entry are removed, the others
 * lose their content. `key` null: of the whole namespace.
 */
export function dropSaid(db: WriteDb, namespaceId: number, key: string | null): void {
  const of =
    "namespace_id = @namespaceId AND kind = 'set' AND (@key IS NULL OR key = @key) AND seq < @before";
  const drop = (at: { namespaceId: number; key: string | null; before: number }): void => {
    const renamed = at.key === null ? undefined : findRenaming(db, { ...at, key: at.key });
    db.prepare<[typeof at]>(`DELETE FROM sync_outbox WHERE send_id IS NULL AND ${of}`).run(at);
    db.prepare<[typeof at]>(`UPDATE sync_outbox SET content = NULL WHERE send_id IS NOT NULL AND ${of}`).run(
      at,
    );
    if (!renamed) return;
    // What it was called is gone whatever stood there, for what it was renamed over is not said any more.
    db.prepare<[number, string, number]>(
      `UPDATE sync_outbox SET content = NULL WHERE send_id IS NULL AND namespace_id = ? AND kind = 'delete' AND key = ? AND seq > ?`,
    ).run(namespaceId, renamed.was, renamed.seq);
    // What was said later under the old key is of another memory.
    drop({ namespaceId, key: renamed.was, before: renamed.seq });
  };
  drop({ namespaceId, key, before: Number.MAX_SAFE_INTEGER });
  if (key === null)
    db.prepare<[number]>(
      "DELETE FROM sync_outbox WHERE send_id IS NULL AND namespace_id = ? AND kind = 'delete'",
    ).run(namespaceId);
}

/** Where a memory got this key, and the one that it had until then. */
function findRenaming(
  db: ReadDb,
  at: { namespaceId: number; key: string; before: number },
): { seq: number; was: string } | undefined {
  return db
    .prepare<[typeof at], { seq: number; was: string }>(
      `SELECT seq, content ->> 'was' AS was FROM sync_outbox
       WHERE namespace_id = @namespaceId AND kind = 'set' AND key = @key AND seq < @before AND content ->> 'was' IS NOT NULL
       ORDER BY seq DESC LIMIT 1`,
    )
    .get(at);
}

interface UnwrittenRow {
  seq: number;
  kind: 'set' | 'delete' | 'settle';
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
    .map(({ seq, kind, key, hlc, content }) => {
      if (content === null) return { kind: 'delete', seq, key, hlc };
      if (kind === 'settle') return { kind, seq, key, hlc, settles: JSON.parse(content) as VersionName };
      if (kind === 'delete') {
        const only = JSON.parse(content) as VersionName | { before: number };
        return 'before' in only ? { kind, seq, key, hlc, ...only } : { kind, seq, key, hlc, only };
      }
      const { joins, before, ...said } = JSON.parse(content) as Told;
      return { kind: 'set', seq, key, hlc, content: said, joins, before };
    });
}

/** Clears that have no entry yet. */
export function unwrittenClears(db: ReadDb, namespaceId: number): { seq: number; hlc: number }[] {
  return db
    .prepare<[number], { seq: number; hlc: number }>(
      `SELECT seq, hlc FROM sync_outbox WHERE namespace_id = ? AND send_id IS NULL AND kind = 'clear' ORDER BY seq`,
    )
    .all(namespaceId);
}

export function deleteOperations(db: WriteDb, seqs: readonly number[]): void {
  db.prepare<[string]>('DELETE FROM sync_outbox WHERE seq IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(seqs),
  );
}

/** An operation that is not confirmed, with its stamp but without its content. */
export interface StampedRow {
  seq: number;
  namespace_id: number;
  kind: NewOperation['kind'];
  key: string | null;
  hlc: number;
  send_id: number | null;
}

/** Operations that are stamped after `limit`, or belong to the entry `sendId`, in order. */
export function operationsAhead(
  db: ReadDb,
  { limit, sendId }: { limit: number; sendId: number | null },
): StampedRow[] {
  return db
    .prepare<[number, number | null], StampedRow>(
      'SELECT seq, namespace_id, kind, key, hlc, send_id FROM sync_outbox WHERE hlc > ? OR send_id = ? ORDER BY seq',
    )
    .all(limit, sendId);
}

/** The newest stamp of the operations that `operationsAhead` leaves out; 0 where there are none. */
export function newestStampBelow(
  db: ReadDb,
  { limit, sendId }: { limit: number; sendId: number | null },
): number {
  return (
    db
      .prepare<[number, number | null], { hlc: number | null }>(
        'SELECT max(hlc) AS hlc FROM sync_outbox WHERE hlc <= ? AND send_id IS NOT ?',
      )
      .get(limit, sendId)?.hlc ?? 0
  );
}

export function saveStamp(db: WriteDb, seq: number, hlc: number): void {
  db.prepare<[number, number]>('UPDATE sync_outbox SET hlc = ? WHERE seq = ?').run(hlc, seq);
}

/** Takes an operation out of its entry, so that it is made into one anew. */
export function unwrite(db: WriteDb, seq: number): void {
  db.prepare<[number]>('UPDATE sync_outbox SET send_id = NULL WHERE seq = ?').run(seq);
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

/** When the oldest of what the relay has not confirmed was written or put away, ms since 1970; undefined where that is not known. */
function oldestUnsent(db: ReadDb, namespaceId: number): number | undefined {
  const found = db
    .prepare<[number], { oldest: number | null }>(
      `SELECT min(min(created_at, coalesce(
         max(content ->> 'updated_at', coalesce(content ->> 'trashed', 0), coalesce(content ->> 'archived', 0)), created_at))) AS oldest
       FROM sync_outbox WHERE namespace_id = ?`,
    )
    .get(namespaceId);
  return found?.oldest ?? undefined;
}

/** How many changes of a namespace its room has not confirmed, and until when it has said all that was here, ms since 1970; 0 where that is not known. */
export function heldByRoom(
  db: ReadDb,
  { id, role, upload_done, upload_total, rebuild, known_until }: SyncedRow,
  now: number,
): { unsent: number; known_until: number } {
  const waiting = pendingByNamespace(db).find(({ namespace_id }) => namespace_id === id)?.pending ?? 0;
  const unsent = waiting + upload_total - upload_done;
  // Who may only read has said nothing, and keeps a copy of what was not said before.
  const isRead = rebuild === 0 || (role === 'viewer' && waiting === 0 && known_until === 0);
  // What its room says was not read to its end yet, or what is here not told: it is as it was.
  if (!isRead || upload_done < upload_total) return { unsent, known_until };
  return { unsent, known_until: waiting === 0 ? now : (oldestUnsent(db, id) ?? 0) };
}

/** How many memories of a first upload are in the outbox, by namespace. */
export function firstUnconfirmed(db: ReadDb): Map<number, number> {
  const rows = db
    .prepare<[], { id: number; count: number }>(
      'SELECT namespace_id AS id, count(*) AS count FROM sync_outbox WHERE is_first = 1 GROUP BY namespace_id',
    )
    .all();
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Sets in the outbox that are not confirmed, newest first for each key. */
export function unconfirmedSets(
  db: ReadDb,
  namespaceId: number,
): { key: string; content: string; hlc: number; created_at: number }[] {
  return db
    .prepare<[number], { key: string; content: string; hlc: number; created_at: number }>(
      `SELECT key, content, max(hlc) AS hlc, created_at FROM sync_outbox
       WHERE namespace_id = ? AND kind = 'set' AND content IS NOT NULL GROUP BY key`,
    )
    .all(namespaceId);
}

/** Drops all that is to be sent of a namespace. */
export function dropOutbox(db: WriteDb, namespaceId: number): void {
  db.prepare<[number]>('DELETE FROM sync_outbox WHERE namespace_id = ?').run(namespaceId);
  db.prepare<[number]>('DELETE FROM sync_sends WHERE namespace_id = ?').run(namespaceId);
}
