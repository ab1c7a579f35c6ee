import type { Database } from '../db/open-database.ts';
import type { UpdateLog } from './update-log.ts';

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

type Snapshots = Pick<
  UpdateLog,
  'putSnapshot' | 'confirmSnapshot' | 'settleSnapshots' | 'snapshotsSince' | 'covered'
>;

/** Snapshots beside the entries of the log, and what is let go for them. */
export function snapshotsOf(
  db: Database,
  findRoom: (name: string) => { id: number; head: number } | undefined,
): Snapshots {
  const addBytes = db.prepare<[number, number]>('UPDATE log_rooms SET bytes = bytes + ? WHERE id = ?');

  /** What the entries that a snapshot covers say, and earlier snapshots, in bytes; without the newest entry of the room. */
  function coveredBytes(key: { room: number; bucket: number; covers: number }): number {
    const found = db
      .prepare<[typeof key], { bytes: number }>(
        `SELECT coalesce((SELECT sum(length(body)) FROM log_entries WHERE room = @room AND bucket = @bucket
             AND seq <= @covers AND body IS NOT NULL AND seq < (SELECT head FROM log_rooms WHERE id = @room)), 0)
           + coalesce((SELECT sum(length(body)) FROM log_snapshots WHERE room = @room AND bucket = @bucket
             AND covers < @covers), 0) AS bytes`,
      )
      .get(key);
    return found?.bytes ?? 0;
  }

  /** Lets all of that go. The rows of the entries stay, and count, until they are compacted. */
  function settle(room: number, bucket: number, covers: number): void {
    const key = { room, bucket, covers };
    const freed = coveredBytes(key);
    db.prepare<[typeof key]>(
      `UPDATE log_entries SET body = NULL WHERE room = @room AND bucket = @bucket AND seq <= @covers
         AND seq < (SELECT head FROM log_rooms WHERE id = @room)`,
    ).run(key);
    db.prepare<[typeof key]>(
      'DELETE FROM log_snapshots WHERE room = @room AND bucket = @bucket AND covers < @covers',
    ).run(key);
    db.prepare<[typeof key]>(
      'UPDATE log_snapshots SET settled = 1 WHERE room = @room AND bucket = @bucket AND covers = @covers',
    ).run(key);
    addBytes.run(-freed, room);
  }

  return {
    async putSnapshot({ room: name, bucket, covers, epoch, enc, bodyHash, body, device, at }) {
      return db.write(() => {
        const room = findRoom(name);
        if (!room || covers < 1 || covers > room.head) return false;
        const newest = db
          .prepare<[number, number], { covers: number | null }>(
            'SELECT max(covers) AS covers FROM log_snapshots WHERE room = ? AND bucket = ?',
          )
          .get(room.id, bucket);
        if ((newest?.covers ?? 0) >= covers) return false;
        const freed = db
          .prepare<[number, number], { bytes: number }>(
            'SELECT coalesce(sum(length(body)), 0) AS bytes FROM log_snapshots WHERE room = ? AND bucket = ? AND settled = 0',
          )
          .get(room.id, bucket);
        db.prepare<[number, number]>(
          'DELETE FROM log_snapshots WHERE room = ? AND bucket = ? AND settled = 0',
        ).run(room.id, bucket);
        db.prepare<[number, number, number, number, number, Uint8Array, Uint8Array, string, number]>(
          `INSERT INTO log_snapshots (room, bucket, covers, epoch, enc, body_hash, body, device, at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(room.id, bucket, covers, epoch, enc ? 1 : 0, bodyHash, body, device, at);
        addBytes.run(body.length - (freed?.bytes ?? 0), room.id);
        return true;
      });
    },
    async confirmSnapshot({ room: name, bucket, covers, bodyHash, device }) {
      return db.write(() => {
        const room = findRoom(name);
        const found =
          room &&
          db
            .prepare<[number, number, number, Uint8Array, string], { covers: number }>(
              `SELECT covers FROM log_snapshots
               WHERE room = ? AND bucket = ? AND covers = ? AND body_hash = ? AND device <> ?`,
            )
            .get(room.id, bucket, covers, bodyHash, device);
        if (!room || !found) return false;
        settle(room.id, bucket, covers);
        return true;
      });
    },
    async covered({ room: name, bucket, covers }) {
      const room = findRoom(name);
      return room ? coveredBytes({ room: room.id, bucket, covers }) : 0;
    },
    async settleSnapshots(before) {
      return db.write(() => {
        const old = db
          .prepare<[number], { room: number; name: string; bucket: number; covers: number }>(
            `SELECT s.room, r.room AS name, s.bucket, s.covers FROM log_snapshots s JOIN log_rooms r ON r.id = s.room
             WHERE s.settled = 0 AND s.at < ?`,
          )
          .all(before);
        for (const { room, bucket, covers } of old) settle(room, bucket, covers);
        return old.map(({ name }) => name);
      });
    },
    async *snapshotsSince(name, seq) {
      const room = findRoom(name);
      if (!room) return;
      const buckets = db
        .prepare<[number, number], { bucket: number }>(
          'SELECT DISTINCT bucket FROM log_snapshots WHERE room = ? AND covers > ? AND settled = 1 ORDER BY bucket',
        )
        .all(room.id, seq);
      const read = db.prepare<[number, number], SnapshotRow>(
        `SELECT bucket, covers, epoch, enc, body_hash, body, device, at FROM log_snapshots
         WHERE room = ? AND bucket = ? AND settled = 1 ORDER BY covers DESC LIMIT 1`,
      );
      for (const { bucket } of buckets) {
        const found = read.get(room.id, bucket);
        if (!found) continue;
        const { enc, body_hash: bodyHash, ...row } = found;
        yield { type: 'snapshot', room: name, ...row, enc: enc === 1, bodyHash };
      }
    },
  };
}
