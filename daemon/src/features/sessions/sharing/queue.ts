import type { Store } from '../../../db/open-store.ts';
import type { Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { type EntryRow, entriesSince, findKnownEntry } from '../entries.store.ts';
import { findSessionByNumber, type SessionRow } from '../sessions.store.ts';
import { entryRecord } from './leaving.ts';
import type { Leaver, SessionRoom, SessionRooms } from './ports.ts';
import { encodeRecord } from './record.ts';
import { findShare, saveShare, type ShareRow, sharedSessions } from './shares.store.ts';

export interface QueueDeps {
  store: Store;
  log: Log;
  rooms: SessionRooms;
  leaver: Leaver;
}

/** What follows the writing of shared sessions: entries are looked through for secrets, and put on their way. */
export interface ShareQueue {
  /** A session was written to, or may go on. */
  wake(session: number): void;
  /** Begins with what was left by the last run. */
  start(): Stop;
}

/** Entries that are looked through before they are put on their way together. */
const AT_ONCE = 32;
/** When what failed is tried again, ms. */
const AGAIN = 30_000;
export const ALL_KINDS = { kinds: null, failed: null } as const;

export function createShareQueue(deps: QueueDeps): ShareQueue {
  const { store, log, rooms } = deps;
  const running = new Set<number>();
  const owed = new Set<number>();
  const again = new Set<NodeJS.Timeout>();
  let isStopped = false;

  /** Whether there may be more. */
  async function step(number: number): Promise<boolean> {
    const at = store.read((db) => {
      const session = findSessionByNumber(db, number);
      const share = findShare(db, number);
      return session && share && { session, share };
    });
    const room = at && rooms.about(at.session.account, at.session.id);
    if (!at || !room || room.role === 'viewer') return false;
    const { session, share } = at;
    const isHost = isHostOf(room, rooms.device());
    if (isHost) await tellSession(session, room);
    if (share.waits === 1) return false;
    return sendSome(share, { session, room, isHost });
  }

  /** Tells what is known of the session itself, where that is another thing than before. */
  async function tellSession(session: SessionRow, room: SessionRoom): Promise<void> {
    const { record } = await deps.leaver.session(session);
    const told = JSON.stringify(record);
    store.write((db) => {
      const share = findShare(db, session.n);
      if (!share || share.told === told) return;
      saveShare(db, { ...share, told });
      rooms.add(db, room, encodeRecord(record));
    });
  }

  async function sendSome(
    { queued, approved }: ShareRow,
    { session, room, isHost }: { session: SessionRow; room: SessionRoom; isHost: boolean },
  ): Promise<boolean> {
    const rows = store.read((db) =>
      entriesSince(
        db,
        { session: session.n, ...ALL_KINDS },
        { since: queued, letters: Number.MAX_SAFE_INTEGER, limit: AT_ONCE },
      ),
    );
    const known = approvedOf({ approved });
    const leaving: { row: EntryRow; body: Uint8Array }[] = [];
    let upTo = queued;
    let waits = false;
    for (const row of rows) {
      // Who was invited writes notes; all else here came from the others.
      const isOwn = row.device === null && (isHost || row.kind === 'note');
      const looked = isOwn ? await deps.leaver.looked(session, row) : undefined;
      if (looked?.kind === 'clean') {
        if (isHost && looked.rules.some((rule) => !known.has(rule))) {
          waits = true;
          break;
        }
        leaving.push({ row, body: encodeRecord(entryRecord(row, looked)) });
      }
      upTo = row.seq;
    }
    store.write((db) => {
      const now = findShare(db, session.n);
      if (!now) return;
      for (const { row, body } of leaving) {
        const still = findKnownEntry(db, session.n, row.item);
        // What was changed or taken back meanwhile comes again, or never.
        if (still && Buffer.compare(still.hash, row.hash) === 0) rooms.add(db, room, body);
      }
      saveShare(db, { ...now, queued: Math.max(now.queued, upTo), waits: waits ? 1 : now.waits });
    });
    return !waits && rows.length === AT_ONCE;
  }

  async function run(session: number): Promise<void> {
    running.add(session);
    try {
      do owed.delete(session);
      while (!isStopped && ((await step(session)) || owed.has(session)));
    } catch (err) {
      log.warn({ err }, 'a shared session could not be sent; it is tried again in 30 s');
      const timer = setTimeout(() => {
        again.delete(timer);
        queue.wake(session);
      }, AGAIN).unref();
      again.add(timer);
    } finally {
      running.delete(session);
    }
  }

  const queue: ShareQueue = {
    wake(session) {
      if (isStopped) return;
      owed.add(session);
      if (!running.has(session)) void run(session);
    },
    start() {
      for (const session of store.read(sharedSessions)) queue.wake(session);
      return () => {
        isStopped = true;
        for (const timer of again) clearTimeout(timer);
      };
    },
  };
  return queue;
}

/** Whether what the session's agent does is told by this device: it wrote the first record, or there is none yet. */
export function isHostOf(
  { host, role }: Pick<SessionRoom, 'host' | 'role'>,
  device: string | undefined,
): boolean {
  return role === 'owner' && (host === null || host === device);
}

/** Kinds of secrets that a person was shown. */
export function approvedOf({ approved }: Pick<ShareRow, 'approved'>): Set<string> {
  const parsed: unknown = JSON.parse(approved);
  return new Set(Array.isArray(parsed) ? parsed.filter((rule) => typeof rule === 'string') : []);
}
