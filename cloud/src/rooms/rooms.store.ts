import type { Role } from '@reverie/shared/protocol/messages';
import { all, one, run, type Steps } from '../db/records.ts';

/** A room as one member sees it. */
export interface RoomRow {
  id: string;
  owner: string;
  owner_email: string | null;
  name: string;
  role: Role;
  members: number;
  created_at: number;
  /** How often the files that its notes name changed. */
  files: number;
}

const SEEN = `r.id, r.owner, m.name, m.role, r.created_at, r.files,
  (SELECT a.email FROM accounts a WHERE a.id = r.owner) AS owner_email,
  (SELECT count(*) FROM members o WHERE o.room = r.id) AS members`;

export function listRoomRows(account: string): Steps<RoomRow[]> {
  return all(
    `SELECT ${SEEN} FROM members m JOIN rooms r ON r.id = m.room WHERE m.account = ? ORDER BY m.name`,
    account,
  );
}

export function findRoom(room: string, account: string): Steps<RoomRow | undefined> {
  return one(
    `SELECT ${SEEN} FROM members m JOIN rooms r ON r.id = m.room WHERE m.room = ? AND m.account = ?`,
    room,
    account,
  );
}

export function findRoomByName(account: string, name: string): Steps<RoomRow | undefined> {
  return one(
    `SELECT ${SEEN} FROM members m JOIN rooms r ON r.id = m.room WHERE m.account = ? AND m.name = ?`,
    account,
    name,
  );
}

/** How many rooms an account is in. */
export function* countRooms(account: string): Steps<number> {
  const sql = 'SELECT count(*) AS count FROM members WHERE account = ?';
  return (yield* one<{ count: number }>(sql, account))?.count ?? 0;
}

export function* insertRoom(room: { id: string; owner: string; name: string; now: number }): Steps<void> {
  const { id, owner, name, now } = room;
  yield* run('INSERT INTO rooms (id, owner, created_at) VALUES (?, ?, ?)', id, owner, now);
  yield* saveMember({ room: id, account: owner, name, role: 'owner', now });
}

/** Makes a member, or gives one that is there another role; their name for the room, and what they may read, stay, and an owner stays its owner. */
export function saveMember(member: {
  room: string;
  account: string;
  name: string;
  role: Role;
  now: number;
  /** The entry of the room's log behind which it may read; 0 for all. */
  since?: number;
}): Steps<number> {
  return run(
    `INSERT INTO members (room, account, name, role, joined_at, since) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (room, account) DO UPDATE SET role = excluded.role WHERE members.role <> 'owner'`,
    ...[member.room, member.account, member.name, member.role, member.now, member.since ?? 0],
  );
}

export function deleteMember(room: string, account: string): Steps<number> {
  return run('DELETE FROM members WHERE room = ? AND account = ?', room, account);
}

/** Gives a member a role, also that of the owner; answers how many rows it changed. */
export function saveRole(room: string, account: string, role: Role): Steps<number> {
  return run('UPDATE members SET role = ? WHERE room = ? AND account = ?', role, room, account);
}

/** Makes an account the owner of a room, whose space it takes from then on; `by`: who handed it over, `now` in ms since 1970. */
export function saveOwner(
  room: string,
  { to, by, now }: { to: string; by: string; now: number },
): Steps<number> {
  return run('UPDATE rooms SET owner = ?, handed_by = ?, handed_at = ? WHERE id = ?', to, by, now, room);
}

/** The rooms that were handed over to an account since a time (ms since 1970), and by whom; null where that account is gone. */
export function handedOver(
  account: string,
  since: number,
): Steps<{ room: string; email: string | null; at: number }[]> {
  return all(
    `SELECT r.id AS room, a.email, r.handed_at AS at FROM rooms r LEFT JOIN accounts a ON a.id = r.handed_by
     WHERE r.owner = ? AND r.handed_at > ? ORDER BY r.handed_at, r.id`,
    account,
    since,
  );
}

export interface MemberRow {
  account: string;
  email: string;
  role: Role;
  joined_at: number;
}

export function listMemberRows(room: string): Steps<MemberRow[]> {
  return all(
    `SELECT m.account, a.email, m.role, m.joined_at FROM members m JOIN accounts a ON a.id = m.account
     WHERE m.room = ? ORDER BY m.joined_at, m.account`,
    room,
  );
}

/** The other accounts that are in a room with one. */
export function* fellowsOf(account: string): Steps<string[]> {
  const rows = yield* all<{ account: string }>(
    `SELECT DISTINCT o.account FROM members m JOIN members o ON o.room = m.room
     WHERE m.account = ? AND o.account <> m.account ORDER BY o.account`,
    account,
  );
  return rows.map((row) => row.account);
}

/** The devices of an account and of those that are in a room with it, removed ones included. */
export function peopleBeside(
  account: string,
): Steps<{ id: string; name: string; account: string; email: string }[]> {
  return all(
    `SELECT d.id, d.name, d.account, a.email FROM devices d JOIN accounts a ON a.id = d.account
     WHERE d.account = ? OR d.account IN (SELECT o.account FROM members m JOIN members o ON o.room = m.room WHERE m.account = ?)
     ORDER BY d.account, d.created_at, d.id`,
    account,
    account,
  );
}

/** Those of them whose devices were replaced by recovery since a time (ms since 1970), and when. */
export function recoveredFellows(account: string, since: number): Steps<{ email: string; at: number }[]> {
  return all(
    `SELECT DISTINCT a.email, a.recovered_at AS at FROM members m JOIN members o ON o.room = m.room
     JOIN accounts a ON a.id = o.account
     WHERE m.account = ? AND o.account <> m.account AND a.recovered_at > ? ORDER BY a.recovered_at, a.email`,
    account,
    since,
  );
}

/** What decides about an entry: the role of who writes, and whose space it takes; and the entry behind which the account reads. */
export function findAccess(
  room: string,
  account: string,
): Steps<{ role: Role; owner: string; since: number } | undefined> {
  return one(
    'SELECT m.role, r.owner, m.since FROM members m JOIN rooms r ON r.id = m.room WHERE m.room = ? AND m.account = ?',
    room,
    account,
  );
}

export function* ownerOf(room: string): Steps<string | undefined> {
  return (yield* one<{ owner: string }>('SELECT owner FROM rooms WHERE id = ?', room))?.owner;
}

export function* ownRooms(account: string): Steps<string[]> {
  const rows = yield* all<{ id: string }>('SELECT id FROM rooms WHERE owner = ?', account);
  return rows.map(({ id }) => id);
}

/** The rooms of an account's own that others are in, as it calls them. */
export function* sharedRooms(account: string): Steps<string[]> {
  const rows = yield* all<{ name: string }>(
    `SELECT m.name FROM rooms r JOIN members m ON m.room = r.id AND m.account = r.owner
     WHERE r.owner = ? AND EXISTS (SELECT 1 FROM members o WHERE o.room = r.id AND o.account <> r.owner) ORDER BY m.name`,
    account,
  );
  return rows.map(({ name }) => name);
}

export function deleteRoom(room: string): Steps<number> {
  return run('DELETE FROM rooms WHERE id = ?', room);
}

export interface InviteRow {
  id: string;
  room: string;
  role: 'viewer' | 'editor';
  secret_hash: Uint8Array;
  uses_left: number;
  created_at: number;
  expires_at: number;
  /** The entry of the room's log behind which who comes by it may read; 0 for all. */
  since: number;
  /** Whom alone it lets in: the account that has confirmed this address; null where whoever has the link may join. */
  email: string | null;
}

const INVITE = 'id, room, role, secret_hash, uses_left, created_at, expires_at, since, email';

export function insertInvite(invite: InviteRow): Steps<number> {
  return run(
    `INSERT INTO invites (${INVITE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[invite.id, invite.room, invite.role, invite.secret_hash],
    ...[invite.uses_left, invite.created_at, invite.expires_at, invite.since, invite.email],
  );
}

export function findInvite(id: string): Steps<InviteRow | undefined> {
  return one(`SELECT ${INVITE} FROM invites WHERE id = ?`, id);
}

/** Whether the account that owns a room was disabled. */
export function* isOwnerDisabled(room: string): Steps<boolean> {
  const sql =
    'SELECT a.id FROM rooms r JOIN accounts a ON a.id = r.owner WHERE r.id = ? AND a.disabled_at IS NOT NULL';
  return (yield* one(sql, room)) !== undefined;
}

export function listInviteRows(room: string, now: number): Steps<InviteRow[]> {
  return all(
    `SELECT ${INVITE} FROM invites WHERE room = ? AND expires_at > ? AND uses_left > 0 ORDER BY created_at, id`,
    room,
    now,
  );
}

export function takeInvite(id: string): Steps<number> {
  return run('UPDATE invites SET uses_left = uses_left - 1 WHERE id = ?', id);
}

/** Makes the invites of a room void, all or those of a role; answers how many of them still worked. */
export function* deleteInvites(room: string, now: number, role?: InviteRow['role']): Steps<number> {
  const open = (yield* listInviteRows(room, now)).filter((one) => role === undefined || one.role === role);
  if (role === undefined) yield* run('DELETE FROM invites WHERE room = ?', room);
  else yield* run('DELETE FROM invites WHERE room = ? AND role = ?', room, role);
  return open.length;
}

/**
 * Makes those invites to an account's own rooms void by which whoever has the link joins; one for an e-mail address stays. Answers how many
 * of them still worked.
 */
export function* deleteLinksOf(owner: string, now: number): Steps<number> {
  const own = 'email IS NULL AND room IN (SELECT id FROM rooms WHERE owner = ?)';
  const sql = `SELECT count(*) AS count FROM invites WHERE ${own} AND expires_at > ? AND uses_left > 0`;
  const open = yield* one<{ count: number }>(sql, owner, now);
  yield* run(`DELETE FROM invites WHERE ${own}`, owner);
  return open?.count ?? 0;
}

export function* deleteInvite(id: string, room: string): Steps<boolean> {
  return (yield* run('DELETE FROM invites WHERE id = ? AND room = ?', id, room)) > 0;
}
