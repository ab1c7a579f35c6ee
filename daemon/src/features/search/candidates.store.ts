import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../db/open-store.ts';
import { CHUNK_SPAN, chunkRange, textTable } from './index.store.ts';

export interface TextRow {
  id: number;
  score: number;
}

/** Rows of the text index that stand in some namespaces: of one they stand together, and no others are walked. */
function within(ids: readonly number[]): { sql: string; values: unknown[] } {
  const [only] = ids;
  if (only === undefined || ids.length > 1)
    return {
      sql: `rowid / ${CHUNK_SPAN} IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(ids)],
    };
  const { from, to } = chunkRange(only);
  return { sql: 'rowid BETWEEN ? AND ?', values: [from, to] };
}

/** The best chunks of some namespaces by BM25, the words before them counting 0.3; larger is better. */
export function matchChunks(
  db: ReadDb,
  account: AccountId,
  query: { match: string; namespaces: readonly number[]; limit: number },
): TextRow[] {
  const table = textTable(account);
  const { sql, values } = within(query.namespaces);
  return db
    .prepare<unknown[], TextRow>(
      `SELECT rowid AS id, -bm25(${table}, 1.0, 0.3) AS score FROM ${table}
       WHERE ${table} MATCH ? AND ${sql} ORDER BY score DESC LIMIT ?`,
    )
    .all(query.match, ...values, query.limit);
}

/** The same among the chunks of given memories only (a JSON list of ids). */
export function matchChunksOf(
  db: ReadDb,
  account: AccountId,
  query: { match: string; namespaces: readonly number[]; limit: number; memories: string },
): TextRow[] {
  const table = textTable(account);
  const { sql, values } = within(query.namespaces);
  return db
    .prepare<unknown[], TextRow>(
      `WITH wanted AS (SELECT c.id FROM json_each(?) m CROSS JOIN chunks c ON c.memory_id = m.value)
       SELECT rowid AS id, -bm25(${table}, 1.0, 0.3) AS score FROM ${table}
       WHERE ${table} MATCH ? AND ${sql} AND rowid IN (SELECT id FROM wanted)
       ORDER BY score DESC LIMIT ?`,
    )
    .all(query.memories, query.match, ...values, query.limit);
}

/** How many chunks say a term themselves: of one namespace, or of all of an account. */
export function countMatches(
  db: ReadDb,
  account: AccountId,
  query: { match: string; namespaceId: number | undefined },
): number {
  const table = textTable(account);
  const { sql, values } =
    query.namespaceId === undefined ? { sql: 'TRUE', values: [] } : within([query.namespaceId]);
  const row = db
    .prepare<unknown[], { count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE ${table} MATCH ? AND ${sql}`,
    )
    .get(`body : ${query.match}`, ...values);
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

/** The indexed words of the chunks that match and have a piece of text, in small letters, just so. */
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

/** How often a stem, or what begins with it, stands in the text index of an account. */
export function countOccurrences(
  db: ReadDb,
  account: AccountId,
  { stem, prefix }: { stem: string; prefix: boolean },
): number {
  const table = textTable(account);
  // A view of the index, of this connection only; making it again does nothing.
  db.prepare<[]>(
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems_of_${table} USING fts5vocab(main, ${table}, row)`,
  ).run();
  const range = prefix ? 'term >= ? AND term <= ?' : 'term = ? AND term = ?';
  const row = db
    .prepare<[string, string], { count: number | null }>(
      `SELECT sum(cnt) AS count FROM temp.stems_of_${table} WHERE ${range}`,
    )
    .get(stem, prefix ? `${stem}\u{10ffff}` : stem);
  return row?.count ?? 0;
}

/** The indexed words of chunks, by id. */
export function chunkBodies(db: ReadDb, account: AccountId, ids: readonly number[]): Map<number, string> {
  const find = db.prepare<[number], { body: string }>(
    `SELECT body FROM ${textTable(account)} WHERE rowid = ?`,
  );
  return new Map(ids.map((id) => [id, find.get(id)?.body ?? '']));
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
 * The beginnings of memories, by id; short ones whole, for `substr` ends at a zero character. The first of them that are
 * 16 MiB together.
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

/** The memories of some namespaces that say exactly this and nothing else, newest first: a scan, for what no index knows. */
export function findByValue(
  db: ReadDb,
  account: AccountId,
  wanted: { namespaces: readonly number[]; value: string },
): number[] {
  return db
    .prepare<[number, string, string], { id: number }>(
      `SELECT id FROM memories WHERE account = ? AND namespace_id IN (SELECT value FROM json_each(?)) AND value = ?
       AND hidden IS NULL ORDER BY created_at DESC, id DESC`,
    )
    .all(account, JSON.stringify(wanted.namespaces), wanted.value)
    .map(({ id }) => id);
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

/** Chunks of an account in all, and those that do not wait for their vector. */
export function countChunks(db: ReadDb, account: AccountId): { total: number; embedded: number } {
  const row = db
    .prepare<[number, number], { total: number; waiting: number }>(
      `SELECT (SELECT coalesce(sum(chunks), 0) FROM namespaces WHERE account = ?) AS total,
         (SELECT count(*) FROM chunks WHERE model IS NULL AND account = ?) AS waiting`,
    )
    .get(account, account);
  return row ? { total: row.total, embedded: row.total - row.waiting } : { total: 0, embedded: 0 };
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
