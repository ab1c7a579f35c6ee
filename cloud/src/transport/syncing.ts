import type { Append, Message, NewEntry, Presence, Role, Subscribe } from '@reverie/shared/protocol/messages';
import { RECORD_BUCKET } from '@reverie/shared/protocol/version';
import { isJsonObject, refusalOf, type Space } from './admission.ts';
import type { Clock } from '@reverie/shared/time/clock';
import { createCommitter, type DoneAppend } from './committing.ts';
import type { DeviceConnection } from './connection.ts';
import type { Metrics } from '../metrics.ts';
import { type Committed, createReaders } from './readers.ts';
import { mayWrite } from '../rooms/membership.ts';
import type { Allowance } from '../rooms/participants.ts';
import { BUSY, GONE, LATER_MS, NO_SPACE, type Refused } from './refusals.ts';
import { createSnapshots } from './snapshots.ts';
import { sizeOf, type UpdateLog } from '../update-log/update-log.ts';
import type { Readability } from './update-reader.ts';

export interface SyncingDeps {
  log: UpdateLog;
  clock: Clock;
  metrics: Metrics;
  space: Space;
  world: SyncingWorld;
}

/** What an account may do in a room, whose space the room takes, and the entry behind which the account may read. */
export interface Access {
  role: Role;
  owner: string;
  since: number;
}

/** What syncing needs of accounts and rooms. */
export interface SyncingWorld {
  accessOf(room: string, account: string): Promise<Access | undefined>;
  /** Bytes that the logs of an account's own rooms may take. */
  quotaOf(account: string): number | Promise<number>;
  /** What an account may write into a room of somebody else's; a promise where that has to be counted. */
  allowanceOf(room: string, account: string): Allowance | Promise<Allowance>;
  /** Whether bodies of an account that are not encrypted are Yjs updates; a promise where that takes a while. */
  read(account: string, bodies: readonly Uint8Array[]): readonly boolean[] | Promise<Readability>;
  /** Told of entries that could not be written. */
  failed(cause: unknown, count: number): void;
  /** Told of a log that could not be read. */
  unread(cause: unknown): void;
  /** Told of logs that have grown, with their newest entries. */
  grown(heads: ReadonlyMap<string, number>): void;
  /** Told of a room with another epoch, or other snapshots. */
  tell(room: string): void;
  /** Told of what a device says of itself in a room. */
  presence(said: { room: string; device: string; body: Uint8Array }): void;
}

/** What devices say about rooms, and what they are told. */
export interface Syncing {
  /** What a connection said after hello; a promise where its next message has to wait. */
  handle(connection: DeviceConnection, message: Message): void | Promise<void>;
  left(connection: DeviceConnection): void;
  /** Tells the heads of its rooms to a connection. */
  tellHeads(connection: DeviceConnection): void;
  /** Members have other roles, or none, or the room is gone. */
  accessChanged(room: string): Promise<void>;
  /** Snapshots of a room were settled by time. */
  settled(room: string): Promise<void>;
  /** Rooms that are read here, or written to by devices of which is known that they may. */
  rooms(): ReadonlySet<string>;
  /** What other nodes of the relay did: a log has grown, an epoch has begun, snapshots wait, a device says something of itself. */
  grown(room: string, head: number): void;
  epochIs(room: string, epoch: number): void;
  offered(room: string): Promise<void>;
  presence(said: { room: string; device: string; body: Uint8Array }): void;
  /** Resolves when everything that devices added is on disk. */
  idle(): Promise<void>;
}

interface Writer {
  connection: DeviceConnection;
  owner: string;
}

export function createSyncing({ log, clock, metrics, space, world }: SyncingDeps): Syncing {
  const readers = createReaders({ log, metrics, failed: world.unread });
  const access = new Map<DeviceConnection, Map<string, Access>>();
  /** How often memberships have changed. */
  let changes = 0;
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

  /** What a connection may do in a room: at once where it is known. */
  function accessOf(connection: DeviceConnection, room: string): Access | Promise<Access | undefined> {
    const found = access.get(connection)?.get(room);
    if (found) return found;
    const before = changes;
    return world.accessOf(room, connection.account).then((asked) => {
      // What changed while it was asked is asked again.
      if (!asked || before !== changes || !connection.isOpen()) return asked;
      const known = access.get(connection) ?? new Map<string, Access>();
      access.set(connection, known.set(room, asked));
      return asked;
    });
  }

  function withAccess(
    connection: DeviceConnection,
    room: string,
    act: (found: Access | undefined) => void | Promise<void>,
  ): void | Promise<void> {
    const found = accessOf(connection, room);
    return 'then' in found ? found.then(act) : act(found);
  }

  /** The access of who may write; who may not is told so. */
  async function writerOf(connection: DeviceConnection, room: string): Promise<Access | undefined> {
    const found = writing(await accessOf(connection, room));
    if ('role' in found) return found;
    connection.refuse({ ...found, room });
    return undefined;
  }

  function append(connection: DeviceConnection, message: Append): void | Promise<void> {
    return withAccess(connection, message.room, (found) => {
      // Nothing is read for who may not write.
      if (!('role' in writing(found))) return admit(connection, message, new Set());
      const plain = plainOf(message.entries);
      const isRead = world.read(connection.account, plain);
      if (!('then' in isRead)) return admit(connection, message, unreadOf(plain, isRead));
      return isRead.then((answers) => {
        if (answers !== 'later') return admit(connection, message, unreadOf(plain, answers));
        const { room, incarnation, entries } = message;
        for (const { n } of entries) connection.refuse({ ...BUSY, room, entry: { incarnation, n } });
      });
    });
  }

  function admit(
    connection: DeviceConnection,
    message: Append,
    unread: Set<Uint8Array>,
  ): void | Promise<void> {
    const { room, incarnation, entries } = message;
    return withAccess(connection, room, (found) => {
      const allowed = writing(found);
      if (!('role' in allowed)) {
        for (const { n } of entries) connection.refuse({ ...allowed, room, entry: { incarnation, n } });
        return;
      }
      const { owner } = allowed;
      const used = space.used(owner);
      const quota = world.quotaOf(owner);
      const allowance =
        connection.account === owner ? undefined : world.allowanceOf(room, connection.account);
      const add = (left: number, guest: Allowance | undefined) =>
        addWithin(connection, message, { unread, owner, left, guest });
      const isKnown = allowance === undefined || !('then' in allowance);
      if (typeof used === 'number' && typeof quota === 'number' && isKnown)
        return add(quota - used, allowance);
      return Promise.all([used, quota, allowance]).then(([taken, most, guest]) => add(most - taken, guest));
    });
  }

  function addWithin(
    connection: DeviceConnection,
    { room, epoch, incarnation, entries }: Append,
    given: { unread: Set<Uint8Array>; owner: string; left: number; guest: Allowance | undefined },
  ): void {
    const { unread, owner, guest } = given;
    let { left } = given;
    const now = clock.now();
    const { device } = connection;
    const from = { connection, owner };
    for (const entry of entries) {
      left -= sizeOf(entry);
      const record = recordIn(entry);
      const isRead = record ? isJsonObject(record) : entry.kind === 'clear' || !unread.has(entry.body);
      const refused =
        refusalOf(entry, { now, isRead }) ?? (left < 0 ? NO_SPACE : undefined) ?? guest?.take(entry, now);
      if (refused) connection.refuse({ ...refused, room, entry: { incarnation, n: entry.n } });
      else committer.add({ from, appended: { room, epoch, device, incarnation, entry } });
    }
  }

  /** Acknowledges what is on disk, then tells it to who reads. */
  function committed(done: readonly DoneAppend<Writer>[]): void {
    const acks = new Map<DeviceConnection, Map<string, { n: number; seq: number }[]>>();
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
    const heads = new Map<string, number>();
    for (const [room, list] of stored) {
      readers.tell(room, list);
      heads.set(room, list.at(-1)?.entry.seq ?? 0);
    }
    if (heads.size > 0) world.grown(heads);
  }

  function subscribe(connection: DeviceConnection, message: Subscribe): void | Promise<void> {
    const { room } = message;
    const before = changes;
    return withAccess(connection, room, async (allowed) => {
      if (!allowed) return connection.refuse({ ...GONE, room });
      await readers.subscribe(connection, message, allowed);
      // Who was removed while this went on was not among the readers yet.
      if (before !== changes) await accessOfReader(connection, room, allowed.role);
    });
  }

  /** Has a reader hear what it may do now, or nothing more of the room. */
  async function accessOfReader(
    connection: DeviceConnection,
    room: string,
    before: Role | undefined,
  ): Promise<void> {
    const found = await accessOf(connection, room);
    if (!readers.isReading(connection, room)) return;
    if (!found) {
      readers.unsubscribe(connection, room);
      connection.refuse({ ...GONE, room });
    } else if (before !== found.role) connection.send({ type: 'role', room, role: found.role });
  }

  function presence(connection: DeviceConnection, { room, body }: Presence): void {
    if (!readers.isReading(connection, room)) return;
    const said = { room, device: connection.device, body };
    readers.tellOthers(connection, room, { type: 'presence', ...said });
    world.presence(said);
  }

  const snapshots = createSnapshots({
    log,
    clock,
    space,
    readers,
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
    left(connection) {
      access.delete(connection);
      readers.left(connection);
    },
    tellHeads: (connection) =>
      connection.send({ type: 'heads', now: clock.now(), heads: readers.headsOf(connection) }),
    async accessChanged(room) {
      changes += 1;
      const before = new Map<DeviceConnection, Role | undefined>();
      for (const [connection, known] of access) {
        before.set(connection, known.get(room)?.role);
        known.delete(room);
      }
      for (const { connection } of readers.of(room))
        await accessOfReader(connection, room, before.get(connection));
    },
    settled: (room) => readers.tellSettled(room),
    rooms: () => new Set([...readers.rooms(), ...[...access.values()].flatMap((known) => [...known.keys()])]),
    grown: (room, head) => readers.grown(room, head),
    epochIs: (room, epoch) => readers.epochIs(room, epoch),
    offered: (room) => snapshots.offered(room),
    presence: ({ room, device, body }) =>
      readers.tellOthers(undefined, room, { type: 'presence', room, device, body }),
    idle: () => committer.idle(),
  };
}

function writing(found: Access | undefined): Access | Refused {
  if (!found) return GONE;
  return mayWrite(found.role)
    ? found
    : { code: 'forbidden', detail: 'Viewers of a room may not write in it' };
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
