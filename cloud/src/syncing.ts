import type { Append, Message, NewEntry, Presence, Role, Subscribe } from '@reverie/shared/protocol/messages';
import { RECORD_BUCKET } from '@reverie/shared/protocol/version';
import { isJsonObject, refusalOf, type Space } from './admission.ts';
import type { Clock } from './clock.ts';
import { createCommitter, type Done } from './committing.ts';
import type { Connection } from './connection.ts';
import type { Metrics } from './metrics.ts';
import { type Committed, createReaders } from './readers.ts';
import { mayWrite } from './rooms/membership.ts';
import { BUSY, GONE, LATER_MS, NO_SPACE, type Refused } from './refusals.ts';
import { createSnapshots } from './snapshots.ts';
import { sizeOf, type UpdateLog } from './update-log/update-log.ts';
import type { Read } from './update-reader.ts';

export interface SyncingDeps {
  log: UpdateLog;
  clock: Clock;
  metrics: Metrics;
  space: Space;
  world: SyncingWorld;
}

/** What an account may do in a room, and whose space the room takes. */
export interface Access {
  role: Role;
  owner: string;
}

/** What syncing needs of accounts and rooms. */
export interface SyncingWorld {
  accessOf(room: string, account: string): Access | undefined;
  /** Bytes that the logs of an account's own rooms may take. */
  quotaOf(account: string): number;
  /** Whether bodies of an account that are not encrypted are Yjs updates; a promise where that takes a while. */
  read(account: string, bodies: readonly Uint8Array[]): readonly boolean[] | Promise<Read>;
  /** Told of entries that could not be written. */
  failed(cause: unknown, count: number): void;
}

/** What devices say about rooms, and what they are told. */
export interface Syncing {
  /** What a connection said after hello; a promise where its next message has to wait. */
  handle(connection: Connection, message: Message): void | Promise<void>;
  left(connection: Connection): void;
  /** Tells the heads of its rooms to a connection. */
  tellHeads(connection: Connection): void;
  /** Members have other roles, or none, or the room is gone. */
  accessChanged(room: string): void;
  /** Snapshots of a room were settled by time. */
  settled(room: string): Promise<void>;
  /** Resolves when everything that devices added is on disk. */
  idle(): Promise<void>;
}

interface Writer {
  connection: Connection;
  owner: string;
}

export function createSyncing({ log, clock, metrics, space, world }: SyncingDeps): Syncing {
  const readers = createReaders({ log, metrics });
  /** Thrown away whole when any membership changes, which is rare. */
  let access = new WeakMap<Connection, Map<string, Access>>();
  const committer = createCommitter<Writer>({
    log: {
      async append(batch) {
        metrics.batch.observe(batch.length);
        const end = metrics.commit.startTimer();
        const outcomes = await log.append(batch);
        end();
        return outcomes;
      },
    },
    committed,
    failed(lost, cause) {
      world.failed(cause, lost.length);
      // What is not acknowledged is sent again: to connect anew is the plainest way to it.
      for (const connection of new Set(lost.map(({ from }) => from.connection)))
        connection.close('later', 'The relay could not write to its disk; nothing was stored', LATER_MS);
    },
  });

  function accessOf(connection: Connection, room: string): Access | undefined {
    const known = access.get(connection) ?? new Map<string, Access>();
    access.set(connection, known);
    const found = known.get(room) ?? world.accessOf(room, connection.account);
    if (found) known.set(room, found);
    return found;
  }

  function writing(connection: Connection, room: string): Access | Refused {
    const found = accessOf(connection, room);
    if (!found) return GONE;
    return mayWrite(found.role)
      ? found
      : { code: 'forbidden', detail: 'Viewers of a room may not write in it' };
  }

  /** The access of who may write; who may not is told so. */
  function writerOf(connection: Connection, room: string): Access | undefined {
    const found = writing(connection, room);
    if ('role' in found) return found;
    connection.refuse({ ...found, room });
    return undefined;
  }

  function append(connection: Connection, message: Append): void | Promise<void> {
    const plain = plainOf(message.entries);
    // Nothing is read for who may not write.
    const isRead = 'role' in writing(connection, message.room) ? world.read(connection.account, plain) : [];
    if (!('then' in isRead)) return admit(connection, message, unreadOf(plain, isRead));
    return isRead.then((answers) => {
      if (answers !== 'later') return admit(connection, message, unreadOf(plain, answers));
      const { room, incarnation, entries } = message;
      for (const { n } of entries) connection.refuse({ ...BUSY, room, entry: { incarnation, n } });
    });
  }

  function admit(connection: Connection, message: Append, unread: Set<Uint8Array>): void | Promise<void> {
    const { room, epoch, incarnation, entries } = message;
    const allowed = writing(connection, room);
    const refuse = (refused: Refused, n: number) =>
      connection.refuse({ ...refused, room, entry: { incarnation, n } });
    if (!('role' in allowed)) {
      for (const { n } of entries) refuse(allowed, n);
      return;
    }
    const used = space.used(allowed.owner);
    if (typeof used !== 'number') return used.then(() => admit(connection, message, unread));
    let left = world.quotaOf(allowed.owner) - used;
    const now = clock.now();
    const { device } = connection;
    const from = { connection, owner: allowed.owner };
    for (const entry of entries) {
      left -= sizeOf(entry);
      const record = recordIn(entry);
      const isRead = record ? isJsonObject(record) : entry.kind === 'clear' || !unread.has(entry.body);
      const refused = refusalOf(entry, { now, isRead }) ?? (left < 0 ? NO_SPACE : undefined);
      if (refused) refuse(refused, entry.n);
      else committer.add({ from, appended: { room, epoch, device, incarnation, entry } });
    }
  }

  /** Acknowledges what is on disk, then tells it to who reads. */
  function committed(done: readonly Done<Writer>[]): void {
    const acks = new Map<Connection, Map<string, { n: number; seq: number }[]>>();
    const stored = new Map<string, Committed[]>();
    for (const { from, appended, outcome } of done) {
      const { room, incarnation, entry } = appended;
      metrics.entries.inc({ outcome: outcome.kind });
      if (outcome.kind === 'stale_epoch' || outcome.kind === 'gone') {
        const detail = outcome.kind === 'gone' ? GONE.detail : `The room is at epoch ${outcome.epoch}`;
        from.connection.refuse({ code: outcome.kind, detail, room, entry: { incarnation, n: entry.n } });
        continue;
      }
      const seq = outcome.kind === 'known' ? outcome.seq : outcome.entry.seq;
      listOf(listsOf(acks, from.connection), `${room} ${incarnation}`).push({ n: entry.n, seq });
      if (outcome.kind === 'known') continue;
      listOf(stored, room).push(outcome);
      space.add(from.owner, sizeOf(entry));
    }
    for (const [connection, groups] of acks)
      for (const [name, list] of groups) {
        const [room = '', incarnation = ''] = name.split(' ');
        connection.send({ type: 'ack', room, incarnation, acks: list });
      }
    for (const [room, list] of stored) readers.tell(room, list);
  }

  function subscribe(connection: Connection, message: Subscribe): void | Promise<void> {
    const { room } = message;
    const allowed = accessOf(connection, room);
    return allowed
      ? readers.subscribe(connection, message, allowed.role)
      : connection.refuse({ ...GONE, room });
  }

  function presence(connection: Connection, { room, body }: Presence): void {
    if (readers.isReading(connection, room))
      readers.tellOthers(connection, room, { type: 'presence', room, device: connection.device, body });
  }

  const snapshots = createSnapshots({
    ...{ log, clock, space, readers },
    world: { ...world, writerOf },
  });

  return {
    handle(connection, message) {
      switch (message.type) {
        case 'append':
          return append(connection, message);
        case 'subscribe':
          return subscribe(connection, message);
        case 'unsubscribe':
          return readers.unsubscribe(connection, message.room);
        case 'snapshot':
          return snapshots.take(connection, message);
        case 'confirm':
          return snapshots.confirm(connection, message);
        case 'epoch':
          return snapshots.advance(connection, message);
        case 'presence':
          return presence(connection, message);
        default:
          return connection.close('malformed', `A device does not say ${message.type} here`);
      }
    },
    left: (connection) => readers.left(connection),
    tellHeads: (connection) =>
      connection.send({ type: 'heads', now: clock.now(), heads: readers.headsOf(connection) }),
    accessChanged(room) {
      access = new WeakMap();
      for (const { connection } of readers.of(room)) {
        const found = accessOf(connection, room);
        if (found) connection.send({ type: 'role', room, role: found.role });
        else {
          readers.unsubscribe(connection, room);
          connection.refuse({ ...GONE, room });
        }
      }
    },
    settled: (room) => readers.tellSettled(room),
    idle: () => committer.idle(),
  };
}

/** The bodies that are not encrypted. */
function plainOf(entries: readonly NewEntry[]): Uint8Array[] {
  return entries.flatMap((entry) =>
    entry.kind === 'update' && !entry.enc && !recordIn(entry) ? [entry.body] : [],
  );
}

/** What an entry holds that is a record, not a part of a document. */
function recordIn(entry: NewEntry): Uint8Array | undefined {
  return entry.kind === 'update' && entry.bucket === RECORD_BUCKET ? entry.body : undefined;
}

function unreadOf(bodies: readonly Uint8Array[], isRead: readonly boolean[]): Set<Uint8Array> {
  return new Set(bodies.filter((_, index) => isRead[index] !== true));
}

function listOf<K, T>(lists: Map<K, T[]>, key: K): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function listsOf<K, T>(maps: Map<K, Map<string, T[]>>, key: K): Map<string, T[]> {
  const map = maps.get(key) ?? new Map<string, T[]>();
  maps.set(key, map);
  return map;
}
