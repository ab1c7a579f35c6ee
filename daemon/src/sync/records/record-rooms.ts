import { randomUUID } from 'node:crypto';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { RelayRoom } from '@reverie/shared/contract/relay/relay-rooms';
import { NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Entry, Message, Role, Welcome } from '@reverie/shared/protocol/messages';
import { limits, RECORD_BUCKET } from '@reverie/shared/protocol/version';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { Log } from '../../platform/log.ts';
import { chainOf } from '../session/page.ts';
import type { RelayConnection } from '../relay/connection.ts';
import {
  countSends,
  deleteRecordRoom,
  deleteSend,
  deleteSends,
  findRecordRoom,
  findRecordRoomAbout,
  insertSend,
  LEFT_LOG,
  listRecordRooms,
  type RecordRoomRow,
  type RecordSend,
  saveRecordRoom,
  sendsAfter,
} from './records.store.ts';

/** A record that stands in a room's log. */
export interface ReceivedRecord {
  seq: number;
  device: string;
  body: Uint8Array;
}

/** Who keeps what the rooms hold. */
export interface RecordsWorld {
  /** Takes records over, in the transaction that notes how far the log was read; what it cannot read it passes over. */
  received(db: WriteDb, room: RecordRoomRow, records: readonly ReceivedRecord[]): void;
  /** The relay has another history: what was sent to it is lost, and has to be sent again. */
  lost(db: WriteDb, room: RecordRoomRow): void;
  /** A room is not this account's any more. `restored`: the relay lost it with another log; `left`: it was at the relay of before. */
  gone(db: WriteDb, room: RecordRoomRow, reason: 'restored' | 'left' | 'ended'): void;
  /** Somebody is there, as they say of themselves; never stored. Answers whether that is news, so that they are told who is here. */
  present(room: RecordRoomRow, device: string, body: Uint8Array): boolean;
  /** What this device says of itself to those in a room; `member` is this account as the relay calls it. */
  saying(room: RecordRoomRow, member: string): Uint8Array;
  /** The members, or the role of this account, may be others. */
  changed(room: RecordRoomRow): void;
}

/** Rooms of records over the link's connection: append-only, each with its own log. */
export interface RecordRooms {
  /** A connection is open; what is read on it goes to `world`. */
  opened(connection: RelayConnection, welcome: Welcome, world: RecordsWorld): void;
  closed(): void;
  /** Takes a message about one of its rooms; false where it is about none, or no connection is open. */
  take(message: Message): boolean;
  /** What the relay lists of this account's rooms. */
  listed(account: AccountId, rooms: readonly RelayRoom[]): void;
  /** Reads rooms that are new, and sends what waits. */
  pump(): void;
  /** Joins a room that was opened or joined on the relay. */
  join(db: WriteDb, room: { room: string; account: AccountId; about: string; role: Role }): void;
  /** Leaves a room here. */
  leave(db: WriteDb, room: string): void;
  about(account: AccountId, about: string): RecordRoomRow | undefined;
  /** Puts a record on its way, in the transaction of the caller. */
  add(db: WriteDb, room: RecordRoomRow, body: Uint8Array): void;
  /** Records that the relay has not confirmed. */
  pending(room: string): number;
}

/** Rooms of records are called so on the relay; the names of namespaces never have a colon behind a percent sign. */
const PREFIX = '%session:';
/** Bytes that are under way to the relay at most, and records. */
const UNDER_WAY = { bytes: 1024 * 1024, records: 256 } as const;
/** When what was refused is sent again at the earliest, ms. */
const AGAIN = 5_000;

/** The relay's name of the room of records about something. */
export function recordRoomName(about: string): string {
  return `${PREFIX}${about}`;
}

/** What a room of the relay holds records about; undefined where it holds a namespace. */
export function recordsAbout(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** The connection that is open, and who keeps what is read on it. */
interface Open {
  connection: RelayConnection;
  logId: string;
  /** This account as the relay calls it. */
  member: string;
  world: RecordsWorld;
}

/** How far a room is read and written on a connection. */
interface RoomProgress {
  state: 'asked' | 'reading';
  sentId: number;
  inFlight: number;
  again?: NodeJS.Timeout | undefined;
}

export function createRecordRooms({
  store,
  log,
  now,
}: {
  store: Store;
  log: Log;
  now: () => number;
}): RecordRooms {
  const incarnation = randomUUID();
  const readings = new Map<string, RoomProgress>();
  let open: Open | undefined;
  let beat: NodeJS.Timeout | undefined;

  const fresh = (room: string) => store.read((db) => findRecordRoom(db, room));

  function subscribe(row: RecordRoomRow): void {
    const { room, log_id: logId, cursor } = row;
    readings.set(room, { state: 'asked', sentId: 0, inFlight: 0 });
    const hash = cursor > 0 ? row.hash : new Uint8Array();
    open?.connection.send({ type: 'subscribe', room, logId, cursor, hash });
  }

  function tellPresence(): void {
    for (const row of store.read(listRecordRooms)) sayPresence(row);
  }

  function sayPresence(row: RecordRoomRow): void {
    const { room } = row;
    if (!open || readings.get(room)?.state !== 'reading') return;
    const body = open.world.saying(row, open.member);
    open.connection.send({ type: 'presence', room, device: '', body });
  }

  function inRoom(
    { logId, world }: Open,
    row: RecordRoomRow,
    message: Extract<Message, { room: string }>,
  ): void {
    const reading = readings.get(row.room);
    switch (message.type) {
      case 'subscribed': {
        if (!reading) return;
        const isResync =
          row.log_id !== '' && (row.log_id !== logId || (message.outcome === 'resync' && row.cursor > 0));
        const now = {
          ...row,
          log_id: logId,
          role: message.role,
          head: message.head,
          ...(isResync && { cursor: 0, hash: NO_HASH }),
        };
        store.write((db) => {
          saveRecordRoom(db, now);
          if (isResync) deleteSends(db, row.room);
          if (isResync) world.lost(db, now);
        });
        reading.state = 'reading';
        world.changed(now);
        tellPresence();
        return pump();
      }
      case 'entries':
        if (reading?.state === 'reading') read(world, row, message);
        return;
      case 'ack':
        store.write((db) => {
          for (const { n } of message.acks) deleteSend(db, { id: n, incarnation: message.incarnation });
        });
        if (reading) reading.inFlight = Math.max(0, reading.inFlight - message.acks.length);
        return pump();
      case 'role': {
        const now = { ...row, role: message.role };
        store.write((db) => saveRecordRoom(db, now));
        return world.changed(now);
      }
      case 'presence':
        if (world.present(row, message.device, message.body)) sayPresence(row);
        return;
      default:
        // Documents alone have snapshots and epochs.
        return;
    }
  }

  function read(
    world: RecordsWorld,
    row: RecordRoomRow,
    message: Extract<Message, { type: 'entries' }>,
  ): void {
    const entries = message.entries.filter(({ seq }) => seq > row.cursor);
    const [last] = entries.slice(-1);
    if (!last) return;
    chainOf({ ...message, entries }, { ...row, covered: 0 });
    const host = row.host ?? entries.find(({ seq }) => seq === 1)?.device ?? null;
    const now = {
      ...row,
      cursor: last.seq,
      hash: message.hash,
      head: Math.max(row.head, message.head),
      host,
    };
    store.write((db) => {
      world.received(db, now, recordsIn(entries));
      saveRecordRoom(db, now);
    });
  }

  function refused(
    { world, logId }: Open,
    row: RecordRoomRow,
    message: Extract<Message, { type: 'error' }>,
  ): void {
    const { code, detail, entry } = message;
    if (code === 'gone') {
      readings.delete(row.room);
      return store.write((db) => {
        world.gone(db, row, whyGone(row, logId));
        deleteRecordRoom(db, row.room);
      });
    }
    log.warn({ code, detail, about: row.about }, 'the relay refused a record of a session');
    // Sent again, these are refused again.
    if (entry && ['invalid', 'too_large', 'forbidden', 'malformed'].includes(code))
      store.write((db) => deleteSend(db, { id: entry.n, incarnation: entry.incarnation }));
    const reading = readings.get(row.room);
    if (!reading || reading.again) return;
    reading.again = setTimeout(
      () => {
        Object.assign(reading, { sentId: 0, inFlight: 0, again: undefined });
        pump();
      },
      Math.max(AGAIN, message.retryAfterMs),
    ).unref();
  }

  function send(row: RecordRoomRow, reading: RoomProgress): void {
    if (row.role === 'viewer' || reading.again) return;
    const room = UNDER_WAY.records - reading.inFlight;
    if (room <= 0) return;
    let bytes = 0;
    const some: RecordSend[] = [];
    for (const one of store.read((db) => sendsAfter(db, row.room, { id: reading.sentId, limit: room }))) {
      bytes += one.body.length;
      if (some.length > 0 && bytes > UNDER_WAY.bytes) break;
      some.push(one);
    }
    for (const [own, group] of Map.groupBy(some, (one) => one.incarnation))
      open?.connection.send({
        type: 'append',
        room: row.room,
        epoch: 0,
        incarnation: own,
        entries: group.map(({ id, at, body }) => ({
          kind: 'update',
          n: id,
          at,
          bucket: RECORD_BUCKET,
          enc: false,
          body,
        })),
      });
    const last = some.at(-1);
    if (last) reading.sentId = last.id;
    reading.inFlight += some.length;
  }

  function pump(): void {
    if (!open) return;
    for (const row of store.read(listRecordRooms)) {
      const reading = readings.get(row.room);
      if (!reading) subscribe(row);
      else if (reading.state === 'reading') send(row, reading);
    }
  }

  return {
    opened(connection, { logId, heartbeatMs, account: member }, world) {
      open = { connection, logId, member, world };
      readings.clear();
      clearInterval(beat);
      beat = setInterval(tellPresence, heartbeatMs).unref();
      pump();
    },
    closed() {
      open = undefined;
      clearInterval(beat);
      for (const { again } of readings.values()) clearTimeout(again);
      readings.clear();
    },
    take(message) {
      if (!open || !('room' in message) || message.room === undefined) return false;
      const row = fresh(message.room);
      if (!row) return false;
      if (message.type === 'error') refused(open, row, message);
      else inRoom(open, row, message);
      return true;
    },
    listed(account, rooms) {
      const known = new Set(rooms.map(({ id }) => id));
      store.write((db) => {
        for (const { id: room, name, role } of rooms) {
          const about = recordsAbout(name);
          if (about === undefined || findRecordRoom(db, room)) continue;
          const before = findRecordRoomAbout(db, account, about);
          // The relay lost the room that it was in, and has another one for it.
          if (before && !known.has(before.room)) deleteRecordRoom(db, before.room);
          if (!before || !known.has(before.room)) this.join(db, { room, account, about, role });
        }
      });
      // Where the connection was closed meanwhile, the next one has them listed anew.
      for (const row of store.read(listRecordRooms)) open?.world.changed(row);
      pump();
    },
    pump,
    join(db, { room, account, about, role }) {
      const unread = { log_id: '', cursor: 0, hash: NO_HASH, head: 0, host: null };
      saveRecordRoom(db, { room, account, about, role, ...unread });
      db.afterCommit(() => setImmediate(pump));
    },
    leave(db, room) {
      deleteRecordRoom(db, room);
      readings.delete(room);
      open?.connection.send({ type: 'unsubscribe', room });
    },
    about: (account, about) => store.read((db) => findRecordRoomAbout(db, account, about)),
    add(db, { account, room }, body) {
      if (body.length > limits.body) throw new Error('a record is larger than the wire takes');
      insertSend(db, { account, room, incarnation, at: now(), body });
      db.afterCommit(() => setImmediate(pump));
    },
    pending: (room) => store.read((db) => countSends(db, room)),
  };
}

function whyGone({ log_id }: RecordRoomRow, logId: string): 'restored' | 'left' | 'ended' {
  if (log_id === LEFT_LOG) return 'left';
  return log_id === '' || log_id === logId ? 'ended' : 'restored';
}

function recordsIn(entries: readonly Entry[]): ReceivedRecord[] {
  return entries.flatMap((entry) =>
    entry.kind === 'update' && entry.bucket === RECORD_BUCKET
      ? [{ seq: entry.seq, device: entry.device, body: entry.body }]
      : [],
  );
}
