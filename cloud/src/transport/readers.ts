import { toFrames } from '@reverie/shared/protocol/frames';
import type { Entry, Message, Role, Subscribe } from '@reverie/shared/protocol/messages';
import { limits } from '@reverie/shared/protocol/version';
import { encode } from '@reverie/shared/protocol/wire';
import { type DeviceConnection, SLOW_ABOVE } from './connection.ts';
import type { Metrics } from '../metrics.ts';
import { LATER_MS } from './refusals.ts';
import { createRoomTable, type RoomReader } from '../rooms/room-table.ts';
import { type LogPage, sizeOf, type UpdateLog } from '../update-log/update-log.ts';

export interface ReadersDeps {
  log: UpdateLog;
  metrics: Metrics;
  /** Told of a log that could not be read. */
  failed(cause: unknown): void;
}

/** An entry that was committed. */
export interface Committed {
  entry: Entry;
  hash: Uint8Array;
}

/** The connections that read rooms, and what they are sent. */
export interface Readers {
  /** Begins where the connection says that it is, or where its account may begin (`since`) where that is later, or its history is another one. */
  subscribe(
    connection: DeviceConnection,
    asked: Subscribe,
    may: { role: Role; since: number },
  ): Promise<void>;
  unsubscribe(connection: DeviceConnection, room: string): void;
  left(connection: DeviceConnection): void;
  /** The log of a room may have grown by what others committed: who has read all before it is sent it. */
  grown(room: string, head: number): void;
  /** A room is at an epoch that others began. */
  epochIs(room: string, epoch: number): void;
  rooms(): Iterable<string>;
  /** Sends what was committed, in its order. */
  tell(room: string, committed: readonly Committed[]): void;
  /** Sends a message to the others who read a room, but not to those who take slowly. */
  tellOthers(from: DeviceConnection | undefined, room: string, message: Message): void;
  /** Sends the snapshots that took the place of entries to who reads the log just now, for it may be about to miss them. */
  tellSettled(room: string): Promise<void>;
  of(room: string): readonly RoomReader<DeviceConnection>[];
  isReading(connection: DeviceConnection, room: string): boolean;
  headsOf(connection: DeviceConnection): { room: string; head: number }[];
}

/** Entries of one page or one message: a frame of 1 MiB holds them, unless one alone is longer. */
const PAGE = { entries: 1024, bytes: 512 * 1024 };
/** Until the log is asked again that did not answer, ms. */
const RETRY_MS = 100;
/** Rooms that are looked into at once. */
const MOST_ROOMS = 128;

export function createReaders({ log, metrics, failed }: ReadersDeps): Readers {
  const table = createRoomTable<DeviceConnection>();
  const reading = new WeakSet<RoomReader<DeviceConnection>>();
  /** What the readers of rooms were told. */
  const epochs = new Map<string, number>();
  const isCurrent = (reader: RoomReader<DeviceConnection>) =>
    reader.connection.isOpen() && table.readerOf(reader.connection, reader.room) === reader;

  /** Sends pages of the log until nothing is left behind the reader; only as fast as it takes them. */
  function read(reader: RoomReader<DeviceConnection>): void {
    if (reading.has(reader)) return;
    reading.add(reader);
    sendPages(reader).catch((cause: unknown) => {
      failed(cause);
      // To connect anew is the plainest way to what it was not sent.
      reader.connection.close('later', 'The relay could not read its log', LATER_MS);
    });
  }

  async function sendPages(reader: RoomReader<DeviceConnection>): Promise<void> {
    const { connection, room } = reader;
    while (reader.mode === 'reading') {
      await connection.drained();
      if (!isCurrent(reader)) break;
      const { entries, hash, settled } = await log.since(room, reader.sent, PAGE);
      if (!isCurrent(reader)) break;
      if (settled !== reader.settled) {
        // Entries may be missing in this page that stand in snapshots now: those first, and the page anew.
        await sendSnapshots(reader);
        reader.settled = settled;
        continue;
      }
      const last = entries.at(-1);
      if (!last || !hash) table.caughtUp(reader, 'empty');
      else {
        const head = Math.max(table.headOf(room), last.seq);
        connection.send({ type: 'entries', room, entries, hash, head });
        table.caughtUp(reader, { seq: last.seq });
      }
    }
    reading.delete(reader);
  }

  async function sendSnapshots(reader: RoomReader<DeviceConnection>): Promise<void> {
    const { connection, room, sent } = reader;
    for await (const { device: _device, at: _at, ...snapshot } of log.snapshotsSince(room, sent)) {
      await connection.drained();
      if (!isCurrent(reader)) return;
      connection.send(snapshot);
    }
  }

  const isSlow = (one: DeviceConnection) => one.buffered() > SLOW_ABOVE;

  function slow(slowed: readonly RoomReader<DeviceConnection>[]): void {
    for (const reader of slowed) {
      metrics.slowed.inc();
      read(reader);
    }
  }

  /** Rooms whose live readers are behind, by what others committed. */
  const behind = new Set<string>();
  let following: Promise<void> | undefined;

  function follow(room: string): void {
    behind.add(room);
    following ??= readBehind().finally(() => (following = undefined));
  }

  async function readBehind(): Promise<void> {
    while (behind.size > 0) {
      // After the sockets were read: what came meanwhile goes with it.
      await new Promise((resolve) => setImmediate(resolve));
      const tails = new Map<string, number>();
      for (const room of behind) {
        if (tails.size >= MOST_ROOMS) break;
        behind.delete(room);
        const tail = table.grown(room, 0);
        if (tail !== undefined) tails.set(room, tail);
      }
      if (tails.size === 0) continue;
      try {
        for (const [room, page] of await log.sinceEach(tails, PAGE)) send(room, tails.get(room) ?? 0, page);
      } catch {
        // Where the database does not answer, the next look at the heads begins anew.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Sends a page to the live readers of a room that do not have it, each from where it is. */
  function send(room: string, tail: number, { entries, hash, settled }: LogPage): void {
    const last = entries.at(-1);
    if (!last || !hash) return;
    const isSettled = table.readersOf(room).some((one) => one.mode === 'live' && one.settled !== settled);
    // What is missing in the page may stand in snapshots: each reads by itself, which sends it those.
    const mustRead = isSettled ? () => true : isSlow;
    const { live, slowed } = table.followed(room, { behind: tail, seq: last.seq }, mustRead);
    slow(slowed);
    const head = Math.max(table.headOf(room), last.seq);
    for (const [sent, group] of Map.groupBy(live, (one) => one.sent)) {
      const missing = sent === tail ? entries : entries.filter(({ seq }) => seq > sent);
      const frames = toFrames(encode({ type: 'entries', room, entries: missing, hash, head }));
      for (const { connection } of group) connection.sendFrames(frames);
    }
    if (table.grown(room, 0) !== undefined) behind.add(room);
  }

  function unsubscribe(connection: DeviceConnection, room: string): void {
    if (table.readerOf(connection, room)) metrics.readers.dec();
    table.unsubscribe(connection, room);
    if (table.readersOf(room).length === 0) epochs.delete(room);
  }

  return {
    async subscribe(connection, { room, logId, cursor, hash }, { role, since }) {
      const state = await log.state(room);
      if (!state) return connection.refuse({ code: 'gone', detail: 'This room is gone', room });
      unsubscribe(connection, room);
      if (table.roomsOf(connection).length >= limits.rooms) {
        const detail = `A connection reads ${limits.rooms} rooms at most`;
        return connection.refuse({ code: 'later', detail, room, retryAfterMs: 60_000 });
      }
      const known = logId === log.logId ? await log.hashAt(room, cursor) : undefined;
      const isSame = cursor === 0 || (known !== undefined && Buffer.from(known).equals(hash));
      const from = Math.max(isSame ? cursor : 0, since);
      const { epoch, head, clearedBefore } = state;
      const outcome = isSame ? 'resume' : 'resync';
      connection.send({ type: 'subscribed', room, outcome, role, epoch, head, from, clearedBefore });
      const reader = table.subscribe(connection, room, { sent: from, head, since });
      reader.settled = state.settled;
      epochs.set(room, Math.max(epochs.get(room) ?? 0, epoch));
      metrics.readers.inc();
      // Where it is said, a room that never had any is not looked into.
      if (state.settled !== 0) await sendSnapshots(reader);
      read(reader);
    },
    unsubscribe,
    left(connection) {
      metrics.readers.dec(table.roomsOf(connection).length);
      const left = table.roomsOf(connection).map(({ room }) => room);
      table.leave(connection);
      for (const room of left) if (table.readersOf(room).length === 0) epochs.delete(room);
    },
    tell(room, committed) {
      const first = committed[0]?.entry.seq ?? 0;
      const head = committed.at(-1)?.entry.seq ?? 0;
      const { live, slowed, isGap } = table.committed(room, { first, head }, isSlow);
      slow(slowed);
      if (isGap) follow(room);
      if (live.length === 0) return;
      for (const part of partsOf(committed)) {
        const hash = part.at(-1)?.hash ?? new Uint8Array(32);
        const entries = part.map(({ entry }) => entry);
        // Encoded once for all of them.
        const frames = toFrames(encode({ type: 'entries', room, entries, hash, head }));
        for (const connection of live) connection.sendFrames(frames);
      }
    },
    tellOthers(from, room, message) {
      const frames = toFrames(encode(message));
      for (const { connection } of table.readersOf(room))
        if (connection !== from && connection.buffered() <= SLOW_ABOVE) connection.sendFrames(frames);
    },
    async tellSettled(room) {
      for (const reader of table.readersOf(room)) if (reader.mode === 'reading') await sendSnapshots(reader);
    },
    grown(room, head) {
      if (table.grown(room, head) !== undefined) follow(room);
    },
    epochIs(room, epoch) {
      const known = epochs.get(room) ?? epoch;
      epochs.set(room, Math.max(known, epoch));
      if (epoch <= known) return;
      for (const { connection } of table.readersOf(room))
        connection.send({ type: 'epochIs', room, epoch, granted: false });
    },
    rooms: () => table.rooms(),
    of: (room) => table.readersOf(room),
    isReading: (connection, room) => table.readerOf(connection, room) !== undefined,
    headsOf: (connection) =>
      table.roomsOf(connection).map(({ room }) => ({ room, head: table.headOf(room) })),
  };
}

/** Messages of about half a frame. */
function partsOf(committed: readonly Committed[]): Committed[][] {
  const parts: Committed[][] = [];
  let bytes = Infinity;
  for (const one of committed) {
    const size = sizeOf(one.entry);
    if (bytes + size > PAGE.bytes || (parts.at(-1)?.length ?? 0) >= PAGE.entries) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(one);
    bytes += size;
  }
  return parts;
}
