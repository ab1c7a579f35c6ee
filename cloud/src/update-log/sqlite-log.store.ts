import { entryHash, NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Entry } from '@reverie/shared/protocol/messages';
import type { Database } from '../db/open-database.ts';
import { one } from '../db/records.ts';
import { createSqliteRecords } from '../db/sqlite-records.ts';
import { compactionOf } from './compaction.store.ts';
import { openLog } from './opening.store.ts';
import { removeRoom } from './room-removal.store.ts';
import { type LogRoom, snapshotsOf } from './snapshots.store.ts';
import {
  type Appended,
  laterStamp,
  type Most,
  type AppendOutcome,
  type LogPage,
  sinceOneByOne,
  sizeOf,
  type UpdateLog,
} from './update-log.ts';

interface RoomRow {
  id: number;
  epoch: number;
  head: number;
  hash: Uint8Array;
  cleared_ms: number;
  cleared_counter: number;
  bytes: number;
  present_since: number;
}

interface EntryRow {
  seq: number;
  epoch: number;
  device: string;
  incarnation: string;
  n: number;
  at: number;
  hash: Uint8Array;
  bucket: number | null;
  enc: number;
  body: Uint8Array | null;
  cleared_ms: number | null;
  cleared_counter: number | null;
}

const ROOM = 'id, epoch, head, hash, cleared_ms, cleared_counter, bytes, present_since';

/** The log in SQLite. Statements are synchronous: a batch is one transaction and one wait for the disk. */
export function createSqliteLog(db: Database): UpdateLog {
  const records = createSqliteRecords(db);
  const findRoom = db.prepare<[string], RoomRow>(`SELECT ${ROOM} FROM log_rooms WHERE room = ?`);
  const findWriter = db.prepare<[string, string], { id: number }>(
    'SELECT id FROM log_writers WHERE device = ? AND incarnation = ?',
  );
  const insertWriter = db.prepare<[string, string]>(
    'INSERT INTO log_writers (device, incarnation) VALUES (?, ?)',
  );
  const findKnown = db.prepare<[number, number, number], { seq: number }>(
    'SELECT seq FROM log_entries WHERE room = ? AND writer = ? AND n = ?',
  );
  const insertEntry = db.prepare<
    [
      number,
      number,
      number,
      number,
      number,
      number,
      Uint8Array,
      number | null,
      number,
      Uint8Array | null,
      number | null,
      number | null,
    ]
  >(
    `INSERT INTO log_entries (room, seq, epoch, writer, n, at, hash, bucket, enc, body, cleared_ms, cleared_counter)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const findKept = db.prepare<[number, number], { hash: Uint8Array }>(
    'SELECT hash FROM log_hashes WHERE room = ? AND seq = ?',
  );
  const saveRoom = db.prepare<[number, Uint8Array, number, number, number, number]>(
    `UPDATE log_rooms SET head = ?, hash = ?, cleared_ms = ?, cleared_counter = ?, bytes = ? WHERE id = ?`,
  );

  function knownWriter(
    writers: Map<string, number>,
    device: string,
    incarnation: string,
  ): number | undefined {
    const name = `${device} ${incarnation}`;
    const id = writers.get(name) ?? findWriter.get(device, incarnation)?.id;
    if (id !== undefined) writers.set(name, id);
    return id;
  }

  function newWriter(writers: Map<string, number>, device: string, incarnation: string): number {
    const id = Number(insertWriter.run(device, incarnation).lastInsertRowid);
    writers.set(`${device} ${incarnation}`, id);
    return id;
  }

  /** Rooms and writers of one batch: read once, rooms saved once. */
  function appendOne(
    { room: name, epoch, device, incarnation, entry }: Appended,
    rooms: Map<string, RoomRow | undefined>,
    writers: Map<string, number>,
  ): AppendOutcome {
    const room = rooms.has(name) ? rooms.get(name) : findRoom.get(name);
    rooms.set(name, room);
    if (!room) return { kind: 'gone' };
    const writes = knownWriter(writers, device, incarnation);
    const known = writes === undefined ? undefined : findKnown.get(room.id, writes, entry.n);
    if (known) return { kind: 'known', seq: known.seq };
    if (epoch !== room.epoch) return { kind: 'stale_epoch', epoch: room.epoch };
    // Only with an entry: what is refused takes no space, however often it comes.
    const writer = writes ?? newWriter(writers, device, incarnation);
    const stored: Entry = { ...entry, seq: room.head + 1, epoch, device, incarnation };
    const hash = entryHash(room.hash, name, stored);
    const update = entry.kind === 'update' ? entry : undefined;
    const cleared = entry.kind === 'clear' ? entry.clearedBefore : undefined;
    insertEntry.run(
      room.id,
      stored.seq,
      epoch,
      writer,
      entry.n,
      entry.at,
      hash,
      update?.bucket ?? null,
      update?.enc ? 1 : 0,
      update?.body ?? null,
      cleared?.ms ?? null,
      cleared?.counter ?? null,
    );
    room.head = stored.seq;
    room.hash = hash;
    room.bytes += sizeOf(entry);
    if (cleared) {
      const later = laterStamp({ ms: room.cleared_ms, counter: room.cleared_counter }, cleared);
      room.cleared_ms = later.ms;
      room.cleared_counter = later.counter;
    }
    return { kind: 'stored', entry: stored, hash };
  }

  async function since(name: string, seq: number, most: Most): Promise<LogPage> {
    const room = findRoom.get(name);
    if (!room) return { entries: [] };
    const entries: Entry[] = [];
    let hash: Uint8Array | undefined;
    let bytes = 0;
    const rows = db.prepare<[number, number], EntryRow>(
      `SELECT e.seq, e.epoch, w.device, w.incarnation, e.n, e.at, e.hash, e.bucket, e.enc, e.body, e.cleared_ms,
           e.cleared_counter
         FROM log_entries e JOIN log_writers w ON w.id = e.writer
         WHERE e.room = ? AND e.seq > ? AND (e.body IS NOT NULL OR e.bucket IS NULL) ORDER BY e.seq`,
    );
    for (const row of rows.iterate(room.id, seq)) {
      const entry = toEntry(row);
      entries.push(entry);
      hash = row.hash;
      bytes += sizeOf(entry);
      if (entries.length >= most.entries || bytes >= most.bytes) break;
    }
    return { entries, ...(hash && { hash }) };
  }

  return {
    logId: db.logId,
    async open(room) {
      await records.write(() => openLog(room));
    },
    async append(batch) {
      return db.write(() => {
        const rooms = new Map<string, RoomRow | undefined>();
        const writers = new Map<string, number>();
        const outcomes = batch.map((one) => appendOne(one, rooms, writers));
        for (const room of rooms.values())
          if (room)
            saveRoom.run(room.head, room.hash, room.cleared_ms, room.cleared_counter, room.bytes, room.id);
        return outcomes;
      });
    },
    async state(name) {
      const room = findRoom.get(name);
      if (!room) return undefined;
      const {
        epoch,
        head,
        bytes,
        cleared_ms: ms,
        cleared_counter: counter,
        present_since: presentSince,
      } = room;
      return { epoch, head, bytes, clearedBefore: { ms, counter }, presentSince };
    },
    since,
    sinceEach: (behind, most) => sinceOneByOne({ since }, behind, most),
    async hashAt(name, seq) {
      if (seq === 0) return NO_HASH;
      const room = findRoom.get(name);
      if (!room) return undefined;
      const entry = db
        .prepare<[number, number], { hash: Uint8Array }>(
          'SELECT hash FROM log_entries WHERE room = ? AND seq = ?',
        )
        .get(room.id, seq);
      return (entry ?? findKept.get(room.id, seq))?.hash;
    },
    ...compactionOf(records),
    // A transaction is alone: the room needs no lock.
    ...snapshotsOf(records, (name) =>
      one<LogRoom>('SELECT id, head, epoch FROM log_rooms WHERE room = ?', name),
    ),
    remove: (name) => removeRoom(records, name),
  };
}

function toEntry(row: EntryRow): Entry {
  const { seq, epoch, device, incarnation, n, at, bucket, enc, body } = row;
  const place = { seq, epoch, device, incarnation, n, at };
  if (bucket === null)
    return {
      kind: 'clear',
      ...place,
      clearedBefore: { ms: row.cleared_ms ?? 0, counter: row.cleared_counter ?? 0 },
    };
  return { kind: 'update', ...place, bucket, enc: enc === 1, body: body ?? new Uint8Array() };
}
