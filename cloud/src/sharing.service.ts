import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '@reverie/shared/contract/problems';
import type { listInvites, listMembers, RelayRoom } from '@reverie/shared/contract/relay-rooms';
import type { Reply } from '@reverie/shared/contract/route';
import { ulid } from 'ulid';
import type { Records, Steps } from './db/records.ts';
import { removeFiles } from './files/files.service.ts';
import { acceptInvite, mayManage } from './rooms/membership.ts';
import {
  countRooms,
  deleteInvite,
  deleteInvites,
  deleteMember,
  deleteRoom,
  findInvite,
  findRoom,
  findRoomByName,
  insertInvite,
  insertRoom,
  listInviteRows,
  listMemberRows,
  listRoomRows,
  recoveredFellows,
  type RoomRow,
  saveMember,
  takeInvite,
} from './rooms/rooms.store.ts';
import { openLog } from './update-log/opening.store.ts';
import type { UpdateLog } from './update-log/update-log.ts';

export interface SharingDeps {
  records: Records;
  log: UpdateLog;
  now: () => number;
  /** Members or their roles in a room changed, or the room is gone. */
  changed: (room: string, accounts: readonly string[]) => Promise<void>;
}

/** Rooms that an account is in at most. */
const MOST_ROOMS = 2000;

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const iso = (ms: number) => new Date(ms).toISOString();

async function showRoom(
  { log }: Pick<SharingDeps, 'log'>,
  row: RoomRow,
  account: string,
): Promise<RelayRoom> {
  const { id, name, role, members, created_at, files } = row;
  const state = await log.state(id);
  return {
    id,
    name,
    role,
    own: row.owner === account,
    owner: row.owner_email,
    members,
    head: state?.head ?? 0,
    bytes: state?.bytes ?? 0,
    files,
    created_at: iso(created_at),
  };
}

/** The rooms that an account is in. */
export async function roomsOf(
  deps: Pick<SharingDeps, 'records' | 'log'>,
  account: string,
): Promise<RelayRoom[]> {
  const rows = await deps.records.read(() => listRoomRows(account));
  return Promise.all(rows.map((row) => showRoom(deps, row, account)));
}

/** How long members of a room are told that another one was recovered, ms. */
const TOLD_MS = 30 * 86_400_000;

/** Who shares a room with an account and had all devices replaced lately. */
export async function recoveredBeside(
  { records, now }: Pick<SharingDeps, 'records' | 'now'>,
  account: string,
): Promise<{ email: string; at: string }[]> {
  const rows = await records.read(() => recoveredFellows(account, now() - TOLD_MS));
  return rows.map(({ email, at }) => ({ email, at: iso(at) }));
}

/** The room of a name of an account, made where there is none. */
export async function openRoom(deps: SharingDeps, account: string, name: string): Promise<RelayRoom> {
  const { records, log } = deps;
  const now = deps.now();
  const id = `rm_${ulid(now)}`;
  const room = await records.write(function* (): Steps<RoomRow> {
    const known = yield* findRoomByName(account, name);
    if (known) return known;
    yield* refuseMoreRooms(account);
    yield* insertRoom({ id, owner: account, name, now });
    // A device that is told of a room and finds no log takes it for deleted.
    yield* openLog(id);
    const made = yield* findRoom(id, account);
    if (!made) throw new Error('a room that was just made is not there');
    return made;
  });
  if (room.id === id) await deps.changed(room.id, [account]);
  // Earlier versions made its log after it, and may have ended in between.
  else await log.open(room.id);
  return showRoom(deps, room, account);
}

/** The hash of an entry of a room's log, in hex. Throws `not_found` where the account is not in it. */
export async function hashOfEntry(
  { records, log }: Pick<SharingDeps, 'records' | 'log'>,
  { id, seq }: { id: string; seq: number },
  account: string,
): Promise<{ hash: string | null }> {
  await records.read(() => roomOf(id, account));
  const hash = await log.hashAt(id, seq);
  return { hash: hash === undefined ? null : Buffer.from(hash).toString('hex') };
}

function* refuseMoreRooms(account: string): Steps<void> {
  if ((yield* countRooms(account)) >= MOST_ROOMS)
    throw new Problem('quota_exceeded', `An account is in ${MOST_ROOMS} rooms at most`);
}

/** A room that an account is in. */
function* roomOf(id: string, account: string): Steps<RoomRow> {
  const room = yield* findRoom(id, account);
  if (!room) throw new Problem('not_found', `There is no room ${id} of this account`);
  return room;
}

/** A room that an account may manage. */
function* managed(id: string, account: string): Steps<RoomRow> {
  const room = yield* roomOf(id, account);
  if (!mayManage(room.role)) throw new Problem('forbidden_scope', 'Only owners of a room may do this');
  return room;
}

/** Who is in a room, for one who is. */
export async function membersOf(
  { records }: Pick<SharingDeps, 'records'>,
  room: string,
  asking: string,
): Promise<Reply<typeof listMembers>['members']> {
  const members = await records.read(function* () {
    yield* roomOf(room, asking);
    return yield* listMemberRows(room);
  });
  return members.map(({ account, email, role, joined_at }) => ({
    id: account,
    email,
    role,
    joined_at: iso(joined_at),
    you: account === asking,
  }));
}

/** Leaves a room; its owner deletes it with its log. Answers whether it was deleted. */
export async function leaveRoom(deps: SharingDeps, id: string, account: string): Promise<boolean> {
  const { records, log } = deps;
  const room = await records.read(() => roomOf(id, account));
  if (room.owner !== account) {
    await records.write(() => deleteMember(id, account));
    records.empty();
    await deps.changed(id, [account]);
    return false;
  }
  const members = await records.read(() => listMemberRows(id));
  // The log first: should this end in between, the room is still there to be deleted again.
  await log.remove(id);
  await removeFiles(records, id);
  await records.write(() => deleteRoom(id));
  // What it held stands in the write-ahead log until then.
  records.empty();
  await deps.changed(
    id,
    members.map((member) => member.account),
  );
  return true;
}

/**
 * Gives a member another role, or removes it (undefined). Whoever may then do less could still know the link of an open invite, so all
 * invites of the room become void; who has not come yet is invited anew.
 */
export async function changeMember(
  deps: SharingDeps,
  at: { room: string; by: string; member: string },
  role: 'viewer' | 'editor' | undefined,
): Promise<void> {
  const { records } = deps;
  const now = deps.now();
  await records.write(function* () {
    const room = yield* managed(at.room, at.by);
    const found = yield* findRoom(at.room, at.member);
    if (!found) throw new Problem('not_found', `There is no member ${at.member} of this room`);
    if (at.member === room.owner)
      throw new Problem('conflict', 'The owner of a room stays its owner; delete the room instead');
    if (role === undefined) yield* deleteMember(at.room, at.member);
    else yield* saveMember({ room: at.room, account: at.member, name: found.name, role, now });
    if (role !== 'editor') yield* deleteInvites(at.room);
  });
  if (role === undefined) records.empty();
  await deps.changed(at.room, [at.by, at.member]);
}

/** Makes an invite; its secret is answered here and kept as a hash only. */
export async function makeInvite(
  deps: SharingDeps,
  at: { room: string; by: string },
  wanted: { role: 'viewer' | 'editor'; expires_in: number; uses: number },
): Promise<{ id: string; secret: string; expiresAt: number }> {
  const now = deps.now();
  const secret = randomBytes(32).toString('base64url');
  const id = `inv_${ulid(now)}`;
  const expiresAt = now + wanted.expires_in * 1000;
  await deps.records.write(function* () {
    yield* managed(at.room, at.by);
    yield* insertInvite({
      id,
      room: at.room,
      role: wanted.role,
      secret_hash: sha256(secret),
      uses_left: wanted.uses,
      created_at: now,
      expires_at: expiresAt,
    });
  });
  return { id, secret, expiresAt };
}

/** The invites to a room that are still open, for one who may manage it. */
export async function invitesOf(
  { records, now }: Pick<SharingDeps, 'records' | 'now'>,
  room: string,
  asking: string,
): Promise<Reply<typeof listInvites>['invites']> {
  const invites = await records.read(function* () {
    yield* managed(room, asking);
    return yield* listInviteRows(room, now());
  });
  return invites.map(({ id, role, uses_left, created_at, expires_at }) => ({
    id,
    role,
    uses_left,
    created_at: iso(created_at),
    expires_at: iso(expires_at),
  }));
}

/** Makes an invite void. Throws `not_found` where the room has no such one. */
export async function revokeInvite(
  { records }: Pick<SharingDeps, 'records'>,
  at: { room: string; by: string },
  invite: string,
): Promise<void> {
  const isDeleted = await records.write(function* () {
    yield* managed(at.room, at.by);
    return yield* deleteInvite(invite, at.room);
  });
  if (!isDeleted) throw new Problem('not_found', `There is no invite ${invite}`);
}

/** Joins the room of an invite. */
export async function useInvite(
  deps: SharingDeps,
  account: string,
  { invite: id, secret, name }: { invite: string; secret: string; name: string },
): Promise<RelayRoom> {
  const { records } = deps;
  const now = deps.now();
  const { room, members } = await records.write(function* () {
    const row = yield* findInvite(id);
    const has = row && (yield* findRoom(row.room, account));
    const outcome = acceptInvite(row && { ...row, usesLeft: row.uses_left, expiresAt: row.expires_at }, {
      isRight: row !== undefined && timingSafeEqual(row.secret_hash, sha256(secret)),
      has: has?.role,
      now,
    });
    if (!row || outcome.kind === 'void')
      throw new Problem('gone', 'This invite is wrong, used up or too old; ask for a new one');
    if (outcome.kind === 'joined') {
      const other = yield* findRoomByName(account, name);
      if (!has && other)
        throw new Problem('conflict', 'A room of this name is there already; join under another name');
      if (!has) yield* refuseMoreRooms(account);
      yield* saveMember({ room: row.room, account, name, role: outcome.role, now });
      yield* takeInvite(id);
    }
    return { room: yield* roomOf(row.room, account), members: yield* listMemberRows(row.room) };
  });
  await deps.changed(
    room.id,
    members.map((member) => member.account),
  );
  return showRoom(deps, room, account);
}
