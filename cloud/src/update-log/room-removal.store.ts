import type { Database } from '../db/open-database.ts';

/** What is deleted in one transaction, bytes and rows: some milliseconds, for what is deleted is overwritten. */
const SLICE = { bytes: 1024 * 1024, rows: 500 } as const;
/** Before the name of a room that is being removed; no room of an account is called like it. */
const REMOVED = 'removed:';

/**
 * Deletes the log of a room, a little at a time: gigabytes of one room at once would keep all others waiting. From the first moment on
 * nothing finds it by its name. What an end of the relay left of earlier ones goes, too.
 */
export async function removeRoom(db: Database, name: string): Promise<void> {
  db.prepare<[string, string]>('UPDATE log_rooms SET room = ? || id WHERE room = ?').run(REMOVED, name);
  const left = db
    .prepare<[string], { id: number }>(`SELECT id FROM log_rooms WHERE room GLOB ? || '*'`)
    .all(REMOVED);
  for (const { id } of left) {
    while (db.write(() => removeEntries(db, id) || removeHashes(db, id) || removeSnapshots(db, id)))
      await turn();
    db.prepare<[number]>('DELETE FROM log_rooms WHERE id = ?').run(id);
  }
}

/** Lets others through between two slices. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Deletes some; false where none was left. */
function removeEntries(db: Database, room: number): boolean {
  const some = db
    .prepare<[number, number], { id: number; bytes: number }>(
      'SELECT id, coalesce(length(body), 0) AS bytes FROM log_entries WHERE room = ? ORDER BY seq LIMIT ?',
    )
    .all(room, SLICE.rows);
  const remove = db.prepare<[number]>('DELETE FROM log_entries WHERE id = ?');
  let bytes = 0;
  for (const one of some) {
    remove.run(one.id);
    bytes += one.bytes;
    if (bytes >= SLICE.bytes) break;
  }
  return some.length > 0;
}

function removeHashes(db: Database, room: number): boolean {
  const { changes } = db
    .prepare<[number, number, number]>(
      `DELETE FROM log_hashes WHERE room = ? AND seq IN (SELECT seq FROM log_hashes WHERE room = ? LIMIT ?)`,
    )
    .run(room, room, SLICE.rows);
  return changes > 0;
}

function removeSnapshots(db: Database, room: number): boolean {
  const some = db
    .prepare<[number], { bucket: number; covers: number; bytes: number }>(
      'SELECT bucket, covers, length(body) AS bytes FROM log_snapshots WHERE room = ? LIMIT 50',
    )
    .all(room);
  const remove = db.prepare<[number, number, number]>(
    'DELETE FROM log_snapshots WHERE room = ? AND bucket = ? AND covers = ?',
  );
  let bytes = 0;
  for (const one of some) {
    remove.run(room, one.bucket, one.covers);
    bytes += one.bytes;
    if (bytes >= SLICE.bytes) break;
  }
  return some.length > 0;
}
