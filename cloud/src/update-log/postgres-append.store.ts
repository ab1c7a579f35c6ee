import { entryHash } from '@reverie/shared/protocol/entry-hash';
import type { Entry } from '@reverie/shared/protocol/messages';
import type { Connection, Pool } from '../db/postgres/pool.ts';
import { type Appended, laterStamp, type Outcome, sizeOf, type UpdateLog } from './update-log.ts';

interface RoomRow {
  id: number;
  room: string;
  epoch: number;
  head: number;
  hash: Uint8Array;
  cleared_ms: number;
  cleared_counter: number;
  bytes: number;
}

/** An entry of the batch that is to be stored. */
interface Fresh {
  room: RoomRow;
  writer: string;
  entry: Entry;
  hash: Uint8Array;
}

/** Numbers of writers that are known to be stored; a hundred bytes each. */
const MOST_WRITERS = 20_000;

const LOCK_ROOMS = `
  SELECT id, room, epoch, head, hash, cleared_ms, cleared_counter, bytes
  FROM log_rooms WHERE room = ANY($1::text[]) ORDER BY id FOR UPDATE`;

const FIND_WRITERS = `
  SELECT w.id, w.device, w.incarnation FROM unnest($1::text[], $2::text[]) AS t (device, incarnation)
  JOIN log_writers w ON w.device = t.device AND w.incarnation = t.incarnation`;

const ADD_WRITERS = `
  INSERT INTO log_writers (device, incarnation) SELECT device, incarnation FROM unnest($1::text[], $2::text[]) AS t (device, incarnation)
  ORDER BY device, incarnation
  ON CONFLICT (device, incarnation) DO UPDATE SET device = excluded.device RETURNING id, device, incarnation`;

const FIND_KNOWN = `
  SELECT t.at, e.seq FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS t (room, writer, n, at)
  JOIN log_entries e ON e.room = t.room AND e.writer = t.writer AND e.n = t.n`;

/** The rooms and the entries in one statement. Bodies and hashes come as one piece each, and are cut here: a list of them would be text. */
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

const nameOf = ({ device, incarnation }: { device: string; incarnation: string }) =>
  `${device} ${incarnation}`;

/** Appends batches. A batch locks its rooms in the order of their numbers: two that share rooms wait for each other, and never in a circle. */
export function createAppending(pool: Pool): UpdateLog['append'] {
  const writers = new Map<string, number>();

  function remember(found: ReadonlyMap<string, number>): void {
    if (writers.size + found.size > MOST_WRITERS) writers.clear();
    for (const [name, id] of found) writers.set(name, id);
  }

  async function appendOn(
    connection: Connection,
    batch: readonly Appended[],
  ): Promise<{ outcomes: Outcome[]; found: Map<string, number> }> {
    const names = [...new Set(batch.map(({ room }) => room))];
    const locked = await connection.query<RoomRow>({ name: 'lock rooms', text: LOCK_ROOMS, values: [names] });
    const rooms = new Map(locked.rows.map((row) => [row.room, row]));
    const found = await findWriters(connection, batch);
    const numberOf = (name: string) => writers.get(name) ?? found.get(name);
    const known = await findKnown(connection, batch, { rooms, numberOf });
    const { outcomes, fresh } = decide(batch, { rooms, known });
    if (fresh.length > 0) {
      const strange = fresh.filter(({ writer }) => numberOf(writer) === undefined);
      if (strange.length > 0) await addWriters(connection, strange, found);
      await store(connection, fresh, numberOf);
    }
    return { outcomes, found };
  }

  async function findWriters(
    connection: Connection,
    batch: readonly Appended[],
  ): Promise<Map<string, number>> {
    const strange = new Map(
      batch.filter((one) => !writers.has(nameOf(one))).map((one) => [nameOf(one), one]),
    );
    if (strange.size === 0) return new Map();
    const list = [...strange.values()];
    const { rows } = await connection.query<{ id: number; device: string; incarnation: string }>(
      FIND_WRITERS,
      [list.map(({ device }) => device), list.map(({ incarnation }) => incarnation)],
    );
    return new Map(rows.map((row) => [nameOf(row), row.id]));
  }

  return async (batch) => {
    const { outcomes, found } = await pool.transaction(
      // An entry that stands there already is answered as such: what was committed unheard may be tried again.
      { isolation: 'READ COMMITTED', isRepeatable: true },
      (connection) => appendOn(connection, batch),
    );
    // Not before: what is undone leaves no writer behind.
    remember(found);
    return outcomes;
  };
}

/** Only with an entry: what is refused takes no space, however often it comes. */
async function addWriters(
  connection: Connection,
  fresh: readonly Fresh[],
  found: Map<string, number>,
): Promise<void> {
  const list = [...new Map(fresh.map((one) => [one.writer, one.entry])).values()];
  const { rows } = await connection.query<{ id: number; device: string; incarnation: string }>(ADD_WRITERS, [
    list.map(({ device }) => device),
    list.map(({ incarnation }) => incarnation),
  ]);
  for (const row of rows) found.set(nameOf(row), row.id);
}

/** Where entries of the batch stand already, by room, writer and number. */
async function findKnown(
  connection: Connection,
  batch: readonly Appended[],
  {
    rooms,
    numberOf,
  }: { rooms: ReadonlyMap<string, RoomRow>; numberOf: (name: string) => number | undefined },
): Promise<Map<Appended, number>> {
  const asked = batch.flatMap((one) => {
    const [room, writer] = [rooms.get(one.room)?.id, numberOf(nameOf(one))];
    return room === undefined || writer === undefined ? [] : [{ one, room, writer }];
  });
  const known = new Map<Appended, number>();
  if (asked.length === 0) return known;
  const { rows } = await connection.query<{ at: number; seq: number }>({
    name: 'find known',
    text: FIND_KNOWN,
    values: [
      asked.map(({ room }) => room),
      asked.map(({ writer }) => writer),
      asked.map(({ one }) => one.entry.n),
    ],
  });
  for (const { at, seq } of rows) {
    const found = asked[at - 1];
    if (found) known.set(found.one, seq);
  }
  return known;
}

/** What becomes of each entry, in order; rooms are moved on as they will be stored. */
function decide(
  batch: readonly Appended[],
  { rooms, known }: { rooms: ReadonlyMap<string, RoomRow>; known: ReadonlyMap<Appended, number> },
): { outcomes: Outcome[]; fresh: Fresh[] } {
  const fresh: Fresh[] = [];
  /** The places of those that come twice in the batch. */
  const places = new Map<string, number>();
  const outcomes = batch.map((one): Outcome => {
    const { room: name, epoch, device, incarnation, entry } = one;
    const room = rooms.get(name);
    if (!room) return { kind: 'gone' };
    const told = `${name} ${nameOf(one)} ${entry.n}`;
    const seq = known.get(one) ?? places.get(told);
    if (seq !== undefined) return { kind: 'known', seq };
    if (epoch !== room.epoch) return { kind: 'stale_epoch', epoch: room.epoch };
    const stored: Entry = { ...entry, seq: room.head + 1, epoch, device, incarnation };
    const hash = entryHash(room.hash, name, stored);
    room.head = stored.seq;
    room.hash = hash;
    room.bytes += sizeOf(entry);
    if (entry.kind === 'clear') {
      const later = laterStamp({ ms: room.cleared_ms, counter: room.cleared_counter }, entry.clearedBefore);
      room.cleared_ms = later.ms;
      room.cleared_counter = later.counter;
    }
    places.set(told, stored.seq);
    fresh.push({ room, writer: nameOf(one), entry: stored, hash });
    return { kind: 'stored', entry: stored, hash };
  });
  return { outcomes, fresh };
}

async function store(
  connection: Connection,
  fresh: readonly Fresh[],
  numberOf: (name: string) => number | undefined,
): Promise<void> {
  const rooms = [...new Set(fresh.map(({ room }) => room))];
  const bodies = fresh.map(({ entry }) => (entry.kind === 'update' ? entry.body : new Uint8Array()));
  let start = 1;
  const starts = bodies.map(({ length }) => (start += length) - length);
  const clears = fresh.map(({ entry }) => (entry.kind === 'clear' ? entry.clearedBefore : undefined));
  await connection.query({
    name: 'store',
    text: STORE,
    values: [
      rooms.map(({ id }) => id),
      rooms.map(({ head }) => head),
      rooms.map(({ cleared_ms }) => cleared_ms),
      rooms.map(({ cleared_counter }) => cleared_counter),
      Buffer.concat(rooms.map(({ hash }) => hash)),
      rooms.map(({ bytes }) => bytes),
      fresh.map(({ room }) => room.id),
      fresh.map(({ entry }) => entry.seq),
      fresh.map(({ entry }) => entry.epoch),
      fresh.map(({ writer }) => numberOf(writer)),
      fresh.map(({ entry }) => entry.n),
      fresh.map(({ entry }) => entry.at),
      fresh.map(({ entry }) => (entry.kind === 'update' ? entry.bucket : null)),
      fresh.map(({ entry }) => (entry.kind === 'update' && entry.enc ? 1 : 0)),
      starts,
      bodies.map(({ length }) => length),
      Buffer.concat(fresh.map(({ hash }) => hash)),
      Buffer.concat(bodies),
      clears.map((stamp) => stamp?.ms ?? null),
      clears.map((stamp) => stamp?.counter ?? null),
    ],
  });
}
