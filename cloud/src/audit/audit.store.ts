import type { AuditKind } from '@reverie/shared/contract/relay/relay-operator';
import type { Role } from '@reverie/shared/protocol/messages';
import { all, one, run, type Steps } from '../db/records.ts';

/** A row of the audit log. Times in ms since 1970. */
export interface AuditRow {
  id: number;
  at: number;
  kind: AuditKind;
  by_account: string | null;
  by_device: string | null;
  by_operator: string | null;
  account: string | null;
  device: string | null;
  room: string | null;
  subject: string | null;
  role: Role | null;
  /** Of a caller who was refused. */
  address: string | null;
  /** How often it happened; `at` is the last time. */
  times: number;
}

const VALUES =
  'at, kind, by_account, by_device, by_operator, account, device, room, subject, role, address, times';

export function insertAudit(row: Omit<AuditRow, 'id'>): Steps<number> {
  return run(
    `INSERT INTO audit (${VALUES}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[row.at, row.kind, row.by_account, row.by_device, row.by_operator, row.account],
    ...[row.device, row.room, row.subject, row.role, row.address, row.times],
  );
}

/** How many rows an account's acts have since a time; it counts no further than `most`. */
export function* countRecent(account: string, at: { since: number; most: number }): Steps<number> {
  const row = yield* one<{ count: number }>(
    'SELECT count(*) AS count FROM (SELECT 1 FROM audit WHERE by_account = ? AND at > ? LIMIT ?) AS recent',
    ...[account, at.since, at.most],
  );
  return row?.count ?? 0;
}

/** Counts an act in an account's last row of its kind since a time; false where there is none. */
export function* repeatAudit(
  account: string,
  { kind, at, since }: { kind: AuditKind; at: number; since: number },
): Steps<boolean> {
  const changes = yield* run(
    `UPDATE audit SET times = times + 1, at = ? WHERE id =
       (SELECT max(id) FROM audit WHERE by_account = ? AND at > ? AND kind = ?)`,
    ...[at, account, since, kind],
  );
  return changes > 0;
}

/** Adds to the row of an address's refusals since a time; false where there is none. */
export function* repeatRefusals(
  address: string,
  said: { kind: AuditKind; times: number; at: number; since: number },
): Steps<boolean> {
  const changes = yield* run(
    `UPDATE audit SET times = times + ?, at = ? WHERE id =
       (SELECT max(id) FROM audit WHERE address = ? AND at > ? AND kind = ?)`,
    ...[said.times, said.at, address, said.since, said.kind],
  );
  return changes > 0;
}

/** How many rows of refusals there are since a time. */
export function* countRefusals(since: number): Steps<number> {
  const row = yield* one<{ count: number }>(
    'SELECT count(*) AS count FROM audit WHERE at > ? AND address IS NOT NULL',
    since,
  );
  return row?.count ?? 0;
}

/** Deletes what is older than a time. */
export function deleteAudit(before: number): Steps<number> {
  return run('DELETE FROM audit WHERE at < ?', before);
}

export interface AuditWanted {
  limit: number;
  /** Rows before the one of this id. */
  before?: number | undefined;
  /** What this account did, or what was done about it. */
  account?: string | undefined;
  room?: string | undefined;
  kind?: AuditKind | undefined;
}

/** A row with the addresses of its accounts, as far as they are still there. */
export interface ListedAudit extends AuditRow {
  by_email: string | null;
  email: string | null;
}

/** Rows of the log, the newest first. */
export function listAudit({ limit, before, account, room, kind }: AuditWanted): Steps<ListedAudit[]> {
  const conditions: [sql: string, values: (string | number)[]][] = [];
  if (before !== undefined) conditions.push(['t.id < ?', [before]]);
  if (account !== undefined) conditions.push(['(t.by_account = ? OR t.account = ?)', [account, account]]);
  if (room !== undefined) conditions.push(['t.room = ?', [room]]);
  if (kind !== undefined) conditions.push(['t.kind = ?', [kind]]);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
  return all(
    `SELECT t.id, t.at, t.kind, t.by_account, t.by_device, t.by_operator, t.account, t.device, t.room, t.subject,
       t.role, t.address, t.times, b.email AS by_email, a.email
     FROM audit t LEFT JOIN accounts b ON b.id = t.by_account LEFT JOIN accounts a ON a.id = t.account
     ${where} ORDER BY t.id DESC LIMIT ?`,
    ...conditions.flatMap(([, values]) => values),
    limit,
  );
}
