import type { Entry } from '@reverie/shared/protocol/messages';
import type { Pool } from '../db/postgres/pool.ts';
import { ENTRY_OVERHEAD, type LogPage, type UpdateLog } from './update-log.ts';

interface PageRow {
  room: string;
  settled: number;
  /** Null in a room that has nothing behind the number: each entry's numbers, as `HEAD` lists them. */
  heads: string | null;
  /** All bodies, one after the other. */
  bodies: Uint8Array | null;
  /** Of the last entry. */
  hash: Uint8Array | null;
}

/**
 * Each room's next entries, up to a number and to about a number of bytes, and its mark, in one look: nothing is settled in between. A room is
 * one row, as a row an entry costs both sides twice as much.
 */
const PAGES = `
  SELECT r.room, r.settled, e.heads, e.bodies, h.hash
  FROM unnest($1::text[], $2::bigint[]) AS want (room, seq)
  JOIN log_rooms r ON r.room = want.room
  LEFT JOIN LATERAL (
    SELECT max(p.seq) AS last, string_agg(p.body, '') AS bodies,
      string_agg(concat_ws(',', p.seq, p.epoch, p.writer, p.n, p.at, p.enc, coalesce(p.bucket, -1), coalesce(length(p.body), 0),
        p.cleared_ms, p.cleared_counter), ';') AS heads
    FROM (
      SELECT g.seq, g.epoch, g.writer, g.n, g.at, g.bucket, g.enc, g.body, g.cleared_ms, g.cleared_counter,
        sum(${ENTRY_OVERHEAD} + coalesce(length(g.body), 0)) OVER (ORDER BY g.seq ROWS UNBOUNDED PRECEDING)
          - ${ENTRY_OVERHEAD} - coalesce(length(g.body), 0) AS before
      FROM log_entries g
      WHERE g.room = r.id AND g.seq > want.seq AND (g.body IS NOT NULL OR g.bucket IS NULL)
      ORDER BY g.seq LIMIT $3
    ) p
    WHERE p.before < $4
  ) e ON true
  LEFT JOIN log_entries h ON h.room = r.id AND h.seq = e.last`;

const FIND_NAMES = 'SELECT id, device, incarnation FROM log_writers WHERE id = ANY($1::bigint[])';

interface Writer {
  device: string;
  incarnation: string;
}

/** Writers whose names are known: they never change. */
const MOST_WRITERS = 20_000;

/** Reads the logs of rooms. */
export function createPages(pool: Pool): UpdateLog['sinceEach'] {
  const writers = new Map<number, Writer>();

  async function nameAll(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Writer>> {
    const strange = [...ids].filter((id) => !writers.has(id));
    if (strange.length === 0) return writers;
    // Those that are needed now stay.
    if (writers.size > MOST_WRITERS) for (const id of writers.keys()) if (!ids.has(id)) writers.delete(id);
    const { rows } = await pool.query({ name: 'find names', text: FIND_NAMES, values: [strange] });
    for (const { id, device, incarnation } of rows as (Writer & { id: number })[])
      writers.set(id, { device, incarnation });
    return writers;
  }

  return async (behind, most) => {
    const { rows } = await pool.query({
      name: 'pages',
      text: PAGES,
      values: [[...behind.keys()], [...behind.values()], most.entries, most.bytes],
    });
    const read = (rows as PageRow[]).map((row) => ({ row, heads: headsOf(row.heads) }));
    const names = await nameAll(new Set(read.flatMap(({ heads }) => heads.map(({ writer }) => writer))));
    return new Map(
      read.map(({ row: { room, settled, bodies, hash }, heads }): [string, LogPage] => {
        let at = 0;
        const entries = heads.map((head): Entry => {
          const from = at;
          at += head.length;
          return toEntry(head, names.get(head.writer), bodies?.subarray(from, at));
        });
        return [room, { entries, settled, ...(hash && { hash }) }];
      }),
    );
  };
}

type Head = ReturnType<typeof headsOf>[number];

function headsOf(heads: string | null) {
  if (heads === null) return [];
  return heads.split(';').map((head) => {
    const [
      seq = 0,
      epoch = 0,
      writer = 0,
      n = 0,
      at = 0,
      enc = 0,
      bucket = -1,
      length = 0,
      ms = 0,
      counter = 0,
    ] = head.split(',').map(Number);
    return { seq, epoch, writer, n, at, isEncrypted: enc === 1, bucket, length, stamp: { ms, counter } };
  });
}

function toEntry(head: Head, writer: Writer | undefined, body: Uint8Array = new Uint8Array()): Entry {
  if (!writer) throw new Error('The writer of an entry is not there');
  const { seq, epoch, n, at, bucket, isEncrypted, stamp } = head;
  const { device, incarnation } = writer;
  const where = { seq, epoch, device, incarnation, n, at };
  // A body shares memory with the others of its page.
  return bucket < 0
    ? { ...where, kind: 'clear', clearedBefore: stamp }
    : { ...where, kind: 'update', bucket, enc: isEncrypted, body };
}
