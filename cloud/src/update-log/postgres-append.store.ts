import { entryHash } from '@reverie/shared/protocol/entry-hash';
import type { Entry } from '@reverie/shared/protocol/messages';
import type { PoolConnection, Pool } from '../db/postgres/pool.ts';
import {
  addWriters,
  findKnown,
  findLasts,
  findWriters,
  list,
  type LockedRoomRow,
  type WriterStream,
  streamsOf,
  writerOf,
} from './postgres-streams.store.ts';
import { type Appended, laterStamp, type AppendOutcome, sizeOf, type UpdateLog } from './update-log.ts';

/** An entry of the batch that is to be stored. */
interface Fresh {
  stream: WriterStream & { row: LockedRoomRow };
  entry: Entry;
  hash: Uint8Array;
}

/** Writers whose numbers are known, and rooms that they have written to; a hundred bytes each. */
const MOST_WRITERS = 20_000;
const MOST_STREAMS = 50_000;

const LOCK_ROOMS = `
  SELECT id, room, epoch, head, hash, cleared_ms, cleared_counter, bytes
  FROM log_rooms WHERE room = ANY($1::text[]) ORDER BY id FOR UPDATE`;

/**
 * The rooms and the entries in one statement. Bodies and hashes come as one piece each, and are cut here: a list of them would be text. A list
 * that ends early goes on with nulls.
 */
const STORE = `
  WITH counted AS (
    UPDATE log_rooms r SET head = t.head, hash = substring($5::bytea FROM (t.at - 1)::int * 32 + 1 FOR 32),
      cleared_ms = t.cleared_ms, cleared_counter = t.cleared_counter, bytes = t.bytes
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $6::bigint[])
      WITH ORDINALITY AS t (id, head, cleared_ms, cleared_counter, bytes, at)
    WHERE r.id = t.id
  )
  INSERT INTO log_entries (room, seq, epoch, writer, n, at, hash, bucket, enc, body, cleared_ms, cleared_counter)
  SELECT t.room, t.seq, t.epoch, t.writer, t.n, t.at, substring($17::bytea FROM (t.place - 1)::int * 32 + 1 FOR 32),
    t.bucket, t.enc, CASE WHEN t.bucket IS NULL THEN NULL ELSE substring($18::bytea FROM t.start FOR t.length) END,
    t.cleared_ms, t.cleared_counter
  FROM unnest($7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::smallint[],
      $15::int[], $16::int[], $19::bigint[], $20::bigint[])
    WITH ORDINALITY AS t (room, seq, epoch, writer, n, at, bucket, enc, start, length, cleared_ms, cleared_counter, place)`;

/** Appends batches. A batch locks its rooms in the order of their numbers: two that share rooms wait for each other, and never in a circle. */
export function createAppending(pool: Pool): UpdateLog['append'] {
  /** Numbers of writers that are known to be stored. */
  const writers = new Map<string, number>();
  /** The last number of streams, by room and writer. Other nodes may have stored more: the index refuses what stands there, and they are asked for. */
  const lasts = new Map<string, number>();

  async function appendOn(
    connection: PoolConnection,
    batch: readonly Appended[],
    isSure: boolean,
  ): Promise<{ outcomes: AppendOutcome[]; streams: Iterable<WriterStream> }> {
    const { all, of } = streamsOf(batch);
    const names = [...new Set(all.map(({ room }) => room))];
    // Both are sent before the first is answered.
    const [locked] = await Promise.all([
      connection.query<LockedRoomRow>({ name: 'lock rooms', text: LOCK_ROOMS, values: [names] }),
      findWriters(connection, all, writers),
    ]);
    const rows = new Map(locked.rows.map((row) => [row.room, row]));
    for (const stream of all) {
      const row = rows.get(stream.room);
      if (row) stream.row = row;
    }
    await findLasts(connection, all, isSure ? lasts : new Map());
    const known = await findKnown(connection, batch, of);
    const { outcomes, fresh } = decide(batch, { of, known });
    if (fresh.length > 0) {
      await addWriters(
        connection,
        fresh.map(({ stream }) => stream),
      );
      await store(connection, fresh);
    }
    return { outcomes, streams: all };
  }

  /** Not before it is committed: what is undone leaves no writer behind. */
  function remember(streams: Iterable<WriterStream>): void {
    if (writers.size > MOST_WRITERS) writers.clear();
    if (lasts.size > MOST_STREAMS) lasts.clear();
    for (const stream of streams) {
      const { row, writer, last, places } = stream;
      if (writer === undefined || !row) continue;
      writers.set(writerOf(stream), writer);
      lasts.set(`${row.id} ${writer}`, Math.max(last, ...places.keys()));
    }
  }

  return async (batch) => {
    let tries = 0;
    const { outcomes, streams } = await pool.transaction(
      // An entry that stands there already is answered as such: what was committed unheard may be tried again.
      { isolation: 'READ COMMITTED', isRepeatable: true },
      (connection) => appendOn(connection, batch, (tries += 1) === 1),
    );
    remember(streams);
    return outcomes;
  };
}

/** What becomes of each entry, in order; rooms are moved on as they will be stored. */
function decide(
  batch: readonly Appended[],
  { of, known }: { of: readonly WriterStream[]; known: ReadonlyMap<Appended, number> },
): { outcomes: AppendOutcome[]; fresh: Fresh[] } {
  const fresh: Fresh[] = [];
  const outcomes = batch.map((one, index): AppendOutcome => {
    const { epoch, device, incarnation, entry } = one;
    const stream = of[index];
    if (!isOpen(stream)) return { kind: 'gone' };
    const { row, places } = stream;
    const seq = known.get(one) ?? places.get(entry.n);
    if (seq !== undefined) return { kind: 'known', seq };
    if (epoch !== row.epoch) return { kind: 'stale_epoch', epoch: row.epoch };
    const stored: Entry = { ...entry, seq: row.head + 1, epoch, device, incarnation };
    const hash = entryHash(row.hash, row.room, stored);
    row.head = stored.seq;
    row.hash = hash;
    row.bytes += sizeOf(entry);
    if (entry.kind === 'clear') {
      const later = laterStamp({ ms: row.cleared_ms, counter: row.cleared_counter }, entry.clearedBefore);
      row.cleared_ms = later.ms;
      row.cleared_counter = later.counter;
    }
    places.set(entry.n, stored.seq);
    fresh.push({ stream, entry: stored, hash });
    return { kind: 'stored', entry: stored, hash };
  });
  return { outcomes, fresh };
}

const isOpen = (stream: WriterStream | undefined): stream is WriterStream & { row: LockedRoomRow } =>
  stream?.row !== undefined;

async function store(connection: PoolConnection, fresh: readonly Fresh[]): Promise<void> {
  const rooms = [...new Set(fresh.map(({ stream }) => stream.row))];
  const bodies = fresh.map(({ entry }) => (entry.kind === 'update' ? entry.body : EMPTY));
  let start = 1;
  const starts = bodies.map(({ length }) => (start += length) - length);
  const clears = fresh.map(({ entry }) => (entry.kind === 'clear' ? entry.clearedBefore : undefined));
  const hasClears = clears.some((stamp) => stamp !== undefined);
  await connection.end({
    name: 'store',
    text: STORE,
    values: [
      list(rooms.map(({ id }) => id)),
      list(rooms.map(({ head }) => head)),
      list(rooms.map(({ cleared_ms }) => cleared_ms)),
      list(rooms.map(({ cleared_counter }) => cleared_counter)),
      Buffer.concat(rooms.map(({ hash }) => hash)),
      list(rooms.map(({ bytes }) => bytes)),
      list(fresh.map(({ stream }) => stream.row.id)),
      list(fresh.map(({ entry }) => entry.seq)),
      list(fresh.map(({ entry }) => entry.epoch)),
      list(fresh.map(({ stream }) => stream.writer)),
      list(fresh.map(({ entry }) => entry.n)),
      list(fresh.map(({ entry }) => entry.at)),
      list(fresh.map(({ entry }) => (entry.kind === 'update' ? entry.bucket : null))),
      list(fresh.map(({ entry }) => (entry.kind === 'update' && entry.enc ? 1 : 0))),
      list(starts),
      list(bodies.map(({ length }) => length)),
      Buffer.concat(fresh.map(({ hash }) => hash)),
      Buffer.concat(bodies),
      list(hasClears ? clears.map((stamp) => stamp?.ms) : []),
      list(hasClears ? clears.map((stamp) => stamp?.counter) : []),
    ],
  });
}

const EMPTY = new Uint8Array();
