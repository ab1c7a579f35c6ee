import { NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Pool } from '../db/postgres/pool.ts';
import { createPostgresRecords } from '../db/postgres/postgres-records.ts';
import { one } from '../db/records.ts';
import { compactionOf } from './compaction.store.ts';
import { openLog } from './opening.store.ts';
import { createAppending } from './postgres-append.store.ts';
import { createPages } from './postgres-pages.store.ts';
import { removeRoom } from './room-removal.store.ts';
import { type LogRoom, snapshotsOf } from './snapshots.store.ts';
import type { RoomState, UpdateLog } from './update-log.ts';

/** The log in Postgres. `logId`: its name, as it is now. */
export function createPostgresLog(pool: Pool, logId: () => string): UpdateLog {
  // What changes a room locks its row first: no two transactions are in each other's way beyond waiting.
  const records = createPostgresRecords(pool, { isolation: 'READ COMMITTED' });
  const lockRoom = (name: string) =>
    one<LogRoom>('SELECT id, head, epoch FROM log_rooms WHERE room = ? FOR UPDATE', name);

  const sinceEach = createPages(pool);

  return {
    get logId() {
      return logId();
    },
    async open(room) {
      await records.write(() => openLog(room));
    },
    append: createAppending(pool),
    async state(name) {
      const room = await records.read(() =>
        one<
          Omit<RoomState, 'clearedBefore' | 'presentSince'> &
            Record<'cleared_ms' | 'cleared_counter' | 'present_since', number>
        >(
          'SELECT epoch, head, bytes, settled, cleared_ms, cleared_counter, present_since FROM log_rooms WHERE room = ?',
          name,
        ),
      );
      if (!room) return undefined;
      const { cleared_ms: ms, cleared_counter: counter, present_since: presentSince, ...state } = room;
      return { ...state, clearedBefore: { ms, counter }, presentSince };
    },
    since: async (name, seq, most) =>
      (await sinceEach(new Map([[name, seq]]), most)).get(name) ?? { entries: [] },
    sinceEach,
    async hashAt(name, seq) {
      if (seq === 0) return NO_HASH;
      const row = await records.read(() =>
        one<{ hash: Uint8Array }>(
          `SELECT coalesce(e.hash, h.hash) AS hash FROM log_rooms r
           LEFT JOIN log_entries e ON e.room = r.id AND e.seq = ?
           LEFT JOIN log_hashes h ON h.room = r.id AND h.seq = ?
           WHERE r.room = ? AND coalesce(e.hash, h.hash) IS NOT NULL`,
          ...[seq, seq, name],
        ),
      );
      return row?.hash;
    },
    ...compactionOf(records),
    ...snapshotsOf(records, lockRoom),
    remove: (name) => removeRoom(records, name),
  };
}
