import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';
import { CHUNK_SPAN, chunkRange, textTable } from '../index/index.store.ts';

export interface TextRow {
  id: number;
  score: number;
}

/** Chunks by their ids, both ends included. */
export interface ChunkRange {
  readonly from: number;
  readonly to: number;
}

/** The part of the text index that is read; chunks in between that belong to other namespaces are passed over. */
export interface IndexRange extends ChunkRange {
  readonly namespaces?: readonly number[];
}

/** The range that covers some namespaces, given in the order of their ids. */
export function rangeOf(namespaces: readonly number[]): IndexRange {
  const [first = 0, ...others] = namespaces;
  const last = others.at(-1);
  if (last === undefined) return chunkRange(first);
  return { from: chunkRange(first).from, to: chunkRange(last).to, namespaces };
}

/** The words of a chunk that is gone may be in the text index for a while. */
export const IS_THERE = 'rowid NOT IN (SELECT chunk FROM removed_chunks)';

/** Rows of the text index in a range whose chunks are there, as SQL. */
export function within({ from, to, namespaces }: IndexRange): { sql: string; values: unknown[] } {
  const range = `rowid BETWEEN ? AND ? AND ${IS_THERE}`;
  if (!namespaces) return { sql: range, values: [from, to] };
  return {
    sql: `${range} AND rowid / ${CHUNK_SPAN} IN (SELECT value FROM json_each(?))`,
    values: [from, to, JSON.stringify(namespaces)],
  };
}

/**
 * The best chunks of a range by BM25 (larger is better); what was said before a chunk in its session counts 0.3. Of more than `most` that
 * match the newest are scored.
 */
export function matchChunks(
  db: ReadDb,
  account: AccountId,
  { match, limit, most, ...at }: IndexRange & { match: string; limit: number; most?: number | undefined },
): TextRow[] {
  const table = textTable(account);
  const { sql, values } = within(at);
  const scored = `SELECT rowid AS id, -bm25(${table}, 1.0, 0.3) AS score FROM ${table} WHERE ${table} MATCH ? AND ${sql}`;
  const newest =
    most === undefined ? scored : `SELECT id, score FROM (${scored} ORDER BY rowid DESC LIMIT ${most})`;
  return db.prepare<unknown[], TextRow>(`${newest} ORDER BY score DESC LIMIT ?`).all(match, ...values, limit);
}

/**
 * All matching chunks, by id, for callers that want only a few of them: asking for each by id would look each up anew, which
 * takes seconds for hundreds and minutes for a hundred thousand.
 */
export function everyMatch(
  db: ReadDb,
  account: AccountId,
  { match, ...at }: IndexRange & { match: string },
): TextRow[] {
  const table = textTable(account);
  const { sql, values } = within(at);
  return db
    .prepare<unknown[], [id: number, score: number]>(
      `SELECT rowid, -bm25(${table}, 1.0, 0.3) FROM ${table} WHERE ${table} MATCH ? AND ${sql}`,
    )
    .raw()
    .all(match, ...values)
    .map(([id, score]) => ({ id, score }));
}

/** The first and the last chunk that a namespace has; undefined for one without any. */
export function chunkEnds(db: ReadDb, namespaceId: number): ChunkRange | undefined {
  const { from, to } = chunkRange(namespaceId);
  const end = (order: 'ASC' | 'DESC') =>
    db
      .prepare<[number, number], number>(
        `SELECT id FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id ${order} LIMIT 1`,
      )
      .pluck()
      .get(from, to);
  const [first, last] = [end('ASC'), end('DESC')];
  return first === undefined || last === undefined ? undefined : { from: first, to: last };
}

/** How many chunks say a term themselves: of one namespace, or of all of an account. */
export function countMatches(
  db: ReadDb,
  account: AccountId,
  { match, namespaces }: { match: string; namespaces: readonly number[] | undefined },
): number {
  const table = textTable(account);
  const { sql, values } =
    namespaces === undefined ? { sql: IS_THERE, values: [] } : within(rangeOf(namespaces));
  const row = db
    .prepare<unknown[], { count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE ${table} MATCH ? AND ${sql}`,
    )
    .get(`body : ${match}`, ...values);
  return row?.count ?? 0;
}

/** Ids of the memories of an account whose chunks match. */
export function memoriesSaying(db: ReadDb, account: AccountId, match: string): number[] {
  const table = textTable(account);
  return db
    .prepare<[string], { id: number }>(
      `SELECT DISTINCT c.memory_id AS id FROM (SELECT rowid AS chunk FROM ${table} WHERE ${table} MATCH ?) found
       CROSS JOIN chunks c ON c.id = found.chunk`,
    )
    .all(match)
    .map(({ id }) => id);
}

/** The indexed words of the chunks that match and, in small letters, contain `piece` to the letter. */
export function bodiesHaving(
  db: ReadDb,
  account: AccountId,
  { match, piece }: { match: string; piece: string },
): { id: number; body: string }[] {
  const table = textTable(account);
  return db
    .prepare<[string, string], { id: number; body: string }>(
      `SELECT rowid AS id, body FROM ${table} WHERE ${table} MATCH ? AND instr(lower(body), ?) > 0`,
    )
    .all(match, piece);
}

/** The indexed words of chunks, by id. */
export function chunkBodies(db: ReadDb, account: AccountId, ids: readonly number[]): Map<number, string> {
  const find = db.prepare<[number], { body: string }>(
    `SELECT body FROM ${textTable(account)} WHERE rowid = ?`,
  );
  return new Map(ids.map((id) => [id, find.get(id)?.body ?? '']));
}

/** The position of each chunk among those of its memory, from 0. */
export function chunkPositions(db: ReadDb, ids: readonly number[]): number[] {
  return db
    .prepare<[string], number>(
      'SELECT c.position FROM json_each(?) wanted CROSS JOIN chunks c ON c.id = wanted.value',
    )
    .pluck()
    .all(JSON.stringify(ids));
}

/** The memories that chunks belong to, by chunk id. */
export function memoriesOfChunks(db: ReadDb, ids: readonly number[]): Map<number, number> {
  const rows = db
    .prepare<[string], [id: number, memoryId: number]>(
      'SELECT c.id, c.memory_id FROM json_each(?) wanted CROSS JOIN chunks c ON c.id = wanted.value',
    )
    .raw()
    .all(JSON.stringify(ids));
  return new Map(rows);
}

export function chunkIdsOfMemories(db: ReadDb, memories: string): number[] {
  return db
    .prepare<[string], { id: number }>(
      'SELECT c.id FROM json_each(?) m CROSS JOIN chunks c ON c.memory_id = m.value',
    )
    .all(memories)
    .map(({ id }) => id);
}

export interface MemoryHead {
  id: number;
  key: string;
  metadata: string;
  /** The beginning of the value, longer than any query. */
  head: string;
}

/** Bytes of memories whose beginnings are read at once: SQLite reads all of a value for its beginning. */
const MOST_READ = 16 * 1024 * 1024;

/**
 * How memories begin (9,000 characters), by id; values of up to 9,000 bytes are given whole, for `substr` ends at a zero character. As many
 * of the first ones as have 16 MiB together.
 */
export function memoryHeads(db: ReadDb, wanted: readonly number[]): Map<number, MemoryHead> {
  const bytesOf = db.prepare<[number], { bytes: number }>('SELECT bytes FROM memories WHERE id = ?');
  let left = MOST_READ;
  const ids = wanted.filter((id) => (left -= bytesOf.get(id)?.bytes ?? 0) >= 0);
  const rows = db
    .prepare<[string], MemoryHead>(
      `SELECT m.id, m.key, m.metadata,
         CASE WHEN m.bytes <= 9000 THEN m.value ELSE substr(m.value, 1, 9000) END AS head
       FROM json_each(?) wanted JOIN memories m ON m.id = wanted.value`,
    )
    .all(JSON.stringify(ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** A namespace as search needs it. */
export function findSearched(
  db: ReadDb,
  account: AccountId,
  name: string,
): { id: number; chunks: number } | undefined {
  return db
    .prepare<[number, string], { id: number; chunks: number }>(
      'SELECT id, chunks FROM namespaces WHERE account = ? AND name = ?',
    )
    .get(account, name);
}

/** All namespaces of an account as search needs them, those of what is hidden included. */
export function allSearched(
  db: ReadDb,
  account: AccountId,
): readonly { id: number; name: string; chunks: number }[] {
  return db
    .prepare<[number], { id: number; name: string; chunks: number }>(
      'SELECT id, name, chunks FROM namespaces WHERE account = ? AND chunks > 0 ORDER BY id',
    )
    .all(account);
}

/**
 * How many chunks the namespaces hold that a key has (all of the account where `within` is null), and how many of these have their vector;
 * those that no vectors are made of, for the server may not see them, are not counted.
 */
export function countChunks(
  db: ReadDb,
  account: AccountId,
  within: string | null,
): { total: number; embedded: number } {
  const row = db
    .prepare<
      [{ account: AccountId; within: string | null }],
      { total: number; waiting: number; withheld: number }
    >(
      `SELECT (SELECT coalesce(sum(n.chunks), 0) FROM namespaces n WHERE n.account = @account
           AND (@within IS NULL OR has_namespace(@within, n.name))) AS total,
         (SELECT count(*) FROM chunks c WHERE (c.model IS NULL OR c.model = 'unindexed') AND c.account = @account
           AND (@within IS NULL OR EXISTS (SELECT 1 FROM namespaces n WHERE n.id = c.id >> 31 AND has_namespace(@within, n.name)))) AS waiting,
         (SELECT count(*) FROM chunks c WHERE c.model = 'withheld' AND c.account = @account
           AND (@within IS NULL OR EXISTS (SELECT 1 FROM namespaces n WHERE n.id = c.id >> 31 AND has_namespace(@within, n.name)))) AS withheld`,
    )
    .get({ account, within });
  if (!row) return { total: 0, embedded: 0 };
  const total = row.total - row.withheld;
  return { total, embedded: total - row.waiting };
}

/** Those of some memories that are turns of a session. */
export function turnsAmong(db: ReadDb, ids: readonly number[]): Set<number> {
  const found = db
    .prepare<[string], number>(
      'SELECT m.id FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value WHERE m.session IS NOT NULL',
    )
    .pluck()
    .all(JSON.stringify(ids));
  return new Set(found);
}

/** The memories right after one in its session, the nearest first; none for a memory without a session. */
export function turnsFollowing(db: ReadDb, memoryId: number, limit: number): number[] {
  return db
    .prepare<[number, number], { id: number }>(
      `SELECT later.id FROM memories m JOIN memories later
         ON later.account = m.account AND later.namespace_id = m.namespace_id AND later.session = m.session
       WHERE m.id = ? AND m.session IS NOT NULL AND later.hidden IS m.hidden
         AND (later.session_time, later.session_key) > (m.session_time, m.session_key)
       ORDER BY later.session_time, later.session_key LIMIT ?`,
    )
    .all(memoryId, limit)
    .map(({ id }) => id);
}

/** The chunks of memories, by memory. */
export function chunksOfTurns(db: ReadDb, ids: readonly number[]): Map<number, number[]> {
  const chunks = new Map<number, number[]>();
  const rows = db
    .prepare<[string], { id: number; memory_id: number }>(
      'SELECT c.id, c.memory_id FROM json_each(?) m CROSS JOIN chunks c ON c.memory_id = m.value',
    )
    .all(JSON.stringify(ids));
  for (const { id, memory_id } of rows) chunks.set(memory_id, [...(chunks.get(memory_id) ?? []), id]);
  return chunks;
}
