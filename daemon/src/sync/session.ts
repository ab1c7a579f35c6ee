import { fromStamp, toStamp } from '@reverie/shared/document/clock';
import { NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type {
  Entry,
  ErrorIs,
  Message,
  NewEntry,
  Subscribed,
  Welcome,
} from '@reverie/shared/protocol/messages';
import type { Store } from '../db/open-store.ts';
import type { Log } from '../platform/log.ts';
import { chainOf, Distrusted } from './chain.ts';
import type { Connection } from './connection.ts';
import {
  findSynced,
  findSyncedByRoom,
  listSynced,
  saveSyncedRow,
  type SyncedRow,
} from './namespaces.store.ts';
import { type SendRow, sendsAfter, settleSend } from './outbox.store.ts';
import type { Replicas } from './replicas.ts';

/** One open connection: what it reads, and what it has sent. It ends with it. */
export interface Session {
  /** Takes a message; what changes documents is done in turn, a slice at a time. */
  take(message: Message): void;
  /** Reads rooms that are new, and sends what waits. */
  pump(): void;
  /** Entries that are still to be read, as far as the relay has told; null while it has not. */
  behind(row: SyncedRow): number | null;
  /** What the relay refused, and was not taken since. */
  refusal(): ErrorIs | undefined;
  end(): void;
}

export interface SessionDeps {
  store: Store;
  log: Log;
  replicas: Replicas;
  connection: Connection;
  /** There is something to put into documents. */
  wake: () => void;
  /** The account's rooms or devices changed. */
  roomsChanged: () => void;
  /** A room is not this account's any more. */
  gone: (namespaceId: number) => void;
  /** The role in a room is another one. */
  demoted: (namespaceId: number) => void;
  /** Something was read, or confirmed. */
  moved: () => void;
  /** The disk does not take it: the connection is given up for now. */
  failed: (cause: unknown) => void;
}

/** Entries that are merged in one transaction. */
const SLICE = 16;
const SLICE_BYTES = 32 * 1024;
/** Entries of a namespace that are under way to the relay. */
const IN_FLIGHT = 256;
const APPEND_BYTES = 1024 * 1024;
/** Messages that wait here before the socket is not read any more. */
const MOST_WAITING = 32;

interface Reading {
  room: string;
  state: 'asked' | 'reading' | 'put off';
  /** The last entry that was sent on this connection. */
  sentId: number;
  inFlight: number;
  /** Up to here snapshots came in place of entries that the relay does not keep. */
  covered: number;
  /** Where reading stood when the relay first told of more that has not come since, and when that was. */
  owed?: { cursor: number; since: number };
}

export function createSession(deps: SessionDeps, welcome: Welcome): Session {
  const { store, log, replicas, connection } = deps;
  const rooms = new Map<number, Reading>();
  const waiting: Message[] = [];
  let working = false;
  let ended = false;
  let refused: ErrorIs | undefined;

  function subscribe(row: SyncedRow): void {
    if (row.room === null) return;
    rooms.set(row.id, { room: row.room, state: 'asked', sentId: 0, inFlight: 0, covered: 0 });
    const { room, log_id: logId, cursor } = row;
    const hash = cursor > 0 ? row.hash : new Uint8Array();
    connection.send({ type: 'subscribe', room, logId, cursor, hash });
  }

  function subscribed(row: SyncedRow, message: Subscribed): void {
    const reading = rooms.get(row.id);
    if (!reading) return;
    const { logId } = welcome;
    // Also with nothing read: what was sent to another log may be lost with it.
    const isResync =
      row.log_id !== '' && (row.log_id !== logId || (message.outcome === 'resync' && row.cursor > 0));
    const wasViewer = row.role === 'viewer';
    const cleared = fromStamp(message.clearedBefore);
    store.write((db) => {
      saveSyncedRow(db, row.id, {
        log_id: logId,
        role: message.role,
        head: message.head,
        epoch: message.epoch,
        ...(row.first_head === null && { first_head: message.head }),
        ...(isResync && { cursor: 0, hash: NO_HASH }),
        // What this device brings along was not meant by an earlier clear.
        ...(row.upload_after !== null && cleared > row.cleared_before && { cleared_before: cleared }),
      });
    });
    if (isResync) {
      log.warn({ namespace: row.name }, 'the relay has another history: everything is read and sent again');
      replicas.resend(row.id);
    }
    if (message.role === 'viewer' && !wasViewer) deps.demoted(row.id);
    if (row.upload_after === null) {
      reading.state = 'reading';
      return;
    }
    // Its own memories go into the documents first: they and what the others wrote have not seen each other.
    reading.state = 'put off';
    connection.send({ type: 'unsubscribe', room: reading.room });
    deps.wake();
  }

  /** Merges entries slice by slice, each saved with its own hash; none of them where they do not fit. */
  async function merge(
    row: SyncedRow,
    message: Extract<Message, { type: 'entries' }>,
    covered: number,
  ): Promise<void> {
    const entries = message.entries.filter(({ seq }) => seq > row.cursor);
    const hashes = chainOf({ ...message, entries }, { ...row, covered });
    for (let from = 0; from < entries.length && !ended;) {
      const slice = sliceOf(entries, from);
      from += slice.length;
      replicas.merge(row.id, slice, { hash: hashes[from - 1] ?? message.hash, head: message.head });
      deps.moved();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (entries.length === 0) store.write((db) => saveSyncedRow(db, row.id, { head: message.head }));
  }

  async function handle(message: Message): Promise<void> {
    switch (message.type) {
      case 'subscribed':
      case 'entries':
      case 'ack':
      case 'role':
      case 'epochIs':
      case 'snapshot': {
        const row = store.read((db) => findSyncedByRoom(db, message.room));
        if (row) await inRoom(row, message);
        return;
      }
      case 'heads':
        store.writeRepeatable((db) => {
          for (const { room, head } of message.heads) {
            const row = findSyncedByRoom(db, room);
            if (row && row.head !== head) saveSyncedRow(db, row.id, { head });
            const reading = row && rooms.get(row.id);
            if (row && reading?.state === 'reading') insist(reading, { cursor: row.cursor, head });
          }
        });
        return deps.moved();
      case 'rooms':
        return deps.roomsChanged();
      case 'error':
        return refusedBy(message);
      default:
        // Presence is of no use here, and the rest is what a client says.
        return;
    }
  }

  async function inRoom(
    row: SyncedRow,
    message: Extract<Message, { type: 'subscribed' | 'entries' | 'ack' | 'role' | 'epochIs' | 'snapshot' }>,
  ): Promise<void> {
    const reading = rooms.get(row.id);
    switch (message.type) {
      case 'subscribed':
        subscribed(row, message);
        return deps.moved();
      case 'entries':
        if (reading?.state === 'reading') await merge(row, message, reading.covered);
        return;
      case 'ack': {
        const { incarnation, acks } = message;
        store.writeRepeatable((db) => {
          for (const { n } of acks) settleSend(db, row.id, { incarnation, n });
        });
        if (reading) reading.inFlight = Math.max(0, reading.inFlight - acks.length);
        refused = undefined;
        return deps.moved();
      }
      case 'role':
        store.write((db) => saveSyncedRow(db, row.id, { role: message.role }));
        if (message.role === 'viewer') deps.demoted(row.id);
        return;
      case 'epochIs':
        return store.write((db) => saveSyncedRow(db, row.id, { epoch: message.epoch }));
      case 'snapshot':
        if (reading?.state !== 'reading') return;
        reading.covered = Math.max(reading.covered, message.covers);
        return replicas.merge(row.id, [snapshotAsEntry(message)], { hash: row.hash, head: row.head ?? 0 });
    }
  }

  /** Entries come before later heads on one socket: what has not come between two of them does not come at all. */
  function insist(reading: Reading, { cursor, head }: { cursor: number; head: number }): void {
    if (cursor >= head) delete reading.owed;
    else if (reading.owed?.cursor !== cursor) reading.owed = { cursor, since: Date.now() };
    else if (Date.now() - reading.owed.since >= 2 * welcome.heartbeatMs)
      throw new Distrusted('The relay tells of entries and does not send them; they are asked for again');
  }

  function refusedBy(error: ErrorIs): void {
    const row =
      error.room === undefined ? undefined : store.read((db) => findSyncedByRoom(db, error.room ?? ''));
    if (row && error.code === 'gone') {
      rooms.delete(row.id);
      return deps.gone(row.id);
    }
    refused = error;
    log.warn({ code: error.code, detail: error.detail, namespace: row?.name }, 'the relay refused');
    const reading = row && rooms.get(row.id);
    if (!reading) return deps.moved();
    // Sent again from the start after a while: what was taken meanwhile is confirmed once more.
    const again = setTimeout(
      () => {
        reading.sentId = 0;
        reading.inFlight = 0;
        if (!ended) pump();
      },
      Math.max(error.retryAfterMs, 5000),
    );
    again.unref();
    deps.moved();
  }

  /** Works off what came in, one message after the other. */
  async function work(): Promise<void> {
    if (working) return;
    working = true;
    try {
      for (let message = waiting.shift(); message && !ended; message = waiting.shift()) {
        await handle(message);
        if (waiting.length === MOST_WAITING / 2) connection.hold(false);
      }
      connection.hold(false);
    } catch (cause) {
      deps.failed(cause);
    } finally {
      working = false;
    }
    pump();
  }

  function pump(): void {
    if (ended) return;
    for (const row of store.read(listSynced)) {
      const reading = rooms.get(row.id);
      if (!reading) subscribe(row);
      else if (reading.state === 'put off' && row.upload_after === null) subscribe(row);
      else if (reading.state === 'reading' || reading.state === 'put off') send(row, reading);
    }
  }

  function send(row: SyncedRow, reading: Reading): void {
    if (row.role === 'viewer') return;
    while (reading.inFlight < IN_FLIGHT && connection.waiting() < 4 * APPEND_BYTES) {
      const found = store.read((db) => sendsAfter(db, row.id, { after: reading.sentId, limit: 64 }));
      const batch = batchOf(found);
      const [first] = batch;
      const last = batch.at(-1);
      if (!first || !last) return;
      connection.send({
        type: 'append',
        room: reading.room,
        epoch: row.epoch,
        incarnation: first.incarnation,
        entries: batch.map(toEntry),
      });
      reading.sentId = last.id;
      reading.inFlight += batch.length;
    }
  }

  return {
    take(message) {
      waiting.push(message);
      if (waiting.length >= MOST_WAITING) connection.hold(true);
      void work();
    },
    pump,
    behind(row) {
      const fresh = store.read((db) => findSynced(db, row.id));
      if (!fresh || fresh.head === null || !rooms.has(row.id) || rooms.get(row.id)?.state === 'asked')
        return null;
      return Math.max(0, fresh.head - fresh.cursor);
    },
    refusal: () => refused,
    end() {
      ended = true;
    },
  };
}

/** The next entries that are merged together. */
function sliceOf(entries: readonly Entry[], from: number): Entry[] {
  let bytes = 0;
  const slice: Entry[] = [];
  for (const entry of entries.slice(from, from + SLICE)) {
    bytes += entry.kind === 'update' ? entry.body.length : 0;
    if (slice.length > 0 && bytes > SLICE_BYTES) break;
    slice.push(entry);
  }
  return slice;
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

/** A snapshot is merged like any other update; it moves no cursor. */
function snapshotAsEntry(snapshot: Extract<Message, { type: 'snapshot' }>): Entry {
  const { bucket, enc, body, epoch } = snapshot;
  return {
    kind: 'update',
    n: 0,
    at: 0,
    seq: 0,
    epoch,
    device: 'snapshot',
    incarnation: 'snapshot',
    bucket,
    enc,
    body,
  };
}
