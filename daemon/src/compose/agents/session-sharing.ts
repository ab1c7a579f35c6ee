import { z } from 'zod';
import type { SessionsDeps, SessionsWorld } from '../../features/sessions/deps.ts';
import { findSession, saveSession } from '../../features/sessions/sessions.store.ts';
import { deleteEnding, saveEnding } from '../../features/sessions/sharing/endings.store.ts';
import type { Leaver, SessionRooms } from '../../features/sessions/sharing/ports.ts';
import { createShareQueue } from '../../features/sessions/sharing/queue.ts';
import { takeRecords, joinedSession } from '../../features/sessions/sharing/receiving.ts';
import { encodeRecord } from '../../features/sessions/sharing/record.ts';
import {
  participantsOf,
  refreshMembers,
  type SharingDeps,
} from '../../features/sessions/sharing/sharing.service.ts';
import { deleteShare, findShare, saveShare } from '../../features/sessions/sharing/shares.store.ts';
import type { Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { RecordsWorld } from '../../sync/records/record-rooms.ts';
import { findRecordRoom, findRecordRoomAbout } from '../../sync/records/records.store.ts';
import type { SyncedRooms } from '../synced-rooms.ts';

/** What a device says of itself to the others in a session. */
const Presence = z.object({ account: z.string().max(64), name: z.string().max(128) });
/** How long somebody counts as there after they were heard, ms: a little more than two beats of the relay. */
const HEARD_FOR = 75_000;

/** What sessions need but for what sharing knows of them. */
interface Unshared extends Omit<SessionsDeps, 'world'> {
  world: Omit<SessionsWorld, 'participantsOf' | 'isShared' | 'written' | 'removed'>;
}

interface SharingParts {
  log: Log;
  rooms: SyncedRooms;
  leaver: Leaver;
  /** Told once what was written to a session is on disk. */
  written: (session: string) => void;
}

/** Joins the sharing of sessions with the rooms of the relay. */
export function createSessionSharing(
  { store, clock, world }: Unshared,
  { log, rooms, leaver, written }: SharingParts,
): {
  /** What sessions need, sharing included. */
  deps: SharingDeps;
  records: RecordsWorld;
  start(): Stop;
} {
  const { records, relay } = rooms;
  const heard = new Map<string, number>();
  const port: SessionRooms = {
    open: relay.open,
    invite: relay.invite,
    invites: relay.invites,
    revoke: relay.revoke,
    members: relay.members,
    remove: relay.remove,
    leave: relay.leave,
    accept: relay.accept,
    about: records.about,
    add(db, { room }, body) {
      const row = findRecordRoom(db, room);
      if (row) records.add(db, row, body);
    },
    forget: records.leave,
    pending: records.pending,
    device: () => rooms.link()?.device,
  };
  const queue = createShareQueue({ store, log, rooms: port, leaver });
  const isOnline = (session: string, member: string) =>
    (heard.get(`${session} ${member}`) ?? -Infinity) > clock.now() - HEARD_FOR;
  const deps: SharingDeps = {
    store,
    clock,
    rooms: port,
    leaver,
    queue,
    isOnline,
    world: {
      ...world,
      participantsOf: (db, session) => participantsOf(db, { isOnline }, session),
      isShared: (db, { account, id }) => findRecordRoomAbout(db, account, id) !== undefined,
      written(db, session) {
        if (findShare(db, session.n)) db.afterCommit(() => queue.wake(session.n));
        db.afterCommit(() => written(session.id));
      },
      removed(db, { account, id, n }, item) {
        const room = findShare(db, n) && findRecordRoomAbout(db, account, id);
        if (room) records.add(db, room, encodeRecord({ v: 1, type: 'gone', items: [item] }));
      },
    },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
  const changes = new Map<string, NodeJS.Timeout>();
  return {
    deps,
    records: {
      received: (db, room, some) => takeRecords(db, deps, { room, records: some, rooms: port }),
      lost(db, { account, about }) {
        const session = findSession(db, account, about);
        const share = session && findShare(db, session.n);
        if (share) saveShare(db, { ...share, queued: share.begun, told: '' });
      },
      gone(db, { account, about }, reason) {
        const session = findSession(db, account, about);
        if (!session) return;
        deleteShare(db, session.n);
        saveEnding(db, { account, session: session.n, reason, at: clock.now() });
        saveSession(db, session);
      },
      present({ about }, _device, body) {
        const said = presenceIn(body);
        if (!said) return false;
        const wasOnline = isOnline(about, said.account);
        heard.set(`${about} ${said.account}`, clock.now());
        return !wasOnline;
      },
      saying: ({ account }, member) =>
        new TextEncoder().encode(JSON.stringify({ account: member, name: world.personOf(account) })),
      changed({ account, about, role }) {
        store.write((db) => {
          const session = joinedSession(db, deps, { account, about, role });
          deleteEnding(db, session.n);
          if (session.role !== role) saveSession(db, { ...session, role });
        });
        // Several changes of one moment are asked about once.
        clearTimeout(changes.get(about));
        const timer = setTimeout(() => {
          changes.delete(about);
          refreshMembers(deps, account, about).catch((err: unknown) =>
            log.debug({ err }, 'the participants of a session could not be asked for'),
          );
        }, 50);
        changes.set(about, timer.unref());
      },
    },
    start() {
      const stop = queue.start();
      return () => {
        stop();
        for (const timer of changes.values()) clearTimeout(timer);
      };
    },
  };
}

function presenceIn(body: Uint8Array): z.infer<typeof Presence> | undefined {
  try {
    return Presence.safeParse(JSON.parse(new TextDecoder().decode(body))).data;
  } catch {
    return undefined;
  }
}
