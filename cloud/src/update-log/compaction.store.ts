import { all, one, type Records, run } from '../db/records.ts';
import { ENTRY_OVERHEAD, HASH_BYTES, type UpdateLog } from './update-log.ts';

/** Rows that are taken in one transaction. */
const SLICE = 500;

/** Entries of a room that were let go, and are of an earlier epoch. */
const OLD = 'room = ? AND body IS NULL AND bucket IS NOT NULL AND epoch < ?';

/** Compacts entries that were let go and are of an earlier epoch: their hashes move to a table of their own, and their rows are deleted. */
export function compactionOf(records: Records): Pick<UpdateLog, 'compact'> {
  return {
    compact: () =>
      records.write(function* () {
        const room = yield* one<{ id: number; name: string; epoch: number }>(
          `SELECT r.id, r.room AS name, r.epoch FROM log_rooms r WHERE EXISTS (SELECT 1 FROM log_entries e
           WHERE e.room = r.id AND e.body IS NULL AND e.bucket IS NOT NULL AND e.epoch < r.epoch) LIMIT 1`,
        );
        if (!room) return [];
        const { id, name, epoch } = room;
        const some = yield* all<{ seq: number }>(
          `SELECT seq FROM log_entries WHERE ${OLD} ORDER BY seq LIMIT ?`,
          ...[id, epoch, SLICE],
        );
        const last = some.at(-1)?.seq ?? 0;
        yield* run(
          `INSERT INTO log_hashes (room, seq, hash) SELECT room, seq, hash FROM log_entries WHERE ${OLD} AND seq <= ?`,
          ...[id, epoch, last],
        );
        const count = yield* run(`DELETE FROM log_entries WHERE ${OLD} AND seq <= ?`, id, epoch, last);
        const bytes = count * (HASH_BYTES - ENTRY_OVERHEAD);
        yield* run('UPDATE log_rooms SET bytes = bytes + ? WHERE id = ?', bytes, id);
        return [name];
      }),
  };
}
