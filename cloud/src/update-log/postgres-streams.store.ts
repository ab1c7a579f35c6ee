import type { PoolConnection } from '../db/postgres/pool.ts';
import type { Appended } from './update-log.ts';

/** A room as a batch locks it, and moves it on. */
export interface LockedRoomRow {
  id: number;
  room: string;
  epoch: number;
  head: number;
  hash: Uint8Array;
  cleared_ms: number;
  cleared_counter: number;
  bytes: number;
}

/** What one incarnation of a device writes into one room. */
export interface WriterStream {
  room: string;
  device: string;
  incarnation: string;
  /** Absent until the room is locked, and where there is none. */
  row?: LockedRoomRow;
  /** Absent while nothing of it is stored. */
  writer?: number;
  /** Nothing behind this number is stored; -1 where nothing is. */
  last: number;
  /** Where the entries of this batch are to stand, by number. */
  places: Map<number, number>;
}

const FIND_WRITERS = `
  SELECT w.id, w.device, w.incarnation FROM unnest($1::text[], $2::text[]) AS t (device, incarnation)
  JOIN log_writers w ON w.device = t.device AND w.incarnation = t.incarnation`;

const ADD_WRITERS = `
  INSERT INTO log_writers (device, incarnation) SELECT device, incarnation FROM unnest($1::text[], $2::text[]) AS t (device, incarnation)
  ORDER BY device, incarnation
  ON CONFLICT (device, incarnation) DO UPDATE SET device = excluded.device RETURNING id, device, incarnation`;

/** One look into the index for each: joined, all entries were read where the planner thought them few. */
const FIND_KNOWN = `
  SELECT t.at, e.seq FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS t (room, writer, n, at)
  CROSS JOIN LATERAL (SELECT k.seq FROM log_entries k WHERE k.room = t.room AND k.writer = t.writer AND k.n = t.n LIMIT 1) e`;

/** The last number of each room and writer. */
const FIND_LASTS = `
  SELECT t.room, t.writer, e.n FROM unnest($1::bigint[], $2::bigint[]) AS t (room, writer)
  CROSS JOIN LATERAL (
    SELECT k.n FROM log_entries k WHERE k.room = t.room AND k.writer = t.writer ORDER BY k.n DESC LIMIT 1
  ) e`;

/** The key of a writer: its device and incarnation. */
export const writerOf = ({ device, incarnation }: { device: string; incarnation: string }) =>
  `${device} ${incarnation}`;

/** A list of numbers as Postgres reads it: `pg` looks for quotes in each of them. */
export const list = (values: readonly (number | null | undefined)[]) =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/** The streams of a batch, and the one of each entry. */
export function streamsOf(batch: readonly Appended[]): { all: WriterStream[]; of: WriterStream[] } {
  const found = new Map<string, WriterStream>();
  let before: WriterStream | undefined;
  const of = batch.map(({ room, device, incarnation }) => {
    if (before?.room === room && before.device === device && before.incarnation === incarnation)
      return before;
    const name = `${room} ${device} ${incarnation}`;
    const stream = found.get(name) ?? { room, device, incarnation, last: -1, places: new Map() };
    found.set(name, stream);
    before = stream;
    return stream;
  });
  return { all: [...found.values()], of };
}

type WriterRow = Pick<WriterStream, 'device' | 'incarnation'> & { id: number };

export async function findWriters(
  connection: PoolConnection,
  streams: readonly WriterStream[],
  writers: ReadonlyMap<string, number>,
): Promise<void> {
  for (const stream of streams) numberTo(stream, writers.get(writerOf(stream)));
  const strange = streams.filter(({ writer }) => writer === undefined);
  if (strange.length === 0) return;
  const { rows } = await connection.query<WriterRow>(FIND_WRITERS, namesOf(strange));
  numberAll(strange, rows);
}

/**
 * Stores the writers that are not known yet. Called only for entries that are
 * stored: what is refused takes no space, however often it comes.
 */
export async function addWriters(
  connection: PoolConnection,
  streams: readonly WriterStream[],
): Promise<void> {
  const strange = streams.filter(({ writer }) => writer === undefined);
  if (strange.length === 0) return;
  const { rows } = await connection.query<WriterRow>(ADD_WRITERS, namesOf(strange));
  numberAll(strange, rows);
}

function namesOf(streams: readonly WriterStream[]): [string[], string[]] {
  const named = [...new Map(streams.map((stream) => [writerOf(stream), stream])).values()];
  return [named.map(({ device }) => device), named.map(({ incarnation }) => incarnation)];
}

function numberTo(stream: WriterStream, writer: number | undefined): void {
  if (writer !== undefined) stream.writer = writer;
}

function numberAll(streams: readonly WriterStream[], rows: readonly WriterRow[]): void {
  const numbers = new Map(rows.map((row) => [writerOf(row), row.id]));
  for (const stream of streams) numberTo(stream, numbers.get(writerOf(stream)));
}

export async function findLasts(
  connection: PoolConnection,
  streams: readonly WriterStream[],
  lasts: ReadonlyMap<string, number>,
): Promise<void> {
  const asked = new Map<string, WriterStream>();
  for (const stream of streams) {
    const { row, writer } = stream;
    if (!row || writer === undefined) continue;
    const name = `${row.id} ${writer}`;
    const last = lasts.get(name);
    if (last === undefined) asked.set(name, stream);
    else stream.last = last;
  }
  if (asked.size === 0) return;
  const { rows } = await connection.query<{ room: number; writer: number; n: number }>({
    name: 'find lasts',
    text: FIND_LASTS,
    values: [
      list([...asked.values()].map(({ row }) => row?.id)),
      list([...asked.values()].map(({ writer }) => writer)),
    ],
  });
  for (const { room, writer, n } of rows) {
    const stream = asked.get(`${room} ${writer}`);
    if (stream) stream.last = n;
  }
}

/** Where entries of the batch stand already. */
export async function findKnown(
  connection: PoolConnection,
  batch: readonly Appended[],
  of: readonly WriterStream[],
): Promise<Map<Appended, number>> {
  const asked = batch.flatMap((one, index) => {
    const stream = of[index];
    return stream && one.entry.n <= stream.last ? [{ one, stream }] : [];
  });
  const known = new Map<Appended, number>();
  if (asked.length === 0) return known;
  const { rows } = await connection.query<{ at: number; seq: number }>({
    name: 'find known',
    text: FIND_KNOWN,
    values: [
      list(asked.map(({ stream }) => stream.row?.id)),
      list(asked.map(({ stream }) => stream.writer)),
      list(asked.map(({ one }) => one.entry.n)),
    ],
  });
  for (const { at, seq } of rows) {
    const found = asked[at - 1];
    if (found) known.set(found.one, seq);
  }
  return known;
}
