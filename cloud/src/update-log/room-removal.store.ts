import { all, type Records, run, type Steps } from '../db/records.ts';

/** What is deleted in one transaction, bytes and rows: some milliseconds, for what is deleted is overwritten. */
const SLICE = { bytes: 1024 * 1024, rows: 500 } as const;
/** Before the name of a room that is being removed; no room of an account is called like it. */
const REMOVED = 'removed:';

/**
 * Deletes the log of a room, a little at a time: gigabytes of one room at once would keep all others waiting. From the first moment on
 * nothing finds it by its name. What an end of the relay left of earlier ones goes, too.
 */
export async function removeRoom(records: Records, name: string): Promise<void> {
  await records.write(() => run(`UPDATE log_rooms SET room = '${REMOVED}' || id WHERE room = ?`, name));
  const left = await records.read(() =>
    all<{ id: number }>(`SELECT id FROM log_rooms WHERE room LIKE '${REMOVED}%'`),
  );
  for (const { id } of left) {
    while (await records.write(() => removeSome(id))) await turn();
    await records.write(() => run('DELETE FROM log_rooms WHERE id = ?', id));
  }
}

/** Lets others through between two slices. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Deletes some of what a room had; false where nothing was left. */
function* removeSome(room: number): Steps<boolean> {
  return (yield* removeEntries(room)) || (yield* removeHashes(room)) || (yield* removeSnapshots(room));
}

function* removeEntries(room: number): Steps<boolean> {
  const some = yield* all<{ seq: number; bytes: number }>(
    'SELECT seq, coalesce(length(body), 0) AS bytes FROM log_entries WHERE room = ? ORDER BY seq LIMIT ?',
    ...[room, SLICE.rows],
  );
  let bytes = 0;
  let last = 0;
  for (const one of some) {
    last = one.seq;
    bytes += one.bytes;
    if (bytes >= SLICE.bytes) break;
  }
  return (yield* run('DELETE FROM log_entries WHERE room = ? AND seq <= ?', room, last)) > 0;
}

function* removeHashes(room: number): Steps<boolean> {
  const changes = yield* run(
    'DELETE FROM log_hashes WHERE room = ? AND seq IN (SELECT seq FROM log_hashes WHERE room = ? LIMIT ?)',
    ...[room, room, SLICE.rows],
  );
  return changes > 0;
}

function* removeSnapshots(room: number): Steps<boolean> {
  const some = yield* all<{ bucket: number; covers: number; bytes: number }>(
    'SELECT bucket, covers, length(body) AS bytes FROM log_snapshots WHERE room = ? LIMIT 50',
    room,
  );
  let bytes = 0;
  for (const one of some) {
    yield* run(
      'DELETE FROM log_snapshots WHERE room = ? AND bucket = ? AND covers = ?',
      ...[room, one.bucket, one.covers],
    );
    bytes += one.bytes;
    if (bytes >= SLICE.bytes) break;
  }
  return some.length > 0;
}
