import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '@reverie/shared/contract/problems';
import type { RelayRoom } from '@reverie/shared/contract/relay-rooms';
import { ulid } from 'ulid';
import type { Database } from './db/open-database.ts';
import { acceptInvite, mayManage } from './rooms/membership.ts';
import {
  deleteInvites,
  deleteMember,
  deleteRoom,
  findInvite,
  findRoom,
  findRoomByName,
  insertInvite,
  insertRoom,
  listMemberRows,
  listRoomRows,
  type RoomRow,
  saveMember,
  takeInvite,
} from './rooms/rooms.store.ts';
import type { UpdateLog } from './update-log/update-log.ts';

export interface SharingDeps {
  db: Database;
  log: UpdateLog;
  now: () => number;
  /** Members or their roles in a room changed, or the room is gone. */
  changed: (room: string, accounts: readonly string[]) => void;
}

/** Rooms that an account is in at most. */
const MOST_ROOMS = 2000;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

export async function showRoom(
  { log }: Pick<SharingDeps, 'log'>,
  row: RoomRow,
  account: string,
): Promise<RelayRoom> {
  const { id, name, role, members, created_at } = row;
  const state = await log.state(id);
  return {
    id,
    name,
    role,
    own: row.owner === account,
    members,
    head: state?.head ?? 0,
    bytes: state?.bytes ?? 0,
    created_at: new Date(created_at).toISOString(),
  };
}

/** The room of a name of an account, made where there is none. */
export async function openRoom(deps: SharingDeps, account: string, name: string): Promise<RelayRoom> {
  const { db, log } = deps;
  const now = deps.now();
  const known = findRoomByName(db, account, name);
  const room =
    known ??
    db.write(() => {
      refuseMoreRooms(db, account);
      const id = `rm_${ulid(now)}`;
      insertRoom(db, { id, owner: account, name, now });
      return findRoom(db, id, account);
    });
  if (!room) throw new Error('The room that was made is not there');
  // Also where it is known: a start that ended between the two is mended here.
  await log.open(room.id);
  if (!known) deps.changed(room.id, [account]);
  return showRoom(deps, room, account);
}

function refuseMoreRooms(db: Database, account: string): void {
  if (listRoomRows(db, account).length >= MOST_ROOMS)
    throw new Problem('quota_exceeded', `An account is in ${MOST_ROOMS} rooms at most`);
}

/** A room that an account is in. */
export function roomOf({ db }: Pick<SharingDeps, 'db'>, id: string, account: string): RoomRow {
  const room = findRoom(db, id, account);
  if (!room) throw new Problem('not_found', `There is no room ${id} of this account`);
  return room;
}

/** A room that an account may manage. */
export function managed(deps: Pick<SharingDeps, 'db'>, id: string, account: string): RoomRow {
  const room = roomOf(deps, id, account);
  if (!mayManage(room.role)) throw new Problem('forbidden_scope', 'Only owners of a room may do this');
  return room;
}

/** Leaves a room; its owner deletes it with its log. Answers whether it was deleted. */
export async function leaveRoom(deps: SharingDeps, id: string, account: string): Promise<boolean> {
  const { db, log } = deps;
  const room = roomOf(deps, id, account);
  if (room.owner !== account) {
    deleteMember(db, id, account);
    db.emptying.empty();
    deps.changed(id, [account]);
    return false;
  }
  const members = listMemberRows(db, id).map((member) => member.account);
  // The log first: should this end in between, the room is still there to be deleted again.
  await log.remove(id);
  deleteRoom(db, id);
  // What it held stands in the write-ahead log until then.
  db.emptying.empty();
  deps.changed(id, members);
  return true;
}

/**
 * Gives a member another role, or removes it. Who may do less than before may know the link of an invite that is still open: all of the
 * room are void then, and who has not come yet is invited anew.
 */
export function changeMember(
  deps: SharingDeps,
  at: { room: string; by: string; member: string },
  role: 'viewer' | 'editor' | undefined,
): void {
  const { db } = deps;
  const room = managed(deps, at.room, at.by);
  const found = findRoom(db, at.room, at.member);
  if (!found) throw new Problem('not_found', `There is no member ${at.member} of this room`);
  if (at.member === room.owner)
    throw new Problem('conflict', 'The owner of a room stays its owner; delete the room instead');
  db.write(() => {
    if (role === undefined) deleteMember(db, at.room, at.member);
    else saveMember(db, { room: at.room, account: at.member, name: found.name, role, now: deps.now() });
    if (role !== 'editor') deleteInvites(db, at.room);
  });
  if (role === undefined) db.emptying.empty();
  deps.changed(at.room, [at.by, at.member]);
}

/** Makes an invite; its secret is answered here and kept as a hash only. */
export function makeInvite(
  deps: SharingDeps,
  at: { room: string; by: string },
  wanted: { role: 'viewer' | 'editor'; expires_in: number; uses: number },
): { id: string; secret: string; expiresAt: number } {
  managed(deps, at.room, at.by);
  const now = deps.now();
  const secret = randomBytes(32).toString('base64url');
  const id = `inv_${ulid(now)}`;
  const expiresAt = now + wanted.expires_in * 1000;
  insertInvite(deps.db, {
    id,
    room: at.room,
    role: wanted.role,
    secret_hash: sha256(secret),
    uses_left: wanted.uses,
    created_at: now,
    expires_at: expiresAt,
  });
  return { id, secret, expiresAt };
}

/** Joins the room of an invite. */
export async function useInvite(
  deps: SharingDeps,
  account: string,
  { invite: id, secret, name }: { invite: string; secret: string; name: string },
): Promise<RelayRoom> {
  const { db } = deps;
  const now = deps.now();
  const room = db.write(() => {
    const row = findInvite(db, id);
    const has = row && findRoom(db, row.room, account);
    const outcome = acceptInvite(row && { ...row, usesLeft: row.uses_left, expiresAt: row.expires_at }, {
      isRight: row !== undefined && timingSafeEqual(row.secret_hash, sha256(secret)),
      has: has?.role,
      now,
    });
    if (!row || outcome.kind === 'void')
      throw new Problem('gone', 'This invite is wrong, used up or too old; ask for a new one');
    if (outcome.kind === 'joined') {
      const other = findRoomByName(db, account, name);
      if (!has && other)
        throw new Problem('conflict', 'A room of this name is there already; join under another name');
      if (!has) refuseMoreRooms(db, account);
      saveMember(db, { room: row.room, account, name, role: outcome.role, now });
      takeInvite(db, id);
    }
    return row.room;
  });
  deps.changed(
    room,
    listMemberRows(db, room).map((member) => member.account),
  );
  return showRoom(deps, roomOf(deps, room, account), account);
}
