import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '@reverie/shared/contract/problems';
import type {
  listInvites,
  listMembers,
  RelayPerson,
  RelayRoom,
} from '@reverie/shared/contract/relay/relay-rooms';
import type { Reply } from '@reverie/shared/contract/route';
import { ulid } from 'ulid';
import { type Actor, audit } from './audit/audit.ts';
import type { Records, Steps } from './db/records.ts';
import { removeFiles } from './files/files.service.ts';
import { findAccount, isAlive } from './accounts/accounts.store.ts';
import type { Quotas } from './quotas.ts';
import { acceptInvite, mayManage } from './rooms/membership.ts';
import {
  countRooms,
  deleteInvite,
  deleteInvites,
  deleteMember,
  deleteRoom,
  findAccess,
  findInvite,
  findRoom,
  findRoomByName,
  handedOver,
  insertInvite,
  insertRoom,
  isOwnerDisabled,
  listInviteRows,
  listMemberRows,
  listRoomRows,
  ownerOf,
  peopleBeside,
  recoveredFellows,
  type RoomRow,
  saveMember,
  saveOwner,
  saveRole,
  sharedRooms,
  takeInvite,
} from './rooms/rooms.store.ts';
import { openLog } from './update-log/opening.store.ts';
import type { UpdateLog } from './update-log/update-log.ts';

export interface SharingDeps {
  records: Records;
  log: UpdateLog;
  now: () => number;
  quotas: Pick<Quotas, 'space' | 'quotaOf' | 'bytesOf'>;
  /** Members or their roles in a room changed, or the room is gone. */
  changed: (room: string, accounts: readonly string[]) => Promise<void>;
}

/** Rooms that an account is in at most. */
const MOST_ROOMS = 2000;

/** What is kept of an invite's secret. One that is bound to an address cannot be told apart from a wrong one by who does not know of that. */
const hashOf = (secret: string, email: string | null) =>
  createHash('sha256')
    .update(email === null ? secret : `${secret}\n${email}`)
    .digest();
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

/** How long members of a room are told that another one was recovered, and owners that they were made so, ms. */
const TOLD_MS = 30 * 86_400_000;

/** Who shares a room with an account and had all devices replaced lately. */
export async function recoveredBeside(
  { records, now }: Pick<SharingDeps, 'records' | 'now'>,
  account: string,
): Promise<{ email: string; at: string }[]> {
  const rows = await records.read(() => recoveredFellows(account, now() - TOLD_MS));
  return rows.map(({ email, at }) => ({ email, at: iso(at) }));
}

/** The rooms that an account was made the owner of lately: it was not asked, and they take its space. */
export async function handedOverTo(
  { records, now }: Pick<SharingDeps, 'records' | 'now'>,
  account: string,
): Promise<{ room: string; email: string | null; at: string }[]> {
  const rows = await records.read(() => handedOver(account, now() - TOLD_MS));
  return rows.map(({ at, ...row }) => ({ ...row, at: iso(at) }));
}

/** An account and the members of its rooms, with their devices: only these may read who wrote there. */
export async function peopleOf(
  { records }: Pick<SharingDeps, 'records'>,
  account: string,
): Promise<RelayPerson[]> {
  const people = new Map<string, RelayPerson>();
  for (const { id, name, account: of, email } of await records.read(() => peopleBeside(account))) {
    const person = people.get(of) ?? { id: of, email, you: of === account, devices: [] };
    person.devices.push({ id, name });
    people.set(of, person);
  }
  return [...people.values()];
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

/**
 * The hash of an entry of a room's log, in hex; none of what the account may not read: two that follow one another are enough to try out
 * what stands between them. Throws `not_found` where the account is not in the room.
 */
export async function hashOfEntry(
  { records, log }: Pick<SharingDeps, 'records' | 'log'>,
  { id, seq }: { id: string; seq: number },
  account: string,
): Promise<{ hash: string | null }> {
  const since = await records.read(function* () {
    yield* roomOf(id, account);
    return (yield* findAccess(id, account))?.since ?? 0;
  });
  const hash = seq < since ? undefined : await log.hashAt(id, seq);
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

const actorOf = ({ by, device }: { by: string; device: string }): Actor => ({ account: by, device });

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

/** Leaves a room; its owner deletes it with its log, but not `asMember`. Answers whether it was deleted. */
export async function leaveRoom(
  deps: SharingDeps,
  { id, asMember = false }: { id: string; asMember?: boolean },
  { account, device }: { account: string; device: string },
): Promise<boolean> {
  const { records, log } = deps;
  const by = { account, device };
  const { isOwner, members } = await records.write(function* () {
    const { owner } = yield* roomOf(id, account);
    if (owner !== account) {
      yield* deleteMember(id, account);
      yield* audit({ kind: 'member.left', at: deps.now(), by, account, room: id });
      return { isOwner: false, members: [account] };
    }
    if (asMember)
      throw new Problem(
        'conflict',
        'This account owns the room by now: leaving would end it for all; hand it over, or end it',
      );
    const all = (yield* listMemberRows(id)).map((member) => member.account);
    // From here on nobody joins it, or becomes its owner, while it goes.
    for (const other of all) if (other !== account) yield* deleteMember(id, other);
    yield* deleteInvites(id, deps.now());
    return { isOwner: true, members: all };
  });
  if (isOwner) {
    // The log first: should this end in between, the room is still there to be deleted again.
    await log.remove(id);
    await removeFiles(records, id);
    await records.write(function* () {
      yield* deleteRoom(id);
      yield* audit({ kind: 'room.deleted', at: deps.now(), by, account, room: id });
    });
  }
  // What it held stands in the write-ahead log until then.
  records.empty();
  await deps.changed(id, members);
  return isOwner;
}

/**
 * Gives a member another role, or removes it (undefined). Whoever may then do less could still know the link of an open invite, so those
 * that would give it back become void: all where it was removed, those for editors where it may only read. Answers how many.
 */
export async function changeMember(
  deps: SharingDeps,
  at: { room: string; by: string; device: string; member: string },
  role: 'viewer' | 'editor' | undefined,
): Promise<{ invitesEnded: number }> {
  const { records } = deps;
  const now = deps.now();
  const invitesEnded = await records.write(function* (): Steps<number> {
    const room = yield* managed(at.room, at.by);
    const found = yield* findRoom(at.room, at.member);
    if (!found) throw new Problem('not_found', `There is no member ${at.member} of this room`);
    if (at.member === room.owner)
      throw new Problem(
        'conflict',
        'The owner of a room stays its owner; hand the room over, or delete it instead',
      );
    const kind = role === undefined ? 'member.removed' : 'member.role_changed';
    yield* audit({ kind, at: now, by: actorOf(at), account: at.member, room: at.room, role });
    if (role === undefined) {
      yield* deleteMember(at.room, at.member);
      return yield* deleteInvites(at.room, now);
    }
    yield* saveRole(at.room, at.member, role);
    return found.role === 'editor' && role === 'viewer' ? yield* deleteInvites(at.room, now, 'editor') : 0;
  });
  if (role === undefined) records.empty();
  await deps.changed(at.room, [at.by, at.member]);
  return { invitesEnded };
}

/**
 * Makes a member the owner of a room, in one transaction; who owned it stays as an editor, or leaves. What the room holds takes the new
 * owner's space from then on. Whoever made the invites of the room may not any more: they become void.
 */
export async function handOver(
  deps: SharingDeps,
  at: { room: string; by: string; device: string; to: string },
  then: 'stay' | 'leave',
): Promise<{ invitesEnded: number }> {
  const { records, quotas } = deps;
  const now = deps.now();
  const check = function* (): Steps<void> {
    yield* managed(at.room, at.by);
    const found = yield* findRoom(at.room, at.to);
    if (!found) throw new Problem('not_found', `There is no member ${at.to} of this room`);
    if (found.role === 'owner') throw new Problem('conflict', 'This member owns the room already');
  };
  await records.read(check);
  const [bytes, used, most] = await Promise.all([
    quotas.bytesOf(at.room),
    quotas.space.used(at.to),
    quotas.quotaOf(at.to),
  ]);
  const invitesEnded = await records.write(function* (): Steps<number> {
    yield* check();
    // Its rooms are being deleted: one that somebody else owned by now would go with them.
    const own = yield* findAccount(at.by);
    if (!own || !isAlive(own, now)) throw new Problem('gone', 'This account has ended');
    if ((yield* findAccount(at.to))?.disabled_at != null)
      throw new Problem('conflict', 'The account of this member was disabled by who runs the relay');
    // An account that nobody confirms is deleted, with the rooms that it owns.
    if ((yield* findAccount(at.to))?.confirmed_at == null)
      throw new Problem(
        'conflict',
        'This member has not confirmed their e-mail address, which an owner has to: they open the link in the mail of the relay first, or somebody else gets it',
      );
    if (used + bytes > most)
      throw new Problem(
        'quota_exceeded',
        `It takes ${inMb(bytes)} MB, more than this member has left on the relay: they make room there first, or somebody else gets it`,
      );
    yield* saveOwner(at.room, { to: at.to, by: at.by, now });
    yield* saveRole(at.room, at.to, 'owner');
    yield* audit({ kind: 'room.handed_over', at: now, by: actorOf(at), account: at.to, room: at.room });
    if (then === 'leave') yield* deleteMember(at.room, at.by);
    else yield* saveRole(at.room, at.by, 'editor');
    return yield* deleteInvites(at.room, now);
  });
  if (then === 'leave') records.empty();
  const members = await records.read(() => listMemberRows(at.room));
  await deps.changed(at.room, [...new Set([at.by, ...members.map((member) => member.account)])]);
  return { invitesEnded };
}

const inMb = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);

/** Refuses to go on where an account owns rooms that others are in: without it, they end for all of them. */
export async function refuseShared(
  { records }: Pick<SharingDeps, 'records'>,
  account: string,
): Promise<void> {
  const shared = await records.read(() => sharedRooms(account));
  if (shared.length === 0) return;
  throw new Problem(
    'conflict',
    `This account owns ${shared.map((name) => JSON.stringify(name)).join(', ')}, which others are in: hand these over first, or send \`?shared=end\`, which ends them for all`,
  );
}

/** Makes an invite; its secret is answered here and kept as a hash only. */
export async function makeInvite(
  deps: SharingDeps,
  at: { room: string; by: string; device: string },
  wanted: {
    role: 'viewer' | 'editor';
    expires_in: number;
    uses: number;
    since: number;
    email?: string | undefined;
  },
): Promise<{ id: string; secret: string; expiresAt: number }> {
  const now = deps.now();
  const secret = randomBytes(32).toString('base64url');
  const id = `inv_${ulid(now)}`;
  const expiresAt = now + wanted.expires_in * 1000;
  const present = (await deps.log.state(at.room))?.presentSince ?? 0;
  // In the middle of an epoch stands half of what there is: who began there would have broken documents.
  const isBeginning = wanted.since === 0 || wanted.since === present;
  const email = wanted.email ?? null;
  await deps.records.write(function* () {
    yield* managed(at.room, at.by);
    if (!isBeginning)
      throw new Problem(
        'conflict',
        `since is ${wanted.since}, and it is 0, for the whole log, or ${present}, the last entry before the epoch that began last with what there was then; begin such an epoch, and say where`,
      );
    // Nobody lets others read what they may not read themselves: a room may have been handed over to them.
    const own = (yield* findAccess(at.room, at.by))?.since ?? 0;
    yield* insertInvite({
      id,
      room: at.room,
      role: wanted.role,
      secret_hash: hashOf(secret, email),
      uses_left: wanted.uses,
      created_at: now,
      expires_at: expiresAt,
      since: Math.max(wanted.since, own),
      email,
    });
    const { role } = wanted;
    yield* audit({ kind: 'invite.made', at: now, by: actorOf(at), room: at.room, subject: id, role });
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
  return invites.map(({ id, role, uses_left, email, created_at, expires_at }) => ({
    id,
    role,
    uses_left,
    email,
    created_at: iso(created_at),
    expires_at: iso(expires_at),
  }));
}

/** Makes an invite void. Throws `not_found` where the room has no such one. */
export async function revokeInvite(
  { records, now }: Pick<SharingDeps, 'records' | 'now'>,
  at: { room: string; by: string; device: string },
  invite: string,
): Promise<void> {
  await records.write(function* () {
    yield* managed(at.room, at.by);
    if (!(yield* deleteInvite(invite, at.room)))
      throw new Problem('not_found', `There is no invite ${invite}`);
    yield* audit({ kind: 'invite.revoked', at: now(), by: actorOf(at), room: at.room, subject: invite });
  });
}

/** Refuses an account that an invite was not made for; whom it was made for is not told. */
function* refuseUnlessMeant(email: string | null, id: string): Steps<void> {
  if (email === null) return;
  const account = yield* findAccount(id);
  if (account?.email !== email)
    throw new Problem(
      'forbidden_scope',
      'This invite is for one e-mail address, which is not that of this account; join with the account of that address, or ask for another invite',
    );
  if (account.confirmed_at === null)
    throw new Problem(
      'forbidden_scope',
      'This invite is for the e-mail address of this account, which has not confirmed it: open the link in the mail of the relay, then join',
    );
}

/** Joins the room of an invite. */
export async function useInvite(
  deps: SharingDeps,
  by: { account: string; device: string },
  { invite: id, secret, name }: { invite: string; secret: string; name: string },
): Promise<RelayRoom> {
  const { records } = deps;
  const { account } = by;
  const now = deps.now();
  const { room, members } = await records.write(function* () {
    const row = yield* findInvite(id);
    const has = row && (yield* findRoom(row.room, account));
    const owner = row && (yield* findAccount((yield* ownerOf(row.room)) ?? ''));
    const isTheirs = row !== undefined && timingSafeEqual(row.secret_hash, hashOf(secret, row.email));
    if (isTheirs && (yield* isOwnerDisabled(row.room)))
      throw new Problem('gone', 'This invite does not work: the account that shares this was disabled');
    // What an owner gave out who may not enter any more does not let others in.
    const isRight = isTheirs && owner !== undefined && isAlive(owner, now);
    const outcome = acceptInvite(row && { ...row, usesLeft: row.uses_left, expiresAt: row.expires_at }, {
      isRight,
      has: has?.role,
      now,
    });
    if (!row || outcome.kind === 'void')
      throw new Problem('gone', 'This invite is wrong, used up or too old; ask for a new one');
    if (outcome.kind === 'joined') {
      yield* refuseUnlessMeant(row.email, account);
      const other = yield* findRoomByName(account, name);
      if (!has && other)
        throw new Problem('conflict', 'A room of this name is there already; join under another name');
      if (!has) yield* refuseMoreRooms(account);
      yield* saveMember({ room: row.room, account, name, role: outcome.role, now, since: row.since });
      yield* takeInvite(id);
      const { role } = outcome;
      yield* audit({ kind: 'invite.used', at: now, by, room: row.room, subject: id });
      const kind = has ? 'member.role_changed' : 'member.joined';
      yield* audit({ kind, at: now, by, account, room: row.room, role });
    }
    return { room: yield* roomOf(row.room, account), members: yield* listMemberRows(row.room) };
  });
  await deps.changed(
    room.id,
    members.map((member) => member.account),
  );
  return showRoom(deps, room, account);
}
