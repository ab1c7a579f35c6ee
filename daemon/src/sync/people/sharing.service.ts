import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Client } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import * as relay from '@reverie/shared/contract/relay/relay';
import * as rooms from '@reverie/shared/contract/relay/relay-rooms';
import type { Reply } from '@reverie/shared/contract/route';
import type * as devices from '@reverie/shared/contract/sync/devices';
import type * as sharing from '@reverie/shared/contract/sync/sharing';
import { freeName, refuseKept } from '../namespaces/choices.ts';
import { findChoice, noRoom, saveChoice, saveSeenRoom } from '../namespaces/choices.store.ts';
import type { LinkingDeps } from './linking.service.ts';
import type { PresentState } from './present-state.ts';
import { findLink, notLinked } from '../link.store.ts';
import { deleteLost, findLost, knownUntil, saveLeft } from '../namespaces/lost.store.ts';
import {
  findSyncedByName,
  findSyncedByRoom,
  insertSynced,
  joinedAs,
  memoriesIn,
  saveJoined,
  namespacesToUpload,
  saveSyncedRow,
} from '../namespaces/namespaces.store.ts';
import { inRoom } from '../namespaces/rooms.ts';
import { detailOf, namespaceOf, roomNameOf, wasRefusedWith } from '../relay/relay-client.ts';
import { goesOn } from '../namespaces/lost.service.ts';
import { leaveNamespace } from '../namespaces/stranded.ts';

/** A code with which one more device joins. */
export async function makeCode({ store, link }: LinkingDeps): Promise<Reply<typeof devices.pairDevice>> {
  const client = await link.client();
  const { code, expires_at } = await client(relay.makePairingCode, {});
  return { code, expires_at, relay: store.read(findLink)?.relay ?? '' };
}

/** The devices, as the relay says now, or said last where it is out of reach. */
export async function devicesOf({ store, link }: LinkingDeps): Promise<Reply<typeof devices.listDevices>> {
  const row = store.read(findLink);
  if (!row) throw notLinked();
  try {
    await link.refreshDevices();
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause;
  }
  const { all, asking, at } = link.devices();
  return {
    devices: [
      ...all.map(({ current, online, ...device }) => ({
        ...device,
        // What was so when the relay was heard last says nothing of now.
        online: online && link.state().kind === 'open',
        self: current,
        status: 'active' as const,
      })),
      ...asking.map(({ id, name, number, created_at }) => ({
        id,
        name: `${name} (${number})`,
        created_at,
        last_seen: null,
        online: false,
        self: false,
        status: 'waiting' as const,
      })),
    ],
    known_at: at === null ? null : new Date(at).toISOString(),
  };
}

const noDevice = (id: string) => new Problem('device_not_found', `There is no device ${id}`);

/** Lets a device in that asks. */
export async function approve({ link }: LinkingDeps, id: string): Promise<void> {
  const client = await link.client();
  try {
    await client(relay.answerRequest, { params: { id }, body: { approve: true } });
  } catch (cause) {
    throw wasRefusedWith(cause, 'gone', 'not_found', 'invalid_request') ? noDevice(id) : cause;
  }
}

/** Cuts a device off, or refuses one that asks; answers how many open invites became void with it. */
export async function removeDeviceOf({ link }: LinkingDeps, id: string): Promise<number> {
  const client = await link.client();
  const isAsking = link.devices().asking.some((one) => one.id === id);
  try {
    if (!isAsking) return (await client(relay.revokeDevice, { params: { id } })).invites_ended ?? 0;
    await client(relay.answerRequest, { params: { id }, body: { approve: false } });
    return 0;
  } catch (cause) {
    throw wasRefusedWith(cause, 'gone', 'not_found', 'invalid_request') ? noDevice(id) : cause;
  }
}

/** The room of a namespace; it is made where there is none yet. */
async function roomOf(
  { store, link, clock }: LinkingDeps,
  account: AccountId,
  namespace: string,
): Promise<string> {
  store.read((db) => refuseKept(db, account, namespace));
  const client = await link.client();
  const found = store.read((db) => findSyncedByName(db, account, namespace));
  if (found?.room != null) return found.room;
  if (store.read((db) => findLost(db, account, namespace)))
    throw new Problem(
      'conflict',
      `${JSON.stringify(namespace)} has left sync. Sync it again first (\`reverie sync again\`), then share it`,
    );
  // A name that was mistyped would make a room.
  if (!found && !store.read((db) => namespacesToUpload(db, account)).some((one) => one.name === namespace))
    throw new Problem(
      'not_found',
      `There is no namespace ${JSON.stringify(namespace)} here; nothing was shared`,
    );
  const logId = link.logId();
  const room = await client(rooms.openRoom, { body: { name: roomNameOf(namespace) } });
  if (!room.own)
    throw new Problem(
      'conflict',
      `This account has joined a room of others called ${JSON.stringify(namespace)}`,
    );
  store.write((db) => {
    const row = findSyncedByName(db, account, namespace) ?? beginSync(namespace);
    saveSyncedRow(db, row.id, { room: room.id, role: room.role, members: room.members, seen_in: logId });
    function beginSync(name: string) {
      const memories = namespacesToUpload(db, account).find((one) => one.name === name)?.memories ?? 0;
      saveChoice(db, account, { namespace: name, synced: 1, since: clock.now() });
      return insertSynced(db, account, { name, memories });
    }
  });
  link.wake();
  return room.id;
}

const mayNot = (cause: unknown, namespace: string): unknown =>
  wasRefusedWith(cause, 'forbidden_scope')
    ? new Problem('forbidden_role', `Only an owner of ${JSON.stringify(namespace)} may do this`, { cause })
    : cause;

/** Makes an invite. */
export async function share(
  deps: LinkingDeps,
  account: AccountId,
  wanted: {
    namespace: string;
    role: 'viewer' | 'editor';
    expires_in: number;
    with_history: boolean;
    email?: string | undefined;
  },
): Promise<Reply<typeof sharing.shareNamespace>> {
  const { namespace, with_history, ...more } = wanted;
  const id = await roomOf(deps, account, namespace);
  const client = await deps.link.client();
  const row = deps.store.read((db) => findSyncedByName(db, account, namespace));
  // Whose it is not is told so by the relay.
  const isOwn = row?.role === 'owner';
  try {
    const invite = (since: number) =>
      client(rooms.createInvite, { params: { id }, body: { ...more, since } });
    const made = isOwn && !with_history ? await inviteFromNow(deps.present, row.id, invite) : await invite(0);
    return { invite: made.invite, namespace, role: more.role, expires_at: made.expires_at };
  } catch (cause) {
    throw mayNot(cause, namespace);
  }
}

/** Invites to what there is now; once more where another device began it anew meanwhile, or the relay has not noted where it began. */
async function inviteFromNow<T>(
  present: PresentState,
  namespaceId: number,
  invite: (since: number) => Promise<T>,
): Promise<T> {
  const since = await present.begin(namespaceId);
  try {
    return await invite(since);
  } catch (cause) {
    if (!wasRefusedWith(cause, 'conflict')) throw cause;
    return invite(await present.begin(namespaceId));
  }
}

/** The id and the secret of an invite's link. Throws `invite_invalid`. */
export function readInvite(text: string): { id: string; secret: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const id = url?.pathname
    .split('/')
    .filter((part) => part !== '')
    .at(-1);
  const secret = url?.hash.slice(1) ?? '';
  if (id === undefined || !/^[\w-]{1,64}$/.test(id) || secret === '')
    throw new Problem(
      'invite_invalid',
      'This is not the whole link of an invite: its secret stands behind the #',
    );
  return { id, secret };
}

/**
 * Joins a shared namespace under a name that is free here. A namespace that left sync is taken up again if it was this room's, or if its
 * room was lost with its relay; else it is never joined with the memories of another room.
 */
export async function join(
  { store, link, clock }: LinkingDeps,
  account: AccountId,
  wanted: { invite: string; namespace?: string | undefined },
): Promise<Reply<typeof sharing.joinNamespace>> {
  const client = await link.client();
  const { id, secret } = readInvite(wanted.invite);
  const name = wanted.namespace ?? 'shared';
  const isTaken = (of: string) =>
    store.read(
      (db) =>
        findSyncedByName(db, account, of) !== undefined ||
        findLost(db, account, of) !== undefined ||
        findChoice(db, account, of)?.room != null ||
        namespacesToUpload(db, account).some((one) => one.isHeld && one.name === of),
    );
  const lost = store.read((db) => findLost(db, account, name));
  if (isTaken(name) && !lost)
    throw new Problem(
      'conflict',
      `There is a namespace ${JSON.stringify(name)} here, which stays apart from it: give it another name here, such as ${JSON.stringify(freeName(name, isTaken))}`,
    );
  const logId = link.logId();
  try {
    const room = await client(rooms.acceptInvite, {
      params: { invite: id },
      body: { secret, name: roomNameOf(name) },
    });
    const called = namespaceOf(room.name);
    const isBack = lost !== undefined && (lost.room === room.id || goesOn(lost.reason));
    const free = isBack ? name : freeName(called, isTaken);
    // Who is a member already has it under the name that it has here, whatever it is called on the relay.
    const namespace = store.read((db) => findSyncedByRoom(db, room.id))?.name ?? free;
    store.write((db) => {
      const memories = isBack ? memoriesIn(db, account, namespace) : 0;
      if (isBack) deleteLost(db, account, namespace);
      const row =
        findSyncedByName(db, account, namespace) ?? insertSynced(db, account, { name: namespace, memories });
      const known_until = isBack ? knownUntil(lost, room.id) : row.known_until;
      saveSyncedRow(db, row.id, { ...inRoom(room, row), seen_in: logId, known_until });
      saveJoined(db, account, { room: room.id, name: row.name });
      saveChoice(db, account, { namespace, synced: 1, since: clock.now() });
    });
    link.wake();
    return { success: true, namespace, role: room.role };
  } catch (cause) {
    if (wasRefusedWith(cause, 'gone', 'not_found', 'invalid_request'))
      throw new Problem('invite_invalid', 'The invite is used up, withdrawn, or too old', { cause });
    if (wasRefusedWith(cause, 'forbidden_scope'))
      throw new Problem('invite_invalid', detailOf(cause), { cause });
    if (wasRefusedWith(cause, 'conflict'))
      throw new Problem(
        'conflict',
        'This account is a member already, or has a namespace of this name: then give it another one here',
        { cause },
      );
    throw cause;
  }
}

function syncedRoom({ store }: LinkingDeps, account: AccountId, namespace: string) {
  if (!store.read(findLink)) throw notLinked();
  const row = store.read((db) => findSyncedByName(db, account, namespace));
  // Who is a member is one also while the namespace stays on this device.
  const room = row ? row.room : store.read((db) => findChoice(db, account, namespace))?.room;
  if (room == null)
    throw new Problem('namespace_not_synced', `The namespace ${JSON.stringify(namespace)} is not synced`);
  return { row, room };
}

export async function membersOf(
  deps: LinkingDeps,
  account: AccountId,
  namespace: string,
): Promise<Reply<typeof sharing.listMembers>> {
  const { room } = syncedRoom(deps, account, namespace);
  const { members } = await (await deps.link.client())(rooms.listMembers, { params: { id: room } });
  return { namespace, members: members.map(({ you, ...member }) => ({ ...member, self: you })) };
}

interface MemberAt {
  namespace: string;
  id: string;
}

/** The room of a namespace and one of its members. Throws `member_not_found`. */
async function memberIn(deps: LinkingDeps, account: AccountId, { namespace, id }: MemberAt) {
  const { room } = syncedRoom(deps, account, namespace);
  const { members } = await membersOf(deps, account, namespace);
  const member = members.find((one) => one.id === id);
  if (!member)
    throw new Problem('member_not_found', `There is no member ${id} in ${JSON.stringify(namespace)}`);
  return { room, member };
}

/** Asks the relay for what the owner of a namespace may; what it refuses is told in the words of a namespace. */
async function asOwner<T>(
  { link }: LinkingDeps,
  namespace: string,
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await link.client();
  try {
    return await run(client);
  } catch (cause) {
    if (wasRefusedWith(cause, 'conflict')) throw new Problem('conflict', detailOf(cause), { cause });
    if (wasRefusedWith(cause, 'quota_exceeded'))
      throw new Problem('quota_exceeded', detailOf(cause), { cause });
    throw mayNot(cause, namespace);
  }
}

/** Takes a member out, or leaves; answers how many open invites became void with it. */
export async function removeMemberOf(deps: LinkingDeps, account: AccountId, at: MemberAt): Promise<number> {
  const { namespace, id } = at;
  const { room, member } = await memberIn(deps, account, at);
  if (member.self) {
    await leave(deps, account, { namespace });
    return 0;
  }
  const removed = await asOwner(deps, namespace, (client) =>
    client(rooms.removeMember, { params: { id: room, member: id } }),
  );
  return removed.invites_ended;
}

/** Gives a member another role; answers how many open invites became void with it. */
export async function changeMemberOf(
  deps: LinkingDeps,
  account: AccountId,
  { role, ...at }: MemberAt & { role: 'viewer' | 'editor' },
): Promise<number> {
  const { room, member } = await memberIn(deps, account, at);
  if (member.role === 'owner')
    throw new Problem(
      'forbidden_role',
      `${member.self ? 'You own' : 'This member owns'} ${JSON.stringify(at.namespace)}: hand it to another member, then the role can be changed`,
    );
  const changed = await asOwner(deps, at.namespace, (client) =>
    client(rooms.setMember, { params: { id: room, member: at.id }, body: { role } }),
  );
  return changed.invites_ended;
}

/** Makes a member the owner of a namespace; answers how many open invites became void with it. */
export async function handOver(deps: LinkingDeps, account: AccountId, at: MemberAt): Promise<number> {
  const { room } = await memberIn(deps, account, at);
  const done = await asOwner(deps, at.namespace, (client) =>
    client(rooms.handOverRoom, { params: { id: room }, body: { member: at.id } }),
  );
  return done.invites_ended;
}

/** The invites to a namespace that still work. */
export async function invitesOf(
  deps: LinkingDeps,
  account: AccountId,
  namespace: string,
): Promise<Reply<typeof sharing.listInvites>> {
  const { room } = syncedRoom(deps, account, namespace);
  const { invites } = await asOwner(deps, namespace, (client) =>
    client(rooms.listInvites, { params: { id: room } }),
  );
  return { namespace, invites };
}

/** Makes an invite void. */
export async function revokeInviteOf(
  deps: LinkingDeps,
  account: AccountId,
  { namespace, id }: MemberAt,
): Promise<void> {
  const { room } = syncedRoom(deps, account, namespace);
  try {
    await asOwner(deps, namespace, (client) =>
      client(rooms.revokeInvite, { params: { id: room, invite: id } }),
    );
  } catch (cause) {
    throw wasRefusedWith(cause, 'not_found', 'invalid_request')
      ? new Problem('invite_invalid', `There is no open invite ${id} to ${JSON.stringify(namespace)}`, {
          cause,
        })
      : cause;
  }
}

/**
 * Leaves a namespace, also one that is not synced now, as long as the relay has this account in its room. Its owner hands it to a member in
 * the same act, or ends it for all.
 */
export async function leave(
  deps: LinkingDeps,
  account: AccountId,
  { namespace, owner, end }: { namespace: string; owner?: string | undefined; end?: true | undefined },
): Promise<'left' | 'handed_over' | 'ended'> {
  const { store, clock, link } = deps;
  const client = await link.client();
  const called = JSON.stringify(namespace);
  const { row, known } = store.read((db) => {
    const synced = findSyncedByName(db, account, namespace);
    const lost = findLost(db, account, namespace);
    // Who is a member is one also while the namespace stays on this device.
    const kept = findChoice(db, account, namespace)?.room;
    const rooms = [synced?.room, kept, lost?.waiting, lost?.room, ...joinedAs(db, account, namespace)];
    return { row: synced, known: new Set(rooms.filter((one) => one != null && one !== '')) };
  });
  const listed = await client(rooms.listRooms, {});
  const room =
    listed.rooms.find(({ id }) => id === row?.room) ?? listed.rooms.find(({ id }) => known.has(id));
  if (!room)
    throw new Problem(
      'namespace_not_synced',
      `This account is in no shared namespace ${called} on the relay`,
    );
  const isOwner = room.role === 'owner';
  if (isOwner && owner === undefined && !end)
    throw new Problem(
      'forbidden_role',
      `You own ${called}: hand it to a member as you leave, or end it for all (\`reverie leave\` with --to MEMBER or --end)`,
    );
  if (!isOwner && (owner !== undefined || end))
    throw new Problem('forbidden_role', `Only the owner of ${called} hands it over, or ends it for all`);
  if (owner !== undefined && end)
    throw new Problem('conflict', 'It is either handed over, or ended for all: say one of the two');
  if (owner === undefined)
    // Handed over to this account just now, it must not end for all.
    await asOwner(deps, namespace, (call) =>
      call(rooms.leaveRoom, { params: { id: room.id }, query: isOwner ? {} : { as: 'member' } }),
    );
  else
    try {
      await asOwner(deps, namespace, (call) =>
        call(rooms.handOverRoom, { params: { id: room.id }, body: { member: owner, then: 'leave' } }),
      );
    } catch (cause) {
      throw wasRefusedWith(cause, 'not_found', 'invalid_request')
        ? new Problem('member_not_found', `There is no member ${owner} in ${called}`, { cause })
        : cause;
    }
  if (row) leaveNamespace(deps, row.id, { reason: 'left', now: clock.now() });
  store.write((db) => {
    saveLeft(db, account, namespace);
    saveSeenRoom(db, account, { namespace, ...noRoom });
  });
  return owner !== undefined ? 'handed_over' : isOwner ? 'ended' : 'left';
}
