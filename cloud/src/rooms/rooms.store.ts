import type { Role } from '@reverie/shared/protocol/messages';
import type { Database } from '../db/open-database.ts';

/** A room as one member sees it. */
export interface RoomRow {
  id: string;
  owner: string;
  name: string;
  role: Role;
  members: number;
  created_at: number;
}

const SEEN = `r.id, r.owner, m.name, m.role, r.created_at,
  (SELECT count(*) FROM members o WHERE o.room = r.id) AS members`;

export function listRoomRows(db: Database, account: string): RoomRow[] {
  return db
    .prepare<[string], RoomRow>(
      `SELECT ${SEEN} FROM members m JOIN rooms r ON r.id = m.room WHERE m.account = ? ORDER BY m.name`,
    )
    .all(account);
}

export function findRoom(db: Database, room: string, account: string): RoomRow | undefined {
  return db
    .prepare<[string, string], RoomRow>(
      `SELECT ${SEEN} FROM members m JOIN rooms r ON r.id = m.room WHERE m.room = ? AND m.account = ?`,
    )
    .get(room, account);
}

export function findRoomByName(db: Database, account: string, name: string): RoomRow | undefined {
  return db
    .prepare<[string, string], RoomRow>(
      `SELECT ${SEEN} FROM members m JOIN rooms r ON r.id = m.room WHERE m.account = ? AND m.name = ?`,
    )
    .get(account, name);
}

export function insertRoom(
  db: Database,
  room: { id: string; owner: string; name: string; now: number },
): void {
  db.prepare<[string, string, number]>('INSERT INTO rooms (id, owner, created_at) VALUES (?, ?, ?)').run(
    room.id,
    room.owner,
    room.now,
  );
  saveMember(db, { room: room.id, account: room.owner, name: room.name, role: 'owner', now: room.now });
}

/** Makes a member, or gives one that is there another role; their name for the room stays. */
export function saveMember(
  db: Database,
  member: { room: string; account: string; name: string; role: Role; now: number },
): void {
  db.prepare<[string, string, string, string, number]>(
    `INSERT INTO members (room, account, name, role, joined_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (room, account) DO UPDATE SET role = excluded.role`,
  ).run(member.room, member.account, member.name, member.role, member.now);
}

export function deleteMember(db: Database, room: string, account: string): boolean {
  return (
    db.prepare<[string, string]>('DELETE FROM members WHERE room = ? AND account = ?').run(room, account)
      .changes > 0
  );
}

export interface MemberRow {
  account: string;
  email: string;
  role: Role;
  joined_at: number;
}

export function listMemberRows(db: Database, room: string): MemberRow[] {
  return db
    .prepare<[string], MemberRow>(
      `SELECT m.account, a.email, m.role, m.joined_at FROM members m JOIN accounts a ON a.id = m.account
       WHERE m.room = ? ORDER BY m.joined_at, m.account`,
    )
    .all(room);
}

/** What decides about an entry: the role of who writes, and whose space it takes. */
export function findAccess(
  db: Database,
  room: string,
  account: string,
): { role: Role; owner: string } | undefined {
  return db
    .prepare<[string, string], { role: Role; owner: string }>(
      'SELECT m.role, r.owner FROM members m JOIN rooms r ON r.id = m.room WHERE m.room = ? AND m.account = ?',
    )
    .get(room, account);
}

export function ownerOf(db: Database, room: string): string | undefined {
  return db.prepare<[string], { owner: string }>('SELECT owner FROM rooms WHERE id = ?').get(room)?.owner;
}

export function ownRooms(db: Database, account: string): string[] {
  return db
    .prepare<[string], { id: string }>('SELECT id FROM rooms WHERE owner = ?')
    .all(account)
    .map(({ id }) => id);
}

export function deleteRoom(db: Database, room: string): void {
  db.prepare<[string]>('DELETE FROM rooms WHERE id = ?').run(room);
}

export interface InviteRow {
  id: string;
  room: string;
  role: 'viewer' | 'editor';
  secret_hash: Uint8Array;
  uses_left: number;
  created_at: number;
  expires_at: number;
}

const INVITE = 'id, room, role, secret_hash, uses_left, created_at, expires_at';

export function insertInvite(db: Database, invite: InviteRow): void {
  db.prepare<[string, string, string, Uint8Array, number, number, number]>(
    `INSERT INTO invites (${INVITE}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    invite.id,
    invite.room,
    invite.role,
    invite.secret_hash,
    invite.uses_left,
    invite.created_at,
    invite.expires_at,
  );
}

export function findInvite(db: Database, id: string): InviteRow | undefined {
  return db.prepare<[string], InviteRow>(`SELECT ${INVITE} FROM invites WHERE id = ?`).get(id);
}

export function listInviteRows(db: Database, room: string, now: number): InviteRow[] {
  return db
    .prepare<[string, number], InviteRow>(
      `SELECT ${INVITE} FROM invites WHERE room = ? AND expires_at > ? AND uses_left > 0 ORDER BY created_at, id`,
    )
    .all(room, now);
}

export function takeInvite(db: Database, id: string): void {
  db.prepare<[string]>('UPDATE invites SET uses_left = uses_left - 1 WHERE id = ?').run(id);
}

/** Makes the open invites of a room void, all of them. */
export function deleteInvites(db: Database, room: string): void {
  db.prepare<[string]>('DELETE FROM invites WHERE room = ?').run(room);
}

export function deleteInvite(db: Database, id: string, room: string): boolean {
  return (
    db.prepare<[string, string]>('DELETE FROM invites WHERE id = ? AND room = ?').run(id, room).changes > 0
  );
}
