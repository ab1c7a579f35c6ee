import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Content, Version, VersionName } from '@reverie/shared/document/register';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** A version that lost. Times in ms since 1970; `metadata` as JSON. */
export interface ConflictRow {
  id: string;
  namespace: string;
  key: string;
  value: string;
  metadata: string;
  expires_at: number | null;
  device: string;
  device_name: string | null;
  incarnation: string;
  hlc: number;
  reason: 'lost' | 'refused' | 'downgraded';
  written_at: number;
  found_at: number;
  /** What it is called in lineages, where another version had said the same before it. */
  mark?: string | null;
}

const COLUMNS =
  'id, namespace, key, value, metadata, expires_at, device, device_name, incarnation, hlc, reason, written_at, found_at';

/** Keeps a version that lost; answers false where it was known. */
export function insertConflict(db: WriteDb, account: AccountId, row: ConflictRow): boolean {
  const { changes } = db
    .prepare<unknown[]>(
      `INSERT INTO sync_conflicts (account, ${COLUMNS}, mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    )
    .run(
      account,
      row.id,
      row.namespace,
      row.key,
      row.value,
      row.metadata,
      row.expires_at,
      row.device,
      row.device_name,
      row.incarnation,
      row.hlc,
      row.reason,
      row.written_at,
      row.found_at,
      row.mark ?? null,
    );
  return changes > 0;
}

export function findConflict(db: ReadDb, account: AccountId, id: string): ConflictRow | undefined {
  return db
    .prepare<[number, string], ConflictRow>(
      `SELECT ${COLUMNS} FROM sync_conflicts WHERE account = ? AND id = ?`,
    )
    .get(account, id);
}

/** Conflicts found before a time, newest first; `namespace` null for all. */
export function listConflictRows(
  db: ReadDb,
  account: AccountId,
  page: { namespace: string | null; before: number; limit: number },
): ConflictRow[] {
  return db
    .prepare<[number, string | null, string | null, number, number], ConflictRow>(
      `SELECT ${COLUMNS} FROM sync_conflicts WHERE account = ? AND (? IS NULL OR namespace = ?) AND found_at < ?
       ORDER BY found_at DESC, id DESC LIMIT ?`,
    )
    .all(account, page.namespace, page.namespace, page.before, page.limit);
}

export function countConflicts(db: ReadDb, account: AccountId, namespace: string | null): number {
  return (
    db
      .prepare<[number, string | null, string | null], { count: number }>(
        'SELECT count(*) AS count FROM sync_conflicts WHERE account = ? AND (? IS NULL OR namespace = ?)',
      )
      .get(account, namespace, namespace)?.count ?? 0
  );
}

/** How many versions that lost are open of those that others decide about, for this account may only read their namespace. */
export function countOfOthers(db: ReadDb, account: AccountId): number {
  return (
    db
      .prepare<[number], { count: number }>(
        `SELECT count(*) AS count FROM sync_conflicts c JOIN sync_namespaces n ON n.account = c.account AND n.name = c.namespace
         WHERE c.account = ? AND c.reason = 'lost' AND n.role = 'viewer'`,
      )
      .get(account)?.count ?? 0
  );
}

export function deleteConflict(db: WriteDb, account: AccountId, id: string): boolean {
  return (
    db.prepare<[number, string]>('DELETE FROM sync_conflicts WHERE account = ? AND id = ?').run(account, id)
      .changes > 0
  );
}

/**
 * Drops the versions that were kept because this account may only read a namespace now, where the memory says the same, or the room had said
 * what was written before `knownUntil`, and says something newer.
 */
export function dropNeedless(
  db: WriteDb,
  account: AccountId,
  { namespace, knownUntil }: { namespace: string; knownUntil: number },
): void {
  db.prepare<unknown[]>(
    `DELETE FROM sync_conflicts WHERE account = ? AND namespace = ? AND reason = 'downgraded' AND EXISTS (
       SELECT 1 FROM memories m JOIN namespaces n ON n.id = m.namespace_id
       WHERE m.account = sync_conflicts.account AND n.account = m.account AND n.name = sync_conflicts.namespace
         AND m.key = sync_conflicts.key AND (sync_conflicts.written_at < ? AND sync_conflicts.found_at >= ? OR m.value = sync_conflicts.value
         AND m.metadata = sync_conflicts.metadata AND m.expires_at IS sync_conflicts.expires_at))`,
  ).run(account, namespace, knownUntil, knownUntil);
}

/**
 * Drops the conflicts of a deleted memory, or with `key` null of the whole namespace. `upTo`: only those stamped until then. `isTold`: only
 * versions that other devices knew, since they cannot have meant one that never left this device.
 */
export function dropConflicts(
  db: WriteDb,
  account: AccountId,
  at: { namespace: string; key: string | null; upTo?: number; isTold?: boolean },
): void {
  const { namespace, key, upTo = Number.MAX_SAFE_INTEGER, isTold = false } = at;
  const [ofKey, ...keys] = key === null ? [''] : ['AND key = ?', key];
  db.prepare<unknown[]>(
    `DELETE FROM sync_conflicts WHERE account = ? AND namespace = ? ${ofKey} AND hlc <= ? AND (? = 0 OR reason = 'lost')`,
  ).run(account, namespace, ...keys, upTo, isTold ? 1 : 0);
}

/** Drops the versions that lost, or were put aside where one may only read, and say what stands: there is nothing to decide between. */
export function dropSaid(
  db: WriteDb,
  account: AccountId,
  { namespace, key, content }: { namespace: string; key: string; content: Content },
): void {
  db.prepare<unknown[]>(
    `DELETE FROM sync_conflicts
     WHERE account = ? AND namespace = ? AND key = ? AND value = ? AND metadata = ? AND expires_at IS ? AND reason IN ('lost', 'downgraded')`,
  ).run(account, namespace, key, content.value, content.metadata, content.expires_at);
}

/** Moves the versions that lost along with their memory to another address. */
export function moveConflicts(
  db: WriteDb,
  account: AccountId,
  { from, to }: Record<'from' | 'to', { namespace: string; key: string }>,
): void {
  db.prepare<unknown[]>(
    'UPDATE OR REPLACE sync_conflicts SET namespace = ?, key = ? WHERE account = ? AND namespace = ? AND key = ?',
  ).run(to.namespace, to.key, account, from.namespace, from.key);
}

/** Drops a version that lost, under whatever key it is here by now: somebody decided about it. */
export function dropSettled(
  db: WriteDb,
  account: AccountId,
  { namespace, device, incarnation, hlc }: VersionName & { namespace: string },
): void {
  db.prepare<unknown[]>(
    `DELETE FROM sync_conflicts WHERE account = ? AND namespace = ? AND device = ? AND incarnation = ? AND hlc = ? AND reason = 'lost'`,
  ).run(account, namespace, device, incarnation, hlc);
}

type LostVersion = VersionName & Pick<ConflictRow, 'written_at' | 'mark'>;

/** The versions that lost against what stands at a key, by their names, and when each was written. */
export function lostAt(
  db: ReadDb,
  account: AccountId,
  { namespace, key }: { namespace: string; key: string },
): LostVersion[] {
  return db
    .prepare<[number, string, string], LostVersion>(
      `SELECT device, incarnation, hlc, written_at, mark FROM sync_conflicts WHERE account = ? AND namespace = ? AND key = ? AND reason = 'lost'`,
    )
    .all(account, namespace, key);
}

/** Drops one version that lost. */
export function dropVersion(
  db: WriteDb,
  account: AccountId,
  { namespace, key, device, incarnation, hlc }: Omit<Version, 'content'> & { namespace: string },
): void {
  db.prepare<unknown[]>(
    `DELETE FROM sync_conflicts WHERE account = ? AND namespace = ? AND key = ? AND device = ? AND incarnation = ? AND hlc = ?`,
  ).run(account, namespace, key, device, incarnation, hlc);
}

const STRAY = `reason = 'lost' AND NOT EXISTS (
  SELECT 1 FROM namespaces n JOIN memories m ON m.account = n.account AND m.namespace_id = n.id AND m.key = sync_conflicts.key
  WHERE n.account = sync_conflicts.account AND n.name = sync_conflicts.namespace) AND NOT EXISTS (
  SELECT 1 FROM memory_trash t WHERE t.account = sync_conflicts.account AND t.namespace = sync_conflicts.namespace AND t.key = sync_conflicts.key)`;

/** Whether versions that lost are kept of a memory that is not there any more: earlier programs left them. */
export function hasStray(db: ReadDb): boolean {
  return db.prepare<[]>(`SELECT 1 FROM sync_conflicts WHERE ${STRAY} LIMIT 1`).get() !== undefined;
}

/** Drops the versions that lost of memories that are not there any more. */
export function dropStray(db: WriteDb): void {
  db.prepare<[]>(`DELETE FROM sync_conflicts WHERE ${STRAY}`).run();
}
