import { all, one, run, type Steps } from '../db/records.ts';
import { ROW_BYTES } from '../files/files.store.ts';

/** An account as who runs the relay sees it. Times in ms since 1970. */
export interface AccountRow {
  id: string;
  email: string;
  created_at: number;
  expires_at: number;
  confirmed_at: number | null;
  disabled_at: number | null;
  last_seen: number | null;
  devices: number;
  memberships: number;
}

const ACCOUNT = `a.id, a.email, a.created_at, a.expires_at, a.confirmed_at, a.disabled_at,
  (SELECT max(d.last_seen) FROM devices d WHERE d.account = a.id) AS last_seen,
  (SELECT count(*) FROM devices d WHERE d.account = a.id AND d.revoked_at IS NULL) AS devices,
  (SELECT count(*) FROM members m JOIN rooms r ON r.id = m.room WHERE m.account = a.id AND r.owner <> a.id) AS memberships`;

export function listAccountRows(): Steps<AccountRow[]> {
  return all(`SELECT ${ACCOUNT} FROM accounts a ORDER BY a.email, a.created_at, a.id`);
}

export function findAccountRow(id: string): Steps<AccountRow | undefined> {
  return one(`SELECT ${ACCOUNT} FROM accounts a WHERE a.id = ?`, id);
}

/** The ids of the accounts of an address: several where it signed up again before it was confirmed. */
export function* accountsByEmail(email: string): Steps<string[]> {
  const sql = 'SELECT id FROM accounts WHERE email = ? ORDER BY confirmed_at IS NULL, created_at, id';
  return (yield* all<{ id: string }>(sql, email)).map(({ id }) => id);
}

/** Disables an account from a time on, or enables it (null); false where it was so already. */
export function* saveDisabled(id: string, at: number | null): Steps<boolean> {
  const sql =
    at === null
      ? 'UPDATE accounts SET disabled_at = NULL WHERE id = ? AND disabled_at IS NOT NULL'
      : 'UPDATE accounts SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL';
  return (yield* at === null ? run(sql, id) : run(sql, at, id)) > 0;
}

/** A room, and what it takes; its bytes as they count against its owner's space. */
export interface RoomSizeRow {
  id: string;
  owner: string;
  owner_email: string;
  members: number;
  created_at: number;
  head: number;
  epoch: number;
  log_bytes: number;
  file_bytes: number;
  document_bytes: number;
}

/** All rooms, or those of an owner, the largest last. */
export function listRoomSizes(owner?: string): Steps<RoomSizeRow[]> {
  return all(
    `SELECT r.id, r.owner, a.email AS owner_email, r.created_at,
       coalesce(l.head, 0) AS head, coalesce(l.epoch, 0) AS epoch, coalesce(l.bytes, 0) AS log_bytes,
       (SELECT count(*) FROM members m WHERE m.room = r.id) AS members,
       (SELECT coalesce(sum(b.size), 0) FROM room_blobs b WHERE b.room = r.id) +
         (SELECT coalesce(sum(octet_length(f.path) + ${ROW_BYTES}), 0) FROM room_files f WHERE f.room = r.id) AS file_bytes,
       (SELECT coalesce(sum(length(n.body)), 0) FROM note_updates n WHERE n.room = r.id) AS document_bytes
     FROM rooms r JOIN accounts a ON a.id = r.owner LEFT JOIN log_rooms l ON l.room = r.id
     ${owner === undefined ? '' : 'WHERE r.owner = ?'} ORDER BY r.created_at, r.id`,
    ...(owner === undefined ? [] : [owner]),
  );
}

/** Every device that an account has had. */
export interface DeviceRow {
  id: string;
  name: string;
  created_at: number;
  last_seen: number | null;
  revoked_at: number | null;
}

export function listAllDevices(account: string): Steps<DeviceRow[]> {
  return all(
    `SELECT id, name, created_at, last_seen, revoked_at FROM devices WHERE account = ? ORDER BY created_at, id`,
    account,
  );
}

/** Rooms of others that an account is in. */
export function listMemberships(
  account: string,
): Steps<{ room: string; owner_email: string; role: string }[]> {
  return all(
    `SELECT m.room, a.email AS owner_email, m.role FROM members m JOIN rooms r ON r.id = m.room
     JOIN accounts a ON a.id = r.owner WHERE m.account = ? AND r.owner <> ? ORDER BY m.joined_at, m.room`,
    account,
    account,
  );
}

/** People who are in rooms that an account owns, and are not the account itself. */
export function* listGuests(owner: string): Steps<string[]> {
  const rows = yield* all<{ email: string }>(
    `SELECT DISTINCT a.email FROM members m JOIN rooms r ON r.id = m.room JOIN accounts a ON a.id = m.account
     WHERE r.owner = ? AND m.account <> ? ORDER BY a.email`,
    owner,
    owner,
  );
  return rows.map(({ email }) => email);
}
