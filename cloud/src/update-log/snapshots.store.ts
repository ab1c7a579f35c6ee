import { isPresentBetween } from '@reverie/shared/protocol/epoch-number';
import { all, one, type Records, run, type Steps } from '../db/records.ts';
import type { StoredSnapshot, UpdateLog } from './update-log.ts';

interface SnapshotRow {
  bucket: number;
  covers: number;
  epoch: number;
  enc: number;
  body_hash: Uint8Array;
  body: Uint8Array;
  device: string;
  at: number;
}

const COLUMNS = 'bucket, covers, epoch, enc, body_hash, body, device, at';

type Snapshots = Pick<
  UpdateLog,
  | 'putSnapshot'
  | 'confirmSnapshot'
  | 'settleSnapshots'
  | 'snapshotsSince'
  | 'covered'
  | 'offered'
  | 'advanceEpoch'
>;

/** A room as its log has it. */
export interface LogRoom {
  id: number;
  head: number;
  epoch: number;
}

interface Key {
  room: number;
  bucket: number;
  covers: number;
}

/** Epochs, snapshots beside the entries of the log, and what is let go for them. `lockRoom` finds a room that nobody else changes until the transaction ends. */
export function snapshotsOf(
  records: Records,
  lockRoom: (name: string) => Steps<LogRoom | undefined>,
): Snapshots {
  const findRoom = (name: string) =>
    one<LogRoom>('SELECT id, head, epoch FROM log_rooms WHERE room = ?', name);

  return {
    advanceEpoch: (name, { from, to }) =>
      records.write(function* () {
        const room = yield* lockRoom(name);
        if (room?.epoch !== from) return room && { granted: false, epoch: room.epoch };
        yield* run('UPDATE log_rooms SET epoch = ? WHERE id = ?', to, room.id);
        if (isPresentBetween(from, to))
          yield* run('UPDATE log_rooms SET present_since = head WHERE id = ?', room.id);
        return { granted: true, epoch: to };
      }),
    putSnapshot: ({ room: name, bucket, covers, epoch, enc, bodyHash, body, device, at }) =>
      records.write(function* () {
        const room = yield* lockRoom(name);
        if (!room || covers < 1 || covers > room.head) return false;
        const newest = yield* one<{ covers: number | null }>(
          'SELECT max(covers) AS covers FROM log_snapshots WHERE room = ? AND bucket = ?',
          ...[room.id, bucket],
        );
        if ((newest?.covers ?? 0) >= covers) return false;
        const freed = yield* one<{ bytes: number }>(
          'SELECT coalesce(sum(length(body)), 0) AS bytes FROM log_snapshots WHERE room = ? AND bucket = ? AND settled = 0',
          ...[room.id, bucket],
        );
        yield* run(
          'DELETE FROM log_snapshots WHERE room = ? AND bucket = ? AND settled = 0',
          room.id,
          bucket,
        );
        yield* run(
          `INSERT INTO log_snapshots (room, bucket, covers, epoch, enc, body_hash, body, device, at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[room.id, bucket, covers, epoch, enc ? 1 : 0, bodyHash, body, device, at],
        );
        yield* addBytes(room.id, body.length - (freed?.bytes ?? 0));
        return true;
      }),
    confirmSnapshot: ({ room: name, bucket, covers, bodyHash, device }) =>
      records.write(function* () {
        const room = yield* lockRoom(name);
        if (!room) return false;
        const found = yield* one<{ covers: number }>(
          `SELECT covers FROM log_snapshots
           WHERE room = ? AND bucket = ? AND covers = ? AND body_hash = ? AND device <> ?`,
          ...[room.id, bucket, covers, bodyHash, device],
        );
        if (!found) return false;
        yield* settle({ room: room.id, bucket, covers });
        return true;
      }),
    covered: ({ room: name, bucket, covers }) =>
      records.read(function* () {
        const room = yield* findRoom(name);
        return room ? yield* coveredBytes({ room: room.id, bucket, covers }) : 0;
      }),
    async settleSnapshots(before) {
      const old = await records.read(() =>
        all<{ name: string; bucket: number; covers: number }>(
          `SELECT r.room AS name, s.bucket, s.covers FROM log_snapshots s JOIN log_rooms r ON r.id = s.room
           WHERE s.settled = 0 AND s.at < ?`,
          before,
        ),
      );
      for (const { name, bucket, covers } of old)
        await records.write(function* () {
          const room = yield* lockRoom(name);
          if (room) yield* settle({ room: room.id, bucket, covers });
        });
      return old.map(({ name }) => name);
    },
    offered: (name) =>
      records.read(function* () {
        const room = yield* findRoom(name);
        if (!room) return [];
        const rows = yield* all<SnapshotRow>(
          `SELECT ${COLUMNS} FROM log_snapshots WHERE room = ? AND settled = 0 ORDER BY bucket`,
          room.id,
        );
        return rows.map((row) => toSnapshot(name, row));
      }),
    async *snapshotsSince(name, seq) {
      const room = await records.read(() => findRoom(name));
      if (!room) return;
      const buckets = await records.read(() =>
        all<{ bucket: number }>(
          'SELECT DISTINCT bucket FROM log_snapshots WHERE room = ? AND covers > ? AND settled = 1 ORDER BY bucket',
          ...[room.id, seq],
        ),
      );
      for (const { bucket } of buckets) {
        const found = await records.read(() =>
          one<SnapshotRow>(
            `SELECT ${COLUMNS} FROM log_snapshots
             WHERE room = ? AND bucket = ? AND settled = 1 ORDER BY covers DESC LIMIT 1`,
            ...[room.id, bucket],
          ),
        );
        if (found) yield toSnapshot(name, found);
      }
    },
  };
}

function addBytes(room: number, bytes: number): Steps<number> {
  return run('UPDATE log_rooms SET bytes = bytes + ? WHERE id = ?', bytes, room);
}

/** What the entries that a snapshot covers say, and earlier snapshots, in bytes; without the newest entry of the room. */
function* coveredBytes({ room, bucket, covers }: Key): Steps<number> {
  const found = yield* one<{ bytes: number }>(
    `SELECT coalesce((SELECT sum(length(body)) FROM log_entries WHERE room = ? AND bucket = ?
         AND seq <= ? AND body IS NOT NULL AND seq < (SELECT head FROM log_rooms WHERE id = ?)), 0)
       + coalesce((SELECT sum(length(body)) FROM log_snapshots WHERE room = ? AND bucket = ?
         AND covers < ?), 0) AS bytes`,
    ...[room, bucket, covers, room, room, bucket, covers],
  );
  return found?.bytes ?? 0;
}

/** Lets all of that go. The rows of the entries stay, and count, until they are compacted. */
function* settle(key: Key): Steps<void> {
  const { room, bucket, covers } = key;
  const freed = yield* coveredBytes(key);
  yield* run(
    `UPDATE log_entries SET body = NULL WHERE room = ? AND bucket = ? AND seq <= ? AND body IS NOT NULL
       AND seq < (SELECT head FROM log_rooms WHERE id = ?)`,
    ...[room, bucket, covers, room],
  );
  yield* run(
    'DELETE FROM log_snapshots WHERE room = ? AND bucket = ? AND covers < ?',
    ...[room, bucket, covers],
  );
  yield* run(
    'UPDATE log_snapshots SET settled = 1 WHERE room = ? AND bucket = ? AND covers = ?',
    ...[room, bucket, covers],
  );
  yield* addBytes(room, -freed);
}

function toSnapshot(room: string, { enc, body_hash: bodyHash, ...row }: SnapshotRow): StoredSnapshot {
  return { type: 'snapshot', room, ...row, enc: enc === 1, bodyHash };
}
