import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { CodingSession, Participant } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb } from '../../../db/open-store.ts';
import type { SessionsDeps } from '../deps.ts';
import { countEntries } from '../entries.store.ts';
import { sessionOf, type SessionsCaller, toSession } from '../sessions.service.ts';
import { findSession, saveSession, type SessionRow } from '../sessions.store.ts';
import { deleteEnding, findEnding } from './endings.store.ts';
import { sharingEnded } from './endings.ts';
import type { Leaver, SessionRoom, SessionRooms } from './ports.ts';
import { type Preview, previewOf, type PreviewWanted } from './preview.ts';
import { ALL_KINDS, approvedOf, isHostOf, type ShareQueue } from './queue.ts';
import { joinedSession } from './receiving.ts';
import { deleteShare, findShare, listMembers, saveMembers, saveShare } from './shares.store.ts';

export interface SharingDeps extends SessionsDeps {
  rooms: SessionRooms;
  leaver: Leaver;
  queue: ShareQueue;
  /** Whether a participant is there now. */
  isOnline(session: string, member: string): boolean;
  wait(ms: number): Promise<void>;
}

/** How long is waited until the relay has what it was told, or this machine what the relay has, ms. */
const PATIENCE = 10_000;
const LOOK = 25;

type Asking = SessionsCaller;

function roomOf(
  { store, rooms }: SharingDeps,
  caller: Asking,
  id: string,
): { session: SessionRow; room: SessionRoom | undefined } {
  const session = store.read((db) => sessionOf(db, caller, id));
  return { session, room: rooms.about(caller.account, session.id) };
}

function shared(deps: SharingDeps, caller: Asking, id: string): { session: SessionRow; room: SessionRoom } {
  const { session, room } = roomOf(deps, caller, id);
  if (!room) throw new Problem('session_not_found', 'This session is not shared; share it first');
  return { session, room };
}

function refuseOthers(
  { session, room }: { session: SessionRow; room: SessionRoom | undefined },
  deps: SharingDeps,
): void {
  if (session.role !== 'owner')
    throw new Problem('forbidden_role', 'Only the owner of a session may share it');
  if (room && !isHostOf(room, deps.rooms.device()))
    throw new Problem(
      'forbidden_role',
      'This session is shared from another device of yours: what leaves is decided there',
    );
}

/** Exactly what would leave this machine, were the session shared. */
export function preview(
  deps: SharingDeps,
  caller: Asking,
  wanted: {
    id: string;
    from: 'start' | 'now';
    redacted: 'true' | 'false';
    limit: number;
    cursor?: string | undefined;
  },
): Promise<Preview> {
  const at = roomOf(deps, caller, wanted.id);
  refuseOthers(at, deps);
  return previewOf(deps, wantedOf(deps, at.session, wanted));
}

function wantedOf(
  { store }: SharingDeps,
  session: SessionRow,
  {
    from,
    redacted = 'false',
    limit,
    cursor,
  }: { from: 'start' | 'now'; redacted?: string; limit: number; cursor?: string | undefined },
): PreviewWanted {
  const share = store.read((db) => findShare(db, session.n));
  // What is shared already goes on from where it was begun.
  const begun = share?.begun ?? (from === 'start' ? 0 : session.seq);
  const approved = share ? approvedOf(share) : new Set<string>();
  return { session, begun, from, approved, redacted: redacted === 'true', limit, cursor };
}

/** Shares a session and makes a link to it; throws `conflict` where what would leave was not shown. */
export async function share(
  deps: SharingDeps,
  caller: Asking,
  wanted: { id: string; from: 'start' | 'now'; role: 'viewer' | 'editor'; expires_in: number; token: string },
) {
  const { rooms } = deps;
  const at = roomOf(deps, caller, wanted.id);
  refuseOthers(at, deps);
  const { session } = at;
  const shown = await shownBefore(deps, session, wanted);
  const room = await rooms.open(caller.account, session.id);
  agree(deps, session, { from: wanted.from, shown });
  // Its first record makes this device its host: only then others may come.
  await until(deps, () => (rooms.about(caller.account, session.id)?.cursor ?? 0) > 0);
  const made = await rooms.invite(room, session.id, wanted);
  await refreshMembers(deps, caller.account, session.id);
  return { ...made, role: wanted.role, preview: shown };
}

/** Lets what waits in a shared session leave; throws `conflict` where it was not shown to a person before. */
export async function approve(
  deps: SharingDeps,
  caller: Asking,
  { id, token }: { id: string; token: string },
): Promise<void> {
  const at = shared(deps, caller, id);
  refuseOthers(at, deps);
  const row = deps.store.read((db) => findShare(db, at.session.n));
  const from = row?.begun === 0 ? 'start' : 'now';
  agree(deps, at.session, { from, shown: await shownBefore(deps, at.session, { from, token }) });
}

/** What would leave, which has to be what was shown under a token. */
async function shownBefore(
  deps: SharingDeps,
  session: SessionRow,
  { from, token }: { from: 'start' | 'now'; token: string },
): Promise<Preview> {
  const shown = await previewOf(deps, wantedOf(deps, session, { from, limit: 50 }));
  if (shown.token === token) return shown;
  throw new Problem(
    'conflict',
    'What would leave is not what was shown: another kind of secret was found since, or no preview was looked at. Look at the preview again',
  );
}

/** Notes that a person agreed to what was shown, and sends it. */
function agree(
  { store, queue }: SharingDeps,
  session: SessionRow,
  { from, shown }: { from: 'start' | 'now'; shown: Preview },
): void {
  const { account } = session;
  store.write((db) => {
    const now = findSession(db, account, session.id) ?? session;
    const before = findShare(db, session.n);
    const begun = before?.begun ?? (from === 'start' ? 0 : session.seq);
    const approved = new Set([
      ...(before ? approvedOf(before) : []),
      ...shown.by_rule.map(({ rule }) => rule),
    ]);
    saveShare(db, {
      session: now.n,
      account,
      begun,
      queued: before?.queued ?? begun,
      approved: JSON.stringify([...approved]),
      told: before?.told ?? '',
      waits: 0,
    });
  });
  queue.wake(session.n);
}

async function until({ wait }: SharingDeps, isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += LOOK) {
    if (waited >= PATIENCE)
      throw new Problem(
        'relay_unreachable',
        'The relay does not take it now; `reverie sync` says why. What was begun goes on by itself',
      );
    await wait(LOOK);
  }
}

/** How a session is shared. */
export async function shareState(deps: SharingDeps, caller: Asking, id: string) {
  const { session, room } = roomOf(deps, caller, id);
  const row = deps.store.read((db) => findShare(db, session.n));
  if (!room) {
    const ended = deps.store.read((db) => findEnding(db, session.n));
    return {
      shared: false,
      from: null,
      invites: [],
      pending: 0,
      waiting: 0,
      ended: ended ? sharingEnded(ended) : null,
    };
  }
  const from = row ? (row.begun === 0 ? ('start' as const) : ('now' as const)) : null;
  const isOwner = session.role === 'owner';
  return {
    shared: true,
    ended: null,
    from,
    pending: deps.rooms.pending(room.room),
    invites: isOwner
      ? (await deps.rooms.invites(room.room)).map(({ id: invite, role, created_at, expires_at }) => ({
          id: invite,
          role,
          created_at,
          expires_at,
        }))
      : [],
    waiting:
      row?.waits === 1
        ? deps.store.read((db) => countEntries(db, { session: session.n, ...ALL_KINDS, since: row.queued }))
        : 0,
  };
}

/** Ends sharing for all; what others read stays with them. */
export async function unshare(deps: SharingDeps, caller: Asking, id: string): Promise<void> {
  const { session, room } = shared(deps, caller, id);
  if (session.role !== 'owner')
    throw new Problem('forbidden_role', 'Only the owner ends sharing for all; leave the session instead');
  await deps.rooms.leave(room.room);
  forget(deps, session, room.room);
}

function forget({ store, rooms }: SharingDeps, { n }: SessionRow, room: string): void {
  store.write((db) => {
    deleteShare(db, n);
    // The relay may have told that the room is gone before it answered.
    deleteEnding(db, n);
    rooms.forget(db, room);
  });
}

export async function revokeInvite(
  deps: SharingDeps,
  caller: Asking,
  { id, invite }: { id: string; invite: string },
): Promise<void> {
  const { room } = shared(deps, caller, id);
  await deps.rooms.revoke(room.room, invite);
}

/** Removes a participant, who reads nothing more from then on; `me` leaves the session. Answers how many open links became void with it. */
export async function removeParticipant(
  deps: SharingDeps,
  caller: Asking,
  { id, participant }: { id: string; participant: string },
): Promise<number> {
  const { session, room } = shared(deps, caller, id);
  const members = await deps.rooms.members(room.room);
  const self = members.find(({ you }) => you);
  const member = participant === 'me' ? self : members.find((one) => one.id === participant);
  if (!member)
    throw new Problem(
      'member_not_found',
      `There is no participant ${JSON.stringify(participant)} in this session`,
    );
  if (member.you && member.role === 'owner')
    throw new Problem('forbidden_role', 'The owner cannot leave; stop sharing the session instead');
  if (!member.you) {
    const ended = await deps.rooms.remove(room.room, member.id);
    await refreshMembers(deps, caller.account, session.id);
    return ended;
  }
  await deps.rooms.leave(room.room);
  forget(deps, session, room.room);
  return 0;
}

/** Joins a session by its link; answers it with what the relay has of it. */
export async function join(
  deps: SharingDeps,
  caller: Asking,
  { invite, namespace }: { invite: string; namespace?: string | undefined },
): Promise<CodingSession> {
  const { store, rooms } = deps;
  const { about, role } = await rooms.accept(caller.account, invite);
  const session = store.write((db) =>
    joinedSession(db, deps, { account: caller.account, about, role, namespace }),
  );
  await until(deps, () => {
    const room = rooms.about(caller.account, about);
    return room !== undefined && room.host !== null && room.cursor >= room.head;
  });
  await refreshMembers(deps, caller.account, about);
  deps.queue.wake(session.n);
  return store.read((db) => toSession(db, deps, { row: sessionOf(db, caller, about), caller }));
}

/** Asks the relay who is in a session. */
export async function refreshMembers(
  { store, rooms }: SharingDeps,
  account: AccountId,
  id: string,
): Promise<void> {
  const room = rooms.about(account, id);
  if (!room) return;
  const members = await rooms.members(room.room);
  store.write((db) => {
    const session = findSession(db, account, id);
    if (!session) return;
    const self = members.find(({ you }) => you);
    if (self && self.role !== session.role) saveSession(db, { ...session, role: self.role });
    saveMembers(
      db,
      { account, session: session.n },
      members.map(({ id: member, email, role, you }) => ({
        member,
        role,
        self: you ? 1 : 0,
        name: email ?? 'Somebody',
      })),
    );
  });
}

/** Who is in a session, as is known here. */
export function participantsOf(
  db: ReadDb,
  { isOnline }: Pick<SharingDeps, 'isOnline'>,
  session: SessionRow,
): Participant[] {
  return listMembers(db, session.n).map(({ member, name, role, self }) => ({
    id: member,
    name,
    role,
    self: self === 1,
    online: self === 1 || isOnline(session.id, member),
  }));
}
