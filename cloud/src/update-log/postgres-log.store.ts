import { NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Entry } from '@reverie/shared/protocol/messages';
import type { Pool } from '../db/postgres/pool.ts';
import { createPostgresRecords } from '../db/postgres/postgres-records.ts';
import { one, run } from '../db/records.ts';
import { compactionOf } from './compaction.store.ts';
import { createAppending } from './postgres-append.store.ts';
import { removeRoom } from './room-removal.store.ts';
import { type LogRoom, snapshotsOf } from './snapshots.store.ts';
import { ENTRY_OVERHEAD, type Most, type Page, type RoomState, type UpdateLog } from './update-log.ts';

interface PageRow {
  name: string;
  settled: number;
  /** Null in the one row of a room that has nothing behind the number. */
  seq: number | null;
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

/** Each room's next entries, up to a number and to about a number of bytes, and its mark, in one look: nothing is settled in between. */
const PAGES = `
  SELECT r.room AS name, r.settled, e.seq, e.epoch, w.device, w.incarnation, e.n, e.at, e.hash, e.bucket, e.enc, e.body,
    e.cleared_ms, e.cleared_counter
  FROM unnest($1::text[], $2::bigint[]) AS want (room, seq)
  JOIN log_rooms r ON r.room = want.room
  LEFT JOIN LATERAL (
    SELECT p.seq, p.epoch, p.writer, p.n, p.at, p.hash, p.bucket, p.enc, p.body, p.cleared_ms, p.cleared_counter
    FROM (
      SELECT f.seq, f.epoch, f.writer, f.n, f.at, f.hash, f.bucket, f.enc, f.body, f.cleared_ms, f.cleared_counter,
        sum(${ENTRY_OVERHEAD} + coalesce(length(f.body), 0)) OVER (ORDER BY f.seq ROWS UNBOUNDED PRECEDING)
          - ${ENTRY_OVERHEAD} - coalesce(length(f.body), 0) AS before
      FROM (
        SELECT g.seq, g.epoch, g.writer, g.n, g.at, g.hash, g.bucket, g.enc, g.body, g.cleared_ms, g.cleared_counter
        FROM log_entries g
        WHERE g.room = r.id AND g.seq > want.seq AND (g.body IS NOT NULL OR g.bucket IS NULL)
        ORDER BY g.seq LIMIT $3
      ) f
    ) p
    WHERE p.before < $4
  ) e ON true
  LEFT JOIN log_writers w ON w.id = e.writer
  ORDER BY r.id, e.seq`;

/** The log in Postgres. `logId`: its name, as it is now. */
export function createPostgresLog(pool: Pool, logId: () => string): UpdateLog {
  // What changes a room locks its row first: no two transactions are in each other's way beyond waiting.
  const records = createPostgresRecords(pool, { isolation: 'READ COMMITTED' });
  const lockRoom = (name: string) =>
    one<LogRoom>('SELECT id, head, epoch FROM log_rooms WHERE room = ? FOR UPDATE', name);

  async function sinceEach(
    behind: ReadonlyMap<string, number>,
    most: Most,
  ): Promise<ReadonlyMap<string, Page>> {
    const { rows } = await pool.query({
      text: PAGES,
      values: [[...behind.keys()], [...behind.values()], most.entries, most.bytes],
    });
    const pages = new Map<string, { entries: Entry[]; hash?: Uint8Array; settled?: number }>();
    for (const row of rows as PageRow[]) {
      const page = pages.get(row.name) ?? { entries: [], settled: row.settled };
      pages.set(row.name, page);
      if (row.seq === null) continue;
      page.entries.push(toEntry({ ...row, seq: row.seq }));
      page.hash = row.hash;
    }
    return pages;
  }

  return {
    get logId() {
      return logId();
    },
    async open(room) {
      await records.write(() =>
        run('INSERT INTO log_rooms (room, hash) VALUES (?, ?) ON CONFLICT (room) DO NOTHING', room, NO_HASH),
      );
    },
    append: createAppending(pool),
    async state(name) {
      const room = await records.read(() =>
        one<Omit<RoomState, 'clearedBefore'> & { cleared_ms: number; cleared_counter: number }>(
          'SELECT epoch, head, bytes, settled, cleared_ms, cleared_counter FROM log_rooms WHERE room = ?',
          name,
        ),
      );
      if (!room) return undefined;
      const { cleared_ms: ms, cleared_counter: counter, ...state } = room;
      return { ...state, clearedBefore: { ms, counter } };
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

function toEntry(row: PageRow & { seq: number }): Entry {
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
