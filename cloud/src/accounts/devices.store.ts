import type { standings } from '@reverie/shared/contract/relay/relay';
import { all, one, run, type Steps } from '../db/records.ts';

type Standing = (typeof standings)[number];

/** A device of an account. Times in ms since 1970. */
export interface Device {
  id: string;
  account: string;
  name: string;
  created_at: number;
  last_seen: number | null;
}

const COLUMNS = 'id, account, name, created_at, last_seen';

export function insertDevice(device: Omit<Device, 'last_seen'> & { keyHash: Uint8Array }): Steps<number> {
  const { id, account, name, keyHash, created_at } = device;
  return run(
    'INSERT INTO devices (id, account, name, key_hash, created_at) VALUES (?, ?, ?, ?, ?)',
    ...[id, account, name, keyHash, created_at],
  );
}

/** The device of a key; none where it is revoked. */
export function findDeviceByKey(keyHash: Uint8Array): Steps<Device | undefined> {
  return one(`SELECT ${COLUMNS} FROM devices WHERE key_hash = ? AND revoked_at IS NULL`, keyHash);
}

/** The device of a key, and when its account was disabled; none where the key is revoked, or its account was not confirmed in time. */
export function findLiveDevice(
  keyHash: Uint8Array,
  now: number,
): Steps<(Device & { disabled_at: number | null }) | undefined> {
  return one(
    `SELECT d.id, d.account, d.name, d.created_at, d.last_seen, a.disabled_at
     FROM devices d JOIN accounts a ON a.id = d.account
     WHERE d.key_hash = ? AND d.revoked_at IS NULL AND (a.confirmed_at IS NOT NULL OR a.expires_at > ?)`,
    ...[keyHash, now],
  );
}

/** How a key stands: whether its device was removed, and when (ms since 1970), or is not known, or its account ended. */
export function* findStanding(
  keyHash: Uint8Array,
  now: number,
): Steps<{ standing: Standing; at: number | null }> {
  const row = yield* one<{ revoked_at: number | null; revoked_by: string | null }>(
    'SELECT revoked_at, revoked_by FROM devices WHERE key_hash = ?',
    keyHash,
  );
  if (row && row.revoked_at !== null)
    return { standing: row.revoked_by === 'recovery' ? 'recovered' : 'removed', at: row.revoked_at };
  const isLive = (yield* findLiveDevice(keyHash, now)) !== undefined;
  return { standing: isLive ? 'linked' : 'unknown', at: null };
}

export function listDeviceRows(account: string): Steps<Device[]> {
  return all(
    `SELECT ${COLUMNS} FROM devices WHERE account = ? AND revoked_at IS NULL ORDER BY created_at, id`,
    account,
  );
}

/** Names a device; false where the account has no such one. */
export function* saveDeviceName({
  id,
  account,
  name,
}: Pick<Device, 'id' | 'account' | 'name'>): Steps<boolean> {
  const sql = 'UPDATE devices SET name = ? WHERE id = ? AND account = ? AND revoked_at IS NULL';
  return (yield* run(sql, name, id, account)) > 0;
}

/** Ends a device at a time; false where the account has no such one. */
export function* endDevice(at: { id: string; account: string; now: number }): Steps<boolean> {
  const sql = 'UPDATE devices SET revoked_at = ? WHERE id = ? AND account = ? AND revoked_at IS NULL';
  return (yield* run(sql, at.now, at.id, at.account)) > 0;
}

/** Saves when devices were last seen. */
export function* saveLastSeen(seen: ReadonlyMap<string, number>): Steps<void> {
  // Always in one order: two nodes that save the same ones do not wait for each other in a circle.
  for (const [id, at] of [...seen].sort(([a], [b]) => (a < b ? -1 : 1)))
    yield* run('UPDATE devices SET last_seen = ? WHERE id = ?', at, id);
}

/** A device that waits to be let in. */
export interface LinkRequest {
  id: string;
  account: string;
  name: string;
  number: string;
  created_at: number;
  expires_at: number;
  answer: 'approved' | 'refused' | null;
}

const REQUEST = 'id, account, name, number, created_at, expires_at, answer';

export function insertRequest(
  request: Omit<LinkRequest, 'answer'> & { secretHash: Uint8Array },
): Steps<number> {
  const { id, account, name, number, secretHash, created_at, expires_at } = request;
  return run(
    `INSERT INTO link_requests (id, account, name, number, secret_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[id, account, name, number, secretHash, created_at, expires_at],
  );
}

/** Requests that nobody answered, the oldest first. */
export function openRequests(account: string, now: number): Steps<LinkRequest[]> {
  return all(
    `SELECT ${REQUEST} FROM link_requests WHERE account = ? AND expires_at > ? AND answer IS NULL
     ORDER BY created_at, id`,
    ...[account, now],
  );
}

/** A request, for who has its secret. */
export function findRequest({
  id,
  secretHash,
  now,
}: {
  id: string;
  secretHash: Uint8Array;
  now: number;
}): Steps<LinkRequest | undefined> {
  return one(
    `SELECT ${REQUEST} FROM link_requests WHERE id = ? AND secret_hash = ? AND expires_at > ?`,
    ...[id, secretHash, now],
  );
}

/** Answers a request; false where there is none that waits. */
export function* saveAnswer(said: {
  id: string;
  account: string;
  answer: 'approved' | 'refused';
  now: number;
}): Steps<boolean> {
  const changes = yield* run(
    `UPDATE link_requests SET answer = ? WHERE id = ? AND account = ? AND answer IS NULL AND expires_at > ?`,
    ...[said.answer, said.id, said.account, said.now],
  );
  return changes > 0;
}

export function deleteRequest(id: string): Steps<number> {
  return run('DELETE FROM link_requests WHERE id = ?', id);
}

/** A pairing code that was given out. */
export interface CodeRow {
  account: string;
  secret_hash: Uint8Array;
  expires_at: number;
  wrong_tries: number;
}

/** Saves a code; false where another one that still lives has its name. */
export function* insertCode(code: {
  id: string;
  account: string;
  secretHash: Uint8Array;
  expiresAt: number;
  now: number;
}): Steps<boolean> {
  yield* run('DELETE FROM pairing_codes WHERE id = ? AND expires_at <= ?', code.id, code.now);
  const changes = yield* run(
    `INSERT INTO pairing_codes (id, account, secret_hash, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
    ...[code.id, code.account, code.secretHash, code.expiresAt],
  );
  return changes > 0;
}

export function findCode(id: string): Steps<CodeRow | undefined> {
  return one('SELECT account, secret_hash, expires_at, wrong_tries FROM pairing_codes WHERE id = ?', id);
}

export function countWrongTry(id: string): Steps<number> {
  return run('UPDATE pairing_codes SET wrong_tries = wrong_tries + 1 WHERE id = ?', id);
}

export function deleteCode(id: string): Steps<number> {
  return run('DELETE FROM pairing_codes WHERE id = ?', id);
}

/** Makes void what would let further devices in: codes, and approvals that nobody has used yet. */
export function* endWaysIn(account: string): Steps<void> {
  yield* run('DELETE FROM pairing_codes WHERE account = ?', account);
  yield* run("DELETE FROM link_requests WHERE account = ? AND answer = 'approved'", account);
}

/** Deletes codes, requests and invites whose time is over. */
export function* deleteExpired(now: number): Steps<void> {
  for (const table of ['pairing_codes', 'link_requests', 'recoveries', 'recovery_asks'])
    yield* run(`DELETE FROM ${table} WHERE expires_at <= ?`, now);
  // Who opens the link of an old invite is told that it has ended, for a while.
  yield* run('DELETE FROM invites WHERE expires_at <= ?', now - OLD_INVITES_MS);
}

const OLD_INVITES_MS = 30 * 86_400_000;
