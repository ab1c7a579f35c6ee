import type { AccountId } from '@reverie/shared/accounts/caller';
import { isIndexedNow } from '../../../db/backlog.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** Chunk ids of a namespace lie in `[id * CHUNK_SPAN, (id + 1) * CHUNK_SPAN)`; 2^22 namespaces fit into a safe integer. */
export const CHUNK_SPAN = 2 ** 31;

/** The chunk ids that a namespace may have, both ends included. */
export function chunkRange(namespaceId: number): { from: number; to: number } {
  return { from: namespaceId * CHUNK_SPAN, to: (namespaceId + 1) * CHUNK_SPAN - 1 };
}

/** The namespace of a chunk. */
export function namespaceOfChunk(id: number): number {
  return Math.floor(id / CHUNK_SPAN);
}

/** The text index of an account: one for each, so that no account's words weigh in another's ranking. */
export function textTable(account: AccountId): string {
  return `text_${Number(account)}`;
}

/**
 * Makes the text index of a new account: what the chunk says, and what was said before it in its
 * session. `secure-delete` takes deleted words out of the index at once.
 */
export function createTextIndex(db: WriteDb, account: AccountId): void {
  const table = textTable(account);
  db.exec(
    `CREATE VIRTUAL TABLE ${table} USING fts5(body, context, tokenize = 'porter unicode61 remove_diacritics 2')`,
  );
  db.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('secure-delete', 1)`);
  // Merging from eight segments of a size on, not four: 99 % of single writes at 100,000 memories within 8 ms, not 19.
  db.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('automerge', 8)`);
}

/** The accounts that have a text index. */
export function indexedAccounts(db: ReadDb): AccountId[] {
  return db
    .prepare<[], { id: AccountId }>('SELECT id FROM accounts')
    .all()
    .map(({ id }) => id);
}

/**
 * Merges a little of an account's text index: some pages towards a single segment. Answers whether there
 * was anything to do. (FTS5's `merge` command; the first step of a run gives the number negative.)
 */
export function mergeTextIndex(
  db: WriteDb,
  account: AccountId,
  { pages, isFirst }: { pages: number; isFirst: boolean },
): boolean {
  const table = textTable(account);
  const changes = () =>
    db.prepare<[], { total: number }>('SELECT total_changes() AS total').get()?.total ?? 0;
  const before = changes();
  db.prepare<[number]>(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(
    isFirst ? -pages : pages,
  );
  // The command itself counts as one change.
  return changes() - before >= 2;
}

/** Segments of an account's text index. @internal Tests of the merging ask. */
export function countSegments(db: ReadDb, account: AccountId): number {
  const row = db
    .prepare<[], { count: number }>(`SELECT count(DISTINCT segid) AS count FROM ${textTable(account)}_idx`)
    .get();
  return row?.count ?? 0;
}

/** Takes numbers for `count` new chunks of a namespace; answers the first, which the others follow. */
export function takeChunkIds(db: WriteDb, namespaceId: number, count: number): number {
  // Without RETURNING: it opens a savepoint, at which the text index writes a segment for every memory.
  const row = db
    .prepare<[number], { next_chunk: number }>('SELECT next_chunk FROM namespaces WHERE id = ?')
    .get(namespaceId);
  if (!row || row.next_chunk + count >= CHUNK_SPAN)
    throw new Error(`No chunk ids are left in namespace ${namespaceId}`);
  db.prepare<[number, number, number]>(
    'UPDATE namespaces SET next_chunk = next_chunk + ?, chunks = chunks + ? WHERE id = ?',
  ).run(count, count, namespaceId);
  return namespaceId * CHUNK_SPAN + row.next_chunk;
}

/** For each namespace of an account the number that its next chunk gets. */
export function nextChunks(db: ReadDb, account: AccountId): Map<number, number> {
  const rows = db
    .prepare<[number], [id: number, next: number]>('SELECT id, next_chunk FROM namespaces WHERE account = ?')
    .raw()
    .all(account);
  return new Map(rows);
}

/** What the text index has of a chunk. */
export interface ChunkWords {
  body: string;
  context: string;
}

export interface ChunkRow {
  id: number;
  account: AccountId;
  memoryId: number;
  position: number;
  /** Missing while the text index is still to have them: `unindexedChunks` tells of it. */
  words: ChunkWords | undefined;
  /** Null while the vector is still to be made. */
  vector: { model: string; scale: number; data: Int8Array } | null;
}

export function insertChunk(db: WriteDb, chunk: ChunkRow): void {
  const { vector, words } = chunk;
  db.prepare<unknown[]>(
    'INSERT INTO chunks (id, account, memory_id, position, model, scale, vector) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(
    chunk.id,
    chunk.account,
    chunk.memoryId,
    chunk.position,
    words ? (vector?.model ?? null) : 'unindexed',
    vector?.scale ?? null,
    vector && Buffer.from(vector.data.buffer, vector.data.byteOffset, vector.data.byteLength),
  );
  if (words) insertWords(db, chunk, words);
}

function insertWords(
  db: WriteDb,
  { id, account }: Pick<ChunkRow, 'id' | 'account'>,
  { body, context }: ChunkWords,
): void {
  db.prepare<unknown[]>(`INSERT INTO ${textTable(account)} (rowid, body, context) VALUES (?, ?, ?)`).run(
    id,
    body,
    context,
  );
}

/** The first chunks of an account that the text index does not have yet. */
export function unindexedChunks(db: ReadDb, account: AccountId, limit: number): WaitingChunk[] {
  return db
    .prepare<[number, number], WaitingChunk>(
      `SELECT id, account, memory_id, position FROM chunks WHERE model = 'unindexed' AND account = ? ORDER BY id LIMIT ?`,
    )
    .all(account, limit);
}

/** Whether the text index has all chunks of a memory. */
export function isIndexed(db: ReadDb, memoryId: number): boolean {
  return (
    db
      .prepare<[number], number>("SELECT 1 FROM chunks WHERE memory_id = ? AND model = 'unindexed' LIMIT 1")
      .get(memoryId) === undefined
  );
}

/** The accounts that have such chunks. */
export function unindexedAccounts(db: ReadDb): AccountId[] {
  return db
    .prepare<[], { account: AccountId }>("SELECT DISTINCT account FROM chunks WHERE model = 'unindexed'")
    .all()
    .map(({ account }) => account);
}

/** Puts the words of such a chunk into the text index; it waits for its vector then. */
export function indexChunk(
  db: WriteDb,
  chunk: Pick<WaitingChunk, 'id' | 'account'>,
  words: ChunkWords,
): void {
  insertWords(db, chunk, words);
  db.prepare<[number]>('UPDATE chunks SET model = NULL WHERE id = ?').run(chunk.id);
}

/** Takes the chunks of a memory out of both indexes; answers their ids, and whether their words are left: `deleteStaleWords` deletes them. */
export function deleteChunks(
  db: WriteDb,
  account: AccountId,
  at: { memoryId: number; namespaceId: number },
): { ids: number[]; areWordsLeft: boolean } {
  const ids = db
    .prepare<[number], number>('SELECT id FROM chunks WHERE memory_id = ?')
    .pluck()
    .all(at.memoryId);
  if (ids.length === 0) return { ids, areWordsLeft: false };
  const areWordsLeft = !isIndexedNow(db, unitsOfWords(db, account, ids));
  if (areWordsLeft)
    db.prepare<[number]>(
      `INSERT INTO removed_chunks (chunk, account) SELECT id, account FROM chunks WHERE memory_id = ?`,
    ).run(at.memoryId);
  else for (const id of ids) deleteWords(db, account, id);
  db.prepare<[number]>('DELETE FROM chunks WHERE memory_id = ?').run(at.memoryId);
  db.prepare<[number, number]>('UPDATE namespaces SET chunks = chunks - ? WHERE id = ?').run(
    ids.length,
    at.namespaceId,
  );
  return { ids, areWordsLeft };
}

/** How much longer it takes to take words out of the text index than to put them in. */
const REMOVAL = 3;

/** What it takes to delete the words of some chunks, in units of texts that are indexed. */
function unitsOfWords(db: ReadDb, account: AccountId, ids: readonly number[]): number {
  const units = db
    .prepare<[number], number>(
      `SELECT length(body) + length(context) FROM ${textTable(account)} WHERE rowid = ?`,
    )
    .pluck();
  return REMOVAL * ids.reduce((sum, id) => sum + (units.get(id) ?? 0), 0);
}

function deleteWords(db: WriteDb, account: AccountId, id: number): void {
  db.prepare<[number]>(`DELETE FROM ${textTable(account)} WHERE rowid = ?`).run(id);
}

/** Deletes the words of one chunk that is gone; false where an account has none. */
export function deleteStaleWords(db: WriteDb, account: AccountId): boolean {
  const id = db
    .prepare<[number], number>('SELECT chunk FROM removed_chunks WHERE account = ? ORDER BY chunk LIMIT 1')
    .pluck()
    .get(account);
  if (id === undefined) return false;
  deleteWords(db, account, id);
  db.prepare<[number]>('DELETE FROM removed_chunks WHERE chunk = ?').run(id);
  // FTS5 takes words out when a savepoint opens, or all together at the commit: whoever counts the time is to see what it took.
  db.exec('SAVEPOINT stale; RELEASE stale');
  return true;
}

/** The accounts whose text index has words of chunks that are gone. */
export function staleAccounts(db: ReadDb): AccountId[] {
  return db.prepare<[], AccountId>('SELECT DISTINCT account FROM removed_chunks').pluck().all();
}

/** Chunks of a namespace whose words are deleted at once. */
const FEW_CHUNKS = 20;

/**
 * Takes all chunks of a namespace out of both indexes; the whole index anew where it has no other namespace. Answers whether their words are
 * left: `deleteStaleWords` deletes them.
 */
export function deleteNamespaceChunks(db: WriteDb, account: AccountId, namespaceId: number): boolean {
  const { from, to } = chunkRange(namespaceId);
  const table = textTable(account);
  const others = db
    .prepare<[number, number, number], { one: number }>(
      'SELECT 1 AS one FROM namespaces WHERE account = ? AND id <> ? AND chunks > ? LIMIT 1',
    )
    .get(account, namespaceId, 0);
  const ids = db
    .prepare<[number, number, number], number>('SELECT id FROM chunks WHERE id BETWEEN ? AND ? LIMIT ?')
    .pluck()
    .all(from, to, FEW_CHUNKS + 1);
  const areWordsLeft =
    others !== undefined && (ids.length > FEW_CHUNKS || !isIndexedNow(db, unitsOfWords(db, account, ids)));
  if (areWordsLeft)
    db.prepare<[number, number]>(
      'INSERT INTO removed_chunks (chunk, account) SELECT id, account FROM chunks WHERE id BETWEEN ? AND ?',
    ).run(from, to);
  else if (others) for (const id of ids) deleteWords(db, account, id);
  else {
    db.exec(`DROP TABLE ${table}`);
    createTextIndex(db, account);
    db.prepare<[number]>('DELETE FROM removed_chunks WHERE account = ?').run(account);
  }
  db.prepare<[number, number]>('DELETE FROM chunks WHERE id BETWEEN ? AND ?').run(from, to);
  return areWordsLeft;
}

export interface IndexedTurn {
  id: number;
  value: string;
}

export interface TurnPlace {
  account: AccountId;
  namespaceId: number;
  session: string;
  time: number;
  key: string;
}

const OF_SESSION =
  'WHERE account = @account AND namespace_id = @namespaceId AND session = @session AND id <> @except';

/** The two memories before a place in its session, the nearest first. */
export function turnsBefore(db: ReadDb, place: TurnPlace, except: number): IndexedTurn[] {
  return db
    .prepare<[TurnPlace & { except: number }], IndexedTurn>(
      `SELECT id, value FROM memories ${OF_SESSION} AND (session_time, session_key) < (@time, @key) ORDER BY session_time DESC, session_key DESC LIMIT 2`,
    )
    .all({ ...place, except });
}

/** A memory as it is indexed again; `order` is its key's place in the session. */
export interface LaterTurn extends IndexedTurn {
  key: string;
  metadata: string;
  time: number;
  order: string;
}

/** The two memories after a place in its session. */
export function turnsAfter(db: ReadDb, place: TurnPlace, except: number): LaterTurn[] {
  return db
    .prepare<[TurnPlace & { except: number }], LaterTurn>(
      `SELECT id, key, value, metadata, session_time AS time, session_key AS "order" FROM memories ${OF_SESSION}
       AND (session_time, session_key) > (@time, @key) ORDER BY session_time, session_key LIMIT 2`,
    )
    .all({ ...place, except });
}

export interface EmbeddedChunk {
  id: number;
  memory_id: number;
  scale: number;
  vector: Buffer;
}

/**
 * The vectors of a namespace that `model` made, in the order of their chunks: only those after the chunk `after`, and at most `limit`,
 * where these are given.
 */
export function vectorsOf(
  db: ReadDb,
  namespaceId: number,
  wanted: { model: string; after?: number; limit?: number },
): Iterable<EmbeddedChunk> {
  const { from, to } = chunkRange(namespaceId);
  const { model, after = from - 1, limit = -1 } = wanted;
  return db
    .prepare<[number, number, string, number], EmbeddedChunk>(
      'SELECT id, memory_id, scale, vector FROM chunks WHERE id > ? AND id <= ? AND model = ? ORDER BY id LIMIT ?',
    )
    .iterate(after, to, model, limit);
}

/** The vectors of some chunks that a model made. */
export function vectorsOfChunks(
  db: ReadDb,
  { model, ids }: { model: string; ids: readonly number[] },
): EmbeddedChunk[] {
  return db
    .prepare<[string, string], EmbeddedChunk>(
      `SELECT c.id, c.memory_id, c.scale, c.vector FROM json_each(?) wanted CROSS JOIN chunks c ON c.id = wanted.value
       WHERE c.model = ?`,
    )
    .all(JSON.stringify(ids), model);
}

export interface WaitingChunk {
  id: number;
  account: AccountId;
  memory_id: number;
  position: number;
}

/** Chunks that wait for their vector, from the durable queue, oldest first. */
export function waitingChunks(db: ReadDb, limit: number): WaitingChunk[] {
  return db
    .prepare<[number], WaitingChunk>(
      'SELECT id, account, memory_id, position FROM chunks WHERE model IS NULL ORDER BY id LIMIT ?',
    )
    .all(limit);
}

export function countWaiting(db: ReadDb): number {
  return (
    db
      .prepare<[], { count: number }>(
        `SELECT (SELECT count(*) FROM chunks WHERE model IS NULL)
           + (SELECT count(*) FROM chunks WHERE model = 'unindexed') AS count`,
      )
      .get()?.count ?? 0
  );
}

/** Gives a waiting chunk its vector; false where the chunk is gone. */
export function saveVector(db: WriteDb, id: number, vector: NonNullable<ChunkRow['vector']>): boolean {
  const { changes } = db
    .prepare<unknown[]>('UPDATE chunks SET model = ?, scale = ?, vector = ? WHERE id = ? AND model IS NULL')
    .run(
      vector.model,
      vector.scale,
      Buffer.from(vector.data.buffer, vector.data.byteOffset, vector.data.byteLength),
      id,
    );
  return changes > 0;
}

/** Puts chunks whose vector another model made back into the queue, at most `limit` a call; answers how many. Those without words come by themselves. */
export function requeueOtherModels(db: WriteDb, model: string, limit: number): number {
  return db
    .prepare<[string, number]>(
      `UPDATE chunks SET model = NULL, scale = NULL, vector = NULL
       WHERE id IN (SELECT id FROM chunks WHERE model <> ? AND model <> 'unindexed' LIMIT ?)`,
    )
    .run(model, limit).changes;
}

/** Takes a waiting chunk out of the queue without a vector: what makes them may not see it. */
export function withholdChunk(db: WriteDb, id: number): void {
  db.prepare<[number]>("UPDATE chunks SET model = 'withheld' WHERE id = ? AND model IS NULL").run(id);
}

/** The namespaces that have chunks without a vector, because what makes them might not see them. */
export function withheldNamespaces(db: ReadDb): number[] {
  return db
    .prepare<[], { id: number }>(
      `SELECT n.id FROM namespaces n WHERE EXISTS
         (SELECT 1 FROM chunks c WHERE c.model = 'withheld' AND c.id >= n.id << 31 AND c.id < (n.id + 1) << 31)`,
    )
    .all()
    .map(({ id }) => id);
}

/** Puts such chunks of a namespace back into the queue, at most `limit` a call; answers how many. */
export function releaseWithheld(db: WriteDb, namespaceId: number, limit: number): number {
  const { from, to } = chunkRange(namespaceId);
  return db
    .prepare<[number, number, number]>(
      `UPDATE chunks SET model = NULL WHERE id IN
         (SELECT id FROM chunks WHERE model = 'withheld' AND id BETWEEN ? AND ? LIMIT ?)`,
    )
    .run(from, to, limit).changes;
}

/** A memory's text and place, for indexing it again. */
export interface MemoryTextRow {
  id: number;
  namespace_id: number;
  key: string;
  value: string;
  metadata: string;
  version: number;
  session: string | null;
  session_time: number | null;
  session_key: string | null;
}

export function findSourceRow(db: ReadDb, id: number): MemoryTextRow | undefined {
  return db
    .prepare<[number], MemoryTextRow>(
      'SELECT id, namespace_id, key, value, metadata, version, session, session_time, session_key FROM memories WHERE id = ?',
    )
    .get(id);
}

/** The version of a memory; undefined where it is gone. */
export function findVersionOf(db: ReadDb, id: number): number | undefined {
  return db.prepare<[number], { version: number }>('SELECT version FROM memories WHERE id = ?').get(id)
    ?.version;
}
