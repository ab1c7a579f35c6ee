import type { ErrorIs, Message, NewEntry, Subscribed, Welcome } from '@reverie/shared/protocol/messages';
import { fromStamp, toStamp } from '@reverie/shared/document/clock';
import { NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Store } from '../../db/open-store.ts';
import { knowsWriter } from '../people/people.store.ts';
import type { Log } from '../../platform/log.ts';
import { type Beginnings, createBeginnings } from './beginnings.ts';
import type { RelayConnection } from '../relay/connection.ts';
import {
  findSynced,
  findSyncedByRoom,
  listSynced,
  saveSyncedRow,
  type SyncedRow,
} from '../namespaces/namespaces.store.ts';
import { Distrusted, slicesOf } from './page.ts';
import { createRefusals } from './refusals.ts';
import type { RelayTime } from '../relay/relay-time.ts';
import type { Replicas } from '../replica/replicas.ts';
import { type SendRow, sendsAfter } from '../replica/sends.store.ts';

/** What one open connection reads and has sent; a session ends with its connection. */
export interface RelaySession {
  /** Takes a message; what changes documents is done in turn, a slice at a time. */
  take(message: Message): void;
  /** Reads rooms that are new, and sends what waits. */
  pump(): void;
  /** Asks for a new epoch of a room whose documents have grown, or (`present`) of one that is to be shared from what there is. */
  askEpoch(row: SyncedRow, how?: { present: boolean }): void;
  /** The last entry before an epoch that began here on this connection; undefined where it did not. */
  beganAt(row: SyncedRow): number | undefined;
  /** Entries that are still to be read, as far as the relay has told; null while it has not. */
  behind(row: SyncedRow): number | null;
  /** What the relay refused, and was not taken since. */
  refusal(): ErrorIs | undefined;
  end(): void;
}

export interface SessionDeps {
  store: Store;
  log: Log;
  time: RelayTime;
  replicas: Replicas;
  connection: RelayConnection;
  on: SessionEvents;
}

export interface SessionEvents {
  /** There is something to put into documents. */
  wake: () => void;
  /** The account's rooms or devices changed. */
  roomsChanged: () => void;
  /** A room is not this account's any more. */
  gone: (namespaceId: number) => void;
  /** The role in a room is another one. */
  demoted: (namespaceId: number) => void;
  /** A namespace is sent once more, for the relay has another history; with the epoch of its room. */
  resent: (namespaceId: number, epoch: number) => void;
  /** Something was read, or confirmed. */
  moved: () => void;
  /** The disk does not take it, or what the relay tells cannot be so: the connection is given up for now. */
  failed: (cause: unknown) => void;
}

interface SubscribedRoom extends UnderWay {
  room: string;
  /** `clearing up`: what waits goes off under the epoch of before, so that the relay says what of it it has. */
  state: 'asked' | 'clearing up' | 'reading' | 'put off';
  /** The room's epoch, as it was told when its newest entry was `head`. */
  epoch: number;
  head: number;
  /** Up to here snapshots stand in place of entries that the relay does not keep any more. */
  covered: number;
  /** The epoch that began here, and the last entry before it. */
  began?: { epoch: number; covers: number };
  /** What was refused is sent again then. */
  again?: { after: number; timer: NodeJS.Timeout } | undefined;
}

/** What the relay tells, by its kind. */
type MessageOf<T extends Message['type']> = Extract<Message, { type: T }>;

export function createSession(deps: SessionDeps, welcome: Welcome): RelaySession {
  const { store, log, time, replicas, connection, on } = deps;
  const rooms = new Map<number, SubscribedRoom>();
  /** Epochs that were granted to this device on this connection. */
  const granted = new Map<string, number>();
  let ended = false;
  const beginnings: Beginnings = createBeginnings({ connection, log, replicas, isOver: () => ended });
  const overdue = createOverdue(welcome.heartbeatMs);
  const refusals = createRefusals({ store, log, time, replicas });

  /** Rooms that were subscribed to before on this connection. */
  const heard = new Set<string>();

  /** Devices that wrote, of which this connection has asked who they are where that was not known. */
  const writers = new Set<string>();

  /** Asks for the names of those who wrote for the first time: a device that was linked since the rooms were listed. */
  function meet(row: SyncedRow, entries: readonly { device: string }[]): void {
    const met = entries.map(({ device }) => device).filter((device) => !writers.has(device));
    for (const device of met) writers.add(device);
    if (met.some((device) => !store.read((db) => knowsWriter(db, row.account, device)))) on.roomsChanged();
  }

  const fresh = (row: SyncedRow) => store.read((db) => findSynced(db, row.id)) ?? row;

  function subscribe(row: SyncedRow): void {
    if (row.room === null) return;
    const { room, log_id: logId } = row;
    const cursor = row.hash.length > 0 ? row.cursor : 0;
    rooms.set(row.id, {
      room,
      state: 'asked',
      sentId: 0,
      inFlight: 0,
      epoch: row.epoch,
      head: 0,
      covered: 0,
    });
    connection.send({
      type: 'subscribe',
      room,
      logId,
      cursor,
      hash: cursor > 0 ? row.hash : new Uint8Array(),
    });
  }

  async function subscribed(row: SyncedRow, message: Subscribed): Promise<void> {
    const reading = rooms.get(row.id);
    if (!reading) return;
    const { isResync, isDemoted } = saveSubscribed(store, row, { logId: welcome.logId, message });
    if (isResync) {
      log.warn({ namespace: row.name }, 'the relay has another history: everything is read and sent again');
      replicas.resend(row.id, message.epoch);
      on.resent(row.id, message.epoch);
    }
    if (isDemoted) on.demoted(row.id);
    const isFirstHere = !heard.has(message.room);
    heard.add(message.room);
    if (isFirstHere && !isResync && message.epoch > row.epoch && mayHaveSent(row, message)) {
      // What the relay has, though its ack was lost, may not be made anew: nobody could tell it from what was never sent.
      sendWaiting({ store, connection }, row, reading);
      if (reading.inFlight > 0) {
        reading.state = 'clearing up';
        connection.send({ type: 'unsubscribe', room: reading.room });
        return;
      }
    }
    Object.assign(reading, { epoch: message.epoch, head: message.head });
    const isFirst = isReadFirst(fresh(row), message);
    // What is before it is not this account's to read; its hash is told with what comes first. Who was demoted begins anew.
    const { cursor } = fresh(row);
    if (!isDemoted && message.from > cursor) {
      // Who was taken out and came back lacks what was said in between: documents with holes would begin an epoch with something else.
      if (cursor > 0) replicas.readAnew(row.id);
      store.write((db) => saveSyncedRow(db, row.id, { cursor: message.from, hash: new Uint8Array() }));
    }
    if (isFirst) {
      reading.state = 'reading';
      await beginEpoch(row);
      return on.moved();
    }
    // Its own memories go into the documents first: they and what the others wrote have not seen each other.
    reading.state = 'put off';
    connection.send({ type: 'unsubscribe', room: reading.room });
    on.wake();
    on.moved();
  }

  /**
   * Whether a room is read before what is here goes to it. What it says is held against what is here once all was read, and not against
   * each thing that it said once; where it says nothing, all is sent at once.
   */
  function isReadFirst(
    { id, upload_after, cursor, rebuild }: SyncedRow,
    { head, epoch }: Subscribed,
  ): boolean {
    if (upload_after === null) return true;
    const isEmpty = head === 0 && epoch === 0;
    if (rebuild === 1 && isEmpty) store.write((db) => saveSyncedRow(db, id, { rebuild: 0 }));
    // Some of it is in the documents already.
    const isBegun = upload_after > 0 || cursor > 0;
    if (rebuild === 0 && !isEmpty && !isBegun) replicas.readAnew(id);
    return !isEmpty && (rebuild === 1 || !isBegun);
  }

  /** Begins the room's epoch here, or the one that is told, once all before it was read. */
  async function beginEpoch(of: SyncedRow, from?: number): Promise<void> {
    const reading = rooms.get(of.id);
    const row = fresh(of);
    const epoch = from ?? reading?.epoch ?? 0;
    const isRead = from !== undefined || row.cursor >= (reading?.head ?? Infinity);
    if (!reading || (row.entering === null && (epoch <= row.epoch || !isRead))) return;
    const { room } = reading;
    const at = { room, epoch: row.entering ?? epoch, covers: row.cursor };
    const isGranted = granted.get(room) === at.epoch && row.role !== 'viewer';
    const became = await beginnings.enter(row.id, { ...at, granted: isGranted });
    // The log is read from its start, for this device cannot tell what it says from what waits here.
    if (became === 'anew') return subscribe(fresh(row));
    if (became === 'over') return;
    // What waited was made anew.
    Object.assign(reading, { sentId: 0, inFlight: 0, began: { epoch: at.epoch, covers: at.covers } });
    // An entry may have told of it before the relay did: what is sent from here on is of it.
    reading.epoch = Math.max(reading.epoch, at.epoch);
    log.info({ namespace: row.name, epoch: at.epoch }, 'a new epoch: the documents were begun anew');
    on.wake();
    // One that had been left in the middle came first.
    if (at.epoch < epoch) return beginEpoch(of, from);
  }

  async function merge(row: SyncedRow, message: MessageOf<'entries'>): Promise<void> {
    const reading = rooms.get(row.id);
    const slices = slicesOf(message, { ...row, covered: reading?.covered ?? 0 });
    for (const { entries, hash } of slices) {
      const [first] = entries;
      if (first && first.epoch > fresh(row).epoch) await beginEpoch(row, first.epoch);
      // The documents may have to be read from the start, or the connection is over.
      if (ended || rooms.get(row.id) !== reading) return;
      if (replicas.merge(row.id, entries, { ...(hash && { hash }), head: message.head })) on.wake();
      on.moved();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (slices.length === 0) store.write((db) => saveSyncedRow(db, row.id, { head: message.head }));
    await beginEpoch(row);
  }

  async function handle(message: Message): Promise<void> {
    switch (message.type) {
      case 'subscribed':
        return inRoom(message, subscribed);
      case 'entries':
        return inRoom(message, arrived);
      case 'ack':
        return inRoom(message, acknowledged);
      case 'role':
        return inRoom(message, roleIs);
      case 'epochIs':
        return inRoom(message, epochIs);
      case 'snapshot':
        return inRoom(message, offered);
      case 'heads':
        return headsAre(message);
      case 'rooms':
        return on.roomsChanged();
      case 'error':
        return refusedBy(message);
      default:
        // Presence is of no use here, and the rest is what a client says.
        return;
    }
  }

  /** Handles a message about a room; one that no namespace here is in is dropped. */
  async function inRoom<M extends { room: string }>(
    message: M,
    handler: (row: SyncedRow, message: M) => void | Promise<void>,
  ): Promise<void> {
    const row = store.read((db) => findSyncedByRoom(db, message.room));
    if (row) await handler(row, message);
  }

  async function arrived(row: SyncedRow, message: MessageOf<'entries'>): Promise<void> {
    if (rooms.get(row.id)?.state !== 'reading') return;
    meet(row, message.entries);
    await merge(row, message);
  }

  function acknowledged(row: SyncedRow, { incarnation, acks }: MessageOf<'ack'>): void {
    const reading = rooms.get(row.id);
    replicas.settle(
      row.id,
      acks.map(({ n }) => ({ incarnation, n })),
    );
    if (reading) answered(row, reading, acks.length);
    refusals.taken();
    on.moved();
  }

  /** Notes that the relay took entries, or refused them. */
  function answered(row: SyncedRow, reading: SubscribedRoom, count: number): void {
    reading.inFlight = Math.max(0, reading.inFlight - count);
    if (reading.state === 'clearing up' && reading.inFlight === 0) subscribe(fresh(row));
  }

  function roleIs(row: SyncedRow, { role }: MessageOf<'role'>): void {
    store.write((db) => saveSyncedRow(db, row.id, { role }));
    if (role === 'viewer') on.demoted(row.id);
  }

  function epochIs(row: SyncedRow, { room, epoch, granted: isGranted }: MessageOf<'epochIs'>): void {
    const reading = rooms.get(row.id);
    if (isGranted) granted.set(room, epoch);
    // Where the log stood when it began is told by subscribing.
    if (reading?.state === 'reading' && epoch > reading.epoch) subscribe(row);
  }

  function offered(row: SyncedRow, message: MessageOf<'snapshot'>): void {
    const reading = rooms.get(row.id);
    if (reading) reading.covered = Math.max(reading.covered, message.covers);
    if (message.covers > row.cursor) replicas.keepBase(row.id, message);
    if (row.role !== 'viewer') beginnings.offered(message);
  }

  function headsAre({ now, heads }: MessageOf<'heads'>): void {
    time.told(now);
    if (replicas.stampAnew(undefined) > 0) resendAll();
    store.writeRepeatable((db) => {
      for (const { room, head } of heads) {
        const row = findSyncedByRoom(db, room);
        if (row && row.head !== head) saveSyncedRow(db, row.id, { head });
        const isRead = row && rooms.get(row.id)?.state === 'reading';
        if (isRead) overdue.told(room, { cursor: row.cursor, head });
      }
    });
    on.moved();
  }

  function refusedBy(error: ErrorIs): void {
    const row =
      error.room === undefined ? undefined : store.read((db) => findSyncedByRoom(db, error.room ?? ''));
    if (error.code === 'gone' && error.room !== undefined) {
      if (!row) return;
      rooms.delete(row.id);
      return on.gone(row.id);
    }
    const reading = row && rooms.get(row.id);
    if (row && reading?.state === 'clearing up') {
      // One that names no entry is about all of them.
      answered(row, reading, error.entry ? 1 : reading.inFlight);
      if (error.code === 'stale_epoch') return;
    }
    if (row && reading && error.code === 'stale_epoch') {
      if (reading.state === 'reading' && reading.epoch <= row.epoch) subscribe(row);
      return;
    }
    const after = refusals.refused(error, row);
    if (reading && after !== undefined) sendAgain(reading, after);
    on.moved();
  }

  /** Sends from the start after a while, once for all that was refused: what was taken meanwhile is confirmed once more. */
  function sendAgain(reading: SubscribedRoom, after: number): void {
    if (reading.again && reading.again.after <= after) return;
    clearTimeout(reading.again?.timer);
    const timer = setTimeout(() => {
      Object.assign(reading, { sentId: 0, inFlight: 0, again: undefined });
      if (!ended) pump();
    }, after);
    reading.again = { after, timer: timer.unref() };
  }

  function resendAll(): void {
    for (const reading of rooms.values()) Object.assign(reading, { sentId: 0, inFlight: 0 });
  }

  /** Hears no more of rooms whose namespaces are not synced any more. */
  function leaveAllBut(synced: ReadonlySet<number>): void {
    for (const [id, { room, again }] of rooms) {
      if (synced.has(id)) continue;
      rooms.delete(id);
      clearTimeout(again?.timer);
      connection.send({ type: 'unsubscribe', room });
    }
  }

  function pump(): void {
    if (ended) return;
    const synced = store.read(listSynced);
    leaveAllBut(new Set(synced.map(({ id }) => id)));
    for (const row of synced) {
      const reading = rooms.get(row.id);
      // Its room was lost by the relay, and another one is in its place.
      if (!reading || (row.room !== null && reading.room !== row.room)) subscribe(row);
      else if (reading.state === 'put off' && row.upload_after === null) subscribe(row);
      else if (isHeard(reading) && row.role !== 'viewer' && reading.epoch === row.epoch)
        if (row.entering === null) sendWaiting({ store, connection }, row, reading);
    }
  }

  const queue = createMessageQueue({
    handle,
    hold: connection.hold,
    failed: on.failed,
    done: pump,
    isOver: () => ended,
  });
  return {
    take: queue.take,
    pump,
    askEpoch({ room, epoch: from }, { present } = { present: false }) {
      if (room !== null) connection.send({ type: 'epoch', room, from, present });
    },
    beganAt({ id, epoch }) {
      const began = rooms.get(id)?.began;
      return began?.epoch === epoch ? began.covers : undefined;
    },
    behind(row) {
      const now = store.read((db) => findSynced(db, row.id));
      const reading = rooms.get(row.id);
      if (!now || now.head === null || !reading || !isHeard(reading)) return null;
      // Entries that the relay let go are not there to be read, but their epoch has to begin.
      const isIn = now.entering === null && reading.epoch <= now.epoch;
      return Math.max(isIn ? 0 : 1, now.head - now.cursor);
    },
    refusal: () => refusals.last(),
    end() {
      ended = true;
    },
  };
}

/** Whether the relay said where the room stands, and nothing is to be cleared up first. */
const isHeard = ({ state }: SubscribedRoom) => state === 'reading' || state === 'put off';

/** Whether entries that wait may have gone to this log before: of a room that was read, and in which this device writes. */
function mayHaveSent(
  { hash, entering, upload_after, rebuild }: SyncedRow,
  { role }: Pick<Subscribed, 'role'>,
): boolean {
  return hash.length > 0 && role !== 'viewer' && entering === null && upload_after === null && rebuild === 0;
}

/** Entries that a relay told of and has not sent yet. */
interface Overdue {
  /** Takes what the relay told at a heartbeat. Throws `Distrusted` when nothing has come for two of them. */
  told(room: string, at: { cursor: number; head: number }): void;
}

/** Entries come before later heads on one socket: what has not come between two of them does not come at all. */
function createOverdue(heartbeatMs: number): Overdue {
  /** Where reading stood when the relay first told of more that has not come since, and when that was. */
  const waits = new Map<string, { cursor: number; since: number }>();
  return {
    told(room, { cursor, head }) {
      const wait = waits.get(room);
      if (cursor >= head) waits.delete(room);
      else if (wait?.cursor !== cursor) waits.set(room, { cursor, since: Date.now() });
      else if (Date.now() - wait.since >= 2 * heartbeatMs)
        throw new Distrusted('The relay tells of entries and does not send them; they are asked for again');
    },
  };
}

/**
 * Saves what the relay answered to a subscription. `isResync`: it has another history than the one that was read, and everything is
 * read and sent again; `isDemoted`: this account may only read from now on.
 */
function saveSubscribed(
  store: Store,
  row: SyncedRow,
  { logId, message }: { logId: string; message: Subscribed },
): { isResync: boolean; isDemoted: boolean } {
  // Also with nothing read: what was sent to another log may be lost with it.
  const isResync =
    row.log_id !== '' && (row.log_id !== logId || (message.outcome === 'resync' && row.cursor > 0));
  const cleared = fromStamp(message.clearedBefore);
  store.write((db) => {
    saveSyncedRow(db, row.id, {
      log_id: logId,
      seen_in: logId,
      role: message.role,
      head: message.head,
      ...(row.first_head === null && { first_head: message.head, first_from: message.from }),
      ...(isResync && { cursor: 0, hash: NO_HASH }),
      // What this device brings along was not meant by an earlier clear.
      ...(row.upload_after !== null && cleared > row.cleared_before && { cleared_before: cleared }),
    });
  });
  // Who may only read uploads nothing, as where a namespace that had left sync is joined again.
  const hasOwn = row.role !== 'viewer' || row.upload_after !== null;
  return { isResync, isDemoted: message.role === 'viewer' && hasOwn };
}

/** Messages of one connection, handled one after the other; while many wait, nothing more is read from the socket. */
interface MessageQueue {
  take(message: Message): void;
}

interface MessageQueueDeps {
  handle: (message: Message) => Promise<void>;
  /** Whether the socket is to be left unread. */
  hold: (isHeld: boolean) => void;
  /** Whether the connection has ended: what waits is dropped. */
  isOver: () => boolean;
  failed: (cause: unknown) => void;
  /** What had come is handled, or was dropped. */
  done: () => void;
}

/** Messages that wait here before the socket is not read any more. */
const MOST_WAITING = 32;

function createMessageQueue({ handle, hold, isOver, failed, done }: MessageQueueDeps): MessageQueue {
  const waiting: Message[] = [];
  let working = false;

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    try {
      for (let message = waiting.shift(); message && !isOver(); message = waiting.shift()) {
        await handle(message);
        if (waiting.length === MOST_WAITING / 2) hold(false);
      }
      hold(false);
    } catch (cause) {
      failed(cause);
    } finally {
      working = false;
    }
    done();
  }

  return {
    take(message) {
      waiting.push(message);
      if (waiting.length >= MOST_WAITING) hold(true);
      void work();
    },
  };
}

/** What is under way of a room on one connection. */
interface UnderWay {
  /** The last entry that was sent. */
  sentId: number;
  inFlight: number;
}

/** Entries of a namespace that are under way to the relay. */
const IN_FLIGHT = 256;
const APPEND_BYTES = 1024 * 1024;

/** Sends what waits, as far as the relay and the socket take it now. */
function sendWaiting(
  { store, connection }: { store: Store; connection: RelayConnection },
  row: SyncedRow,
  way: UnderWay & { room: string },
): void {
  while (way.inFlight < IN_FLIGHT && connection.waiting() < 4 * APPEND_BYTES) {
    const batch = batchOf(store.read((db) => sendsAfter(db, row.id, { after: way.sentId, limit: 64 })));
    const [first] = batch;
    const last = batch.at(-1);
    if (!first || !last) return;
    const entries = batch.map((send) => toEntry(send));
    const { incarnation } = first;
    connection.send({ type: 'append', room: way.room, epoch: row.epoch, incarnation, entries });
    way.sentId = last.id;
    way.inFlight += batch.length;
  }
}

/** The first rows of one incarnation that fit into one message. */
function batchOf(rows: readonly SendRow[]): SendRow[] {
  let bytes = 0;
  const batch: SendRow[] = [];
  for (const row of rows) {
    bytes += row.body?.length ?? 0;
    if (batch.length > 0 && (bytes > APPEND_BYTES || row.incarnation !== batch[0]?.incarnation)) break;
    batch.push(row);
  }
  return batch;
}

function toEntry({ n, at, bucket, body, cleared_before }: SendRow): NewEntry {
  if (bucket !== null && body !== null) return { kind: 'update', n, at, bucket, enc: false, body };
  const hlc = cleared_before ?? 0;
  return { kind: 'clear', n, at, clearedBefore: toStamp(hlc) };
}
