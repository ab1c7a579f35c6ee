import { CHANNEL } from '../db/postgres/session.ts';
import type { Steps } from '../db/records.ts';

/** The numbers of a room by which a node notices what others changed; they only grow, until the room is gone. */
export interface RoomMarks {
  room: string;
  head: number | null;
  epoch: number | null;
  offered: number | null;
  /** Null where the room is gone. */
  version: number | null;
}

/** A statement of Postgres, whose lists stand for themselves. */
function* rowsOf<R>(sql: string, ...values: (string | number | readonly (string | number)[])[]): Steps<R[]> {
  return (yield { sql, values: values as never }).rows as R[];
}

export function findMarks(rooms: readonly string[]): Steps<RoomMarks[]> {
  return rowsOf(
    `SELECT t.room, l.head, l.epoch, l.offered, r.version FROM unnest(?::text[]) AS t (room)
     LEFT JOIN log_rooms l ON l.room = t.room LEFT JOIN rooms r ON r.id = t.room`,
    rooms,
  );
}

/** The number of an account by which a node notices what others changed. */
export interface AccountMark {
  account: string;
  version: number;
  /** Whether it changed lately, by the clock of the database. */
  recent: boolean;
}

/** Longer than a node goes on without a look, and than a change may take until it can be seen. */
const LATELY = '1 minute';

export function findVersions(accounts: readonly string[]): Steps<AccountMark[]> {
  return rowsOf(
    `SELECT id AS account, version, changed_at > now() - interval '${LATELY}' AS recent
     FROM accounts WHERE id = ANY(?::text[])`,
    accounts,
  );
}

/** Those of some devices that may not be connected: shut out, or of an account that is over, gone or disabled. */
export function findShutOut(
  devices: readonly string[],
  now: number,
): Steps<{ id: string; disabled: boolean }[]> {
  return rowsOf(
    `SELECT t.id, a.disabled_at IS NOT NULL AND d.revoked_at IS NULL AS disabled
     FROM unnest(?::text[]) AS t (id) LEFT JOIN devices d ON d.id = t.id LEFT JOIN accounts a ON a.id = d.account
     WHERE a.id IS NULL OR d.revoked_at IS NOT NULL OR a.disabled_at IS NOT NULL
       OR (a.confirmed_at IS NULL AND a.expires_at <= ?)`,
    devices,
    now,
  );
}

/** What every node has to know of the database at each look. */
export function* findStanding(): Steps<{ logId: string; needs: number }> {
  const rows = yield* rowsOf<{ name: string; value: string }>(
    "SELECT name, value FROM meta WHERE name IN ('log', 'needs')",
  );
  const read = (name: string) => rows.find((row) => row.name === name)?.value ?? '';
  return { logId: read('log'), needs: Number(read('needs')) };
}

/** This node as the others see it. */
export interface RelayNodeRow {
  id: string;
  address: string;
  version: number;
}

/** Notes that a node is alive for some seconds from now; answers the names of the leases that it holds. */
export function* saveNode({ id, address, version }: RelayNodeRow, seconds: number): Steps<string[]> {
  yield* rowsOf(
    `INSERT INTO nodes (id, address, version, until) VALUES (?, ?, ?, now() + make_interval(secs => ?))
     ON CONFLICT (id) DO UPDATE SET address = excluded.address, until = excluded.until`,
    ...[id, address, version, seconds],
  );
  const rows = yield* rowsOf<{ name: string }>('SELECT name FROM leases WHERE node = ?', id);
  return rows.map(({ name }) => name);
}

export function* deleteNode(id: string): Steps<void> {
  yield* rowsOf('DELETE FROM online WHERE node = ?', id);
  yield* rowsOf('DELETE FROM nodes WHERE id = ?', id);
}

/** Forgets nodes that were not heard of for a minute, and windows that are over. */
export function* deleteForgotten(
  now: number,
  countings: readonly { name: string; windowMs: number }[],
): Steps<void> {
  yield* rowsOf("DELETE FROM nodes WHERE until < now() - interval '1 minute'");
  yield* rowsOf('DELETE FROM online o WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = o.node)');
  for (const { name, windowMs } of countings)
    yield* rowsOf('DELETE FROM counted WHERE bucket = ? AND since < ?', name, now - windowMs);
}

/** Takes a lease unless a node that lives has it; answers who has it then. */
export function* takeLease(name: string, node: string): Steps<{ node: string; address: string } | undefined> {
  yield* rowsOf(
    `INSERT INTO leases (name, node) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET node = excluded.node
     WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = leases.node AND n.until > now())`,
    ...[name, node],
  );
  const rows = yield* rowsOf<{ node: string; address: string }>(
    'SELECT l.node, n.address FROM leases l JOIN nodes n ON n.id = l.node WHERE l.name = ?',
    name,
  );
  return rows[0];
}

export function* endLease(name: string, node: string): Steps<void> {
  yield* rowsOf('DELETE FROM leases WHERE name = ? AND node = ?', name, node);
}

/** Within a transaction: whether a node has a lease, and keeps it until the transaction ends. */
export function* hasLease(name: string, node: string): Steps<boolean> {
  const rows = yield* rowsOf('SELECT name FROM leases WHERE name = ? AND node = ? FOR SHARE', name, node);
  return rows.length > 0;
}

export function* findOnline(devices: readonly string[]): Steps<string[]> {
  const rows = yield* rowsOf<{ device: string }>(
    `SELECT o.device FROM online o JOIN nodes n ON n.id = o.node
     WHERE o.device = ANY(?::text[]) AND n.until > now()`,
    devices,
  );
  return rows.map(({ device }) => device);
}

export function* saveOnline(
  node: string,
  { come, gone }: { come: readonly string[]; gone: readonly string[] },
): Steps<void> {
  if (come.length > 0)
    yield* rowsOf(
      `INSERT INTO online (device, node) SELECT device, ? FROM unnest(?::text[]) AS t (device)
       ON CONFLICT (device, node) DO NOTHING`,
      ...[node, come],
    );
  if (gone.length > 0)
    yield* rowsOf('DELETE FROM online WHERE node = ? AND device = ANY(?::text[])', node, gone);
}

/** Adds what a node counted to what all have counted in their windows; answers the sums. */
export function countTogether(
  bucket: string,
  counted: readonly { address: string; since: number; more: number }[],
  windowMs: number,
): Steps<{ address: string; used: number }[]> {
  const sorted = [...counted].sort((a, b) => (a.address < b.address ? -1 : 1));
  return rowsOf(
    `INSERT INTO counted AS c (bucket, address, since, used)
     SELECT ?, t.address, t.since, t.more FROM unnest(?::text[], ?::bigint[], ?::bigint[]) AS t (address, since, more)
     ON CONFLICT (bucket, address) DO UPDATE SET
       used = CASE WHEN c.since + ? > excluded.since THEN c.used + excluded.used ELSE excluded.used END,
       since = CASE WHEN c.since + ? > excluded.since THEN c.since ELSE excluded.since END
     RETURNING c.address, c.used`,
    bucket,
    sorted.map(({ address }) => address),
    sorted.map(({ since }) => since),
    sorted.map(({ more }) => more),
    ...[windowMs, windowMs],
  );
}

/** Says hints to all nodes, when the transaction ends. */
export function* sayAll(payloads: readonly string[]): Steps<void> {
  for (const payload of payloads) yield* rowsOf('SELECT pg_notify(?, ?)', CHANNEL, payload);
}
