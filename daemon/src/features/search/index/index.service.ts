import type { AccountId } from '@reverie/shared/accounts/caller';
import { isIndexedNow } from '../../../db/backlog.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import { type Embedder, encodeMixed, quantise, type WeightedText } from '../../../models/embedder.ts';
import { type Chunk, chunksOf, searchedText } from './chunks.ts';
import {
  type ChunkWords,
  deleteChunks,
  deleteNamespaceChunks,
  deleteStaleWords,
  findSourceRow,
  findVersionOf,
  indexChunk,
  insertChunk,
  type MemoryTextRow,
  namespaceOfChunk,
  saveVector,
  takeChunkIds,
  type TurnPlace,
  turnsAfter,
  turnsBefore,
  unindexedChunks,
  type WaitingChunk,
} from './index.store.ts';
import { labelOf } from '../ranking/label.ts';
import type { Segments } from '../vectors/segments.ts';
import { inEnglish, indexedAbroad } from '../../../language/abroad/in-english.ts';
import { indexedText, indexUnits } from '../../../language/indexed-text.ts';

/** How much of each of the two memories before one in its session counts as its context. */
const CONTEXT_LENGTH = 600;
/** Weight of each of them in the vector, beside 1 for the text itself (R@10 .545 → .584 on LoCoMo). */
const CONTEXT_WEIGHT = 0.3;

/** Where a memory stands in a session. */
interface Place {
  session: string;
  time: number;
  key: string;
}

export interface Indexed {
  id: number;
  account: AccountId;
  namespaceId: number;
  key: string;
  value: string;
  /** As JSON. */
  metadata: string;
  place: Place | undefined;
}

export interface IndexDeps {
  embedder: Embedder;
  segments: Segments;
  /** Called after a commit that changed the index of an account. */
  touched: (account: AccountId) => void;
  /** Called after a commit that took words out of the index of an account. */
  removed: (account: AccountId) => void;
  /** Called after a commit that left vectors to be made in the background. */
  wake: () => void;
  /** Called after a commit that left texts of an account which the text index does not have yet. */
  left: (account: AccountId) => void;
  /** Called after a commit that left words of chunks in the text index of an account that are gone. */
  stale: (account: AccountId) => void;
}

/** Indexes a new or changed memory, and those after it in its session, whose context it is. */
export function indexMemory(
  db: WriteDb,
  deps: IndexDeps,
  { memory, before }: { memory: Indexed; before: Place | undefined },
): void {
  db.afterCommit(() => deps.touched(memory.account));
  indexOne(db, deps, memory);
  indexFollowers(db, deps, memory);
  const { place } = memory;
  const moved =
    before && (place?.session !== before.session || place.time !== before.time || place.key !== before.key);
  if (moved) indexFollowers(db, deps, { ...memory, place: before });
}

/** Indexes a memory again that did not change, because it is cut or read otherwise now. */
export function indexAgain(db: WriteDb, deps: IndexDeps, memory: Indexed): void {
  db.afterCommit(() => deps.touched(memory.account));
  indexOne(db, deps, memory);
}

/** A memory as it is indexed, from its row. */
export function indexedOf(row: MemoryTextRow, account: AccountId): Indexed {
  const { id, namespace_id, key, value, metadata, session, session_time: time, session_key } = row;
  const place =
    session !== null && time !== null && session_key !== null
      ? { session, time, key: session_key }
      : undefined;
  return { id, account, namespaceId: namespace_id, key, value, metadata, place };
}

/** Takes a memory out of the indexes, and out of the context of those after it. */
export function unindexMemory(db: WriteDb, deps: IndexDeps, memory: Indexed): void {
  db.afterCommit(() => deps.touched(memory.account));
  dropChunks(db, deps, memory);
  indexFollowers(db, deps, { ...memory, gone: memory.id });
}

/** Takes a whole namespace out of the indexes. */
export function unindexNamespace(
  db: WriteDb,
  deps: IndexDeps,
  at: { account: AccountId; namespaceId: number },
): void {
  const areWordsLeft = deleteNamespaceChunks(db, at.account, at.namespaceId);
  db.afterCommit(() => {
    deps.segments.drop(at.namespaceId);
    deps.removed(at.account);
    if (areWordsLeft) deps.stale(at.account);
  });
}

function turnPlace(memory: Indexed, place: Place): TurnPlace {
  return { account: memory.account, namespaceId: memory.namespaceId, ...place };
}

/** `gone` is a memory that is about to be deleted, and context of nothing any more. */
type Indexing = Indexed & { gone?: number };

function indexFollowers(db: WriteDb, deps: IndexDeps, memory: Indexing): void {
  const { place } = memory;
  if (!place) return;
  for (const turn of turnsAfter(db, turnPlace(memory, place), memory.id)) {
    const { id, key, value, metadata, time, order } = turn;
    indexOne(db, deps, {
      ...memory,
      id,
      key,
      value,
      metadata,
      place: { session: place.session, time, key: order },
    });
  }
}

function dropChunks(db: WriteDb, deps: IndexDeps, { account, id, namespaceId }: Indexed): void {
  const { ids, areWordsLeft } = deleteChunks(db, account, { memoryId: id, namespaceId });
  if (ids.length === 0) return;
  db.afterCommit(() => {
    for (const chunk of ids) deps.segments.remove(chunk);
    deps.removed(account);
    if (areWordsLeft) deps.stale(account);
  });
}

/** Takes the words of one chunk that a write or a deletion left behind out of the text index; false where an account has none any more. */
export function removeStale(
  db: WriteDb,
  deps: Pick<IndexDeps, 'touched' | 'removed'>,
  account: AccountId,
): boolean {
  if (!deleteStaleWords(db, account)) return false;
  db.afterCommit(() => {
    deps.touched(account);
    deps.removed(account);
  });
  return true;
}

function indexOne(db: WriteDb, deps: IndexDeps, memory: Indexing): void {
  dropChunks(db, deps, memory);
  const { id: memoryId, account, namespaceId } = memory;
  if (!isIndexedNow(db, indexUnits(memory.value))) {
    // Stands for all of it until it is cut.
    leaveChunks(db, { memoryId, account, first: takeChunkIds(db, namespaceId, 1), positions: [0] });
    db.afterCommit(() => deps.left(account));
    return;
  }
  const context = contextOf(db, memory, memory.gone);
  const chunks = chunksOf(memory.value);
  const first = takeChunkIds(db, namespaceId, chunks.length);
  for (const [position, chunk] of chunks.entries()) {
    const id = first + position;
    const vector = deps.embedder.isRemote ? null : vectorOf(deps.embedder, chunk, context);
    const words = wordsOf(memory, { chunk, position, context });
    insertChunk(db, { id, account, memoryId, position, vector, words });
    if (vector) db.afterCommit(() => deps.segments.add({ id, memoryId }, vector.data, vector.scale));
  }
  if (deps.embedder.isRemote) db.afterCommit(deps.wake);
}

/** Makes the chunks of a memory that are indexed behind its write. */
function leaveChunks(
  db: WriteDb,
  {
    memoryId,
    account,
    first,
    positions,
  }: { memoryId: number; account: AccountId; first: number; positions: readonly number[] },
): void {
  for (const [at, position] of positions.entries())
    insertChunk(db, { id: first + at, account, memoryId, position, vector: null, words: undefined });
}

/**
 * Puts one chunk that a write left behind into the text index, the first one after the memory is cut into its chunks; false where an account
 * has none any more.
 */
export function indexLeft(
  db: WriteDb,
  deps: Pick<IndexDeps, 'embedder' | 'segments' | 'touched' | 'wake'> & { cut: Cut; waiting: WaitingChunks },
  account: AccountId,
): boolean {
  const left = deps.waiting.next(db, account);
  if (!left) return false;
  const { row, chunk, count } = deps.cut(db, left);
  const { position, memory_id: memoryId } = left;
  if (position === 0 && count > 1) {
    const first = takeChunkIds(db, namespaceOfChunk(left.id), count - 1);
    const positions = Array.from({ length: count - 1 }, (_, at) => at + 1);
    leaveChunks(db, { memoryId, account, first, positions });
    deps.waiting.first(positions.map((of, at) => ({ ...left, id: first + at, position: of })));
  }
  const memory = indexedOf(row, account);
  const context = contextOf(db, memory);
  indexChunk(db, left, wordsOf(memory, { chunk, position, context }));
  if (deps.embedder.isRemote) db.afterCommit(deps.wake);
  else {
    const vector = vectorOf(deps.embedder, chunk, context);
    saveVector(db, left.id, vector);
    db.afterCommit(() => deps.segments.add({ id: left.id, memoryId }, vector.data, vector.scale));
  }
  db.afterCommit(() => deps.touched(account));
  return true;
}

/** The chunks that writes left behind, in the order in which they are indexed. */
export interface WaitingChunks {
  /** Takes the next one of an account; undefined where it has none any more. */
  next(db: WriteDb, account: AccountId): WaitingChunk | undefined;
  /** Has chunks come next, within the transaction under way: their memory is cut, and would be cut anew later. */
  first(chunks: readonly WaitingChunk[]): void;
}

/** Chunks that are read at once: to ask for each costs as much as to cut it. */
const READ_AHEAD = 32;

/** Makes what reads the chunks that wait, some at a time; what it has read is forgotten with the transaction. */
export function createWaitingChunks(): WaitingChunks {
  let read: { transaction: object; account: AccountId } | undefined;
  /** The next one is the last. */
  let chunks: WaitingChunk[] = [];
  return {
    next(db, account) {
      const { transaction } = db;
      if (chunks.length === 0 || read?.transaction !== transaction || read.account !== account) {
        chunks = unindexedChunks(db, account, READ_AHEAD).reverse();
        read = { transaction, account };
      }
      return chunks.pop();
    },
    first(some) {
      for (const chunk of some.toReversed()) chunks.push(chunk);
    },
  };
}

/** The memory that a chunk is of, its text, and how many chunks the memory has. */
export type Cut = (db: ReadDb, chunk: WaitingChunk) => { row: MemoryTextRow; chunk: Chunk; count: number };

/** Makes what cuts memories again whose chunks are indexed behind their write: a long one waits in many pieces, and is read and cut once. */
export function createCutter(): Cut {
  let last: { row: MemoryTextRow; chunks: Chunk[] } | undefined;
  return (db, { id, memory_id, position }) => {
    const isCut = last?.row.id === memory_id && last.row.version === findVersionOf(db, memory_id);
    if (!isCut) {
      const row = findSourceRow(db, memory_id);
      last = row && { row, chunks: chunksOf(row.value) };
    }
    const chunk = last?.chunks[position];
    if (!last || !chunk) throw new Error(`Chunk ${id} has no text: the index differs from the rows`);
    return { row: last.row, chunk, count: last.chunks.length };
  };
}

/** What the text index has of a chunk: the first one also has what was said before. */
function wordsOf(
  { key, metadata }: Pick<Indexed, 'key' | 'metadata'>,
  { chunk, position, context }: { chunk: Chunk; position: number; context: readonly string[] },
): ChunkWords {
  return {
    body: bodyOf(labelOf(key, metadata), chunk),
    context: position === 0 ? indexedText(context.join('\n')) : '',
  };
}

/** What the text index has of a chunk: its words, and below them what they are in English where they are not. */
function bodyOf(label: string, chunk: Chunk): string {
  const text = searchedText(chunk);
  const own = indexedText(`${label}\n${text}`);
  const english = indexedAbroad(text);
  return english === '' ? own : `${own}\n${english}`;
}

/** What was said in the two memories before this one in its session, the nearest first. */
export function contextOf(db: ReadDb, memory: Indexed, gone = memory.id): string[] {
  if (!memory.place) return [];
  return turnsBefore(db, turnPlace(memory, memory.place), gone)
    .filter(({ id }) => id !== memory.id)
    .map(({ value }) => value.slice(0, CONTEXT_LENGTH).toWellFormed());
}

/** What a chunk's vector is made of: its text, and a little of what was said before it. */
export function embeddedParts(
  chunk: Chunk,
  context: readonly string[],
  { isRemote }: Pick<Embedder, 'isRemote'>,
): WeightedText[] {
  // A server's model may know the language; the table that comes with the program knows English.
  const read = (text: string) => (isRemote ? text : inEnglish(text));
  return [
    { text: read(searchedText(chunk)), weight: 1 },
    ...context.map((text) => ({ text: read(text), weight: CONTEXT_WEIGHT })),
  ];
}

function vectorOf(embedder: Embedder, chunk: Chunk, context: readonly string[]) {
  return {
    model: embedder.model,
    ...quantise(encodeMixed(embedder, embeddedParts(chunk, context, embedder))),
  };
}
