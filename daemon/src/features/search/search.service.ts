import { loadVectors } from './everywhere/searched.ts';
import { expandQuery } from './expand.ts';
import { type TermCut, type PiecewiseDeps, prepareQuery, type Query, type SearchScope } from './query.ts';
import { gather, rank, type RankReason } from './rank.ts';
import { nextSameValues, type SameValues } from './same-value.store.ts';
import type { Correction } from './spelling/respelling.ts';
import { vectorStream, wordsStream } from './streams.ts';

export { createFrequencies } from './frequencies.ts';

export interface SearchInput extends SearchScope {
  query: string;
  limit: number;
  threshold: number;
}

/** What a search found, how much of the query was looked for where it was not all of it, and which words were read as others. */
export interface SearchResult {
  found: FoundMemory[];
  cut: TermCut | undefined;
  corrected: readonly Correction[];
}

/** A memory that was found, best first. */
export interface FoundMemory {
  memoryId: number;
  /** What it was found by. */
  query: Query;
  /** Its chunks that were found. */
  chunkIds: readonly number[];
  score: number;
  why: RankReason;
}

/**
 * Finds memories by words and by meaning: BM25 over chunks, cosine over chunk vectors, each pooled to
 * the memory by its best chunk, fused, then scored so that a score means the same in every query.
 */
export async function search(deps: PiecewiseDeps, input: SearchInput): Promise<SearchResult> {
  const { yieldToOthers } = deps;
  const { read } = deps.store;
  await loadVectors(deps, input);
  const corrected = await deps.spelling.correct(deps.store, input.query, input);
  await yieldToOthers();
  const scope = { ...input, corrections: corrected, prepared: new Map() };
  const query = read((db) => prepareQuery(db, deps, { ...scope, text: input.query }));
  if (!query) return { found: [], cut: undefined, corrected };
  const { cut } = query;
  const { queries } = expandQuery(input.query, { now: undefined });
  const sought = { ...scope, queries, limit: CANDIDATES };
  const words = await wordsStream(deps, sought);
  const vectors = await vectorStream(deps, sought);
  const candidates = gather([
    { name: 'words', hits: words },
    { name: 'vectors', hits: vectors },
  ]);
  await yieldToOthers();
  const ranked = await rank(deps, { ...scope, candidates });
  const found = ranked.filter(({ score }) => score >= input.threshold).map((one) => ({ ...one, query }));
  await yieldToOthers();
  const isKnown = words.length > 0 || (query.terms.length > 0 && query.vector.some((x) => x !== 0));
  if (isKnown) return { found, cut, corrected };
  return { found: await withWordless(deps, { query, input, found }), cut, corrected };
}

/** Candidates that each stream brings. */
const CANDIDATES = 200;

/** Signs, emoji and the newest scripts have no words to be found by, and perhaps no vector: who asks for just them gets their memories. */
async function withWordless(
  deps: PiecewiseDeps,
  { query, input, found }: { query: Query; input: SearchInput; found: readonly FoundMemory[] },
): Promise<FoundMemory[]> {
  const { among, limit } = input;
  const same = (await sameValues(deps, query)).filter((id) => among === undefined || among.has(id));
  const why: RankReason = { streams: [{ name: 'value', rank: 1 }], boosts: [] };
  const exact = same.map((memoryId) => ({ memoryId, query, chunkIds: [], score: 1, why }));
  return [...exact, ...found.filter(({ memoryId }) => !same.includes(memoryId))].slice(0, limit);
}

/** The memories that say exactly this and nothing else, newest first. */
async function sameValues(
  { store, yieldToOthers }: Pick<PiecewiseDeps, 'store' | 'yieldToOthers'>,
  { account, namespace, text }: Query,
): Promise<number[]> {
  const found: { id: number; created_at: number }[] = [];
  for (const namespaceId of namespace.namespaces) {
    let piece: SameValues = { same: [], last: '' };
    while (piece.last !== undefined) {
      await yieldToOthers();
      const place = { account, namespaceId, after: piece.last };
      piece = store.read((db) => nextSameValues(db, place, text));
      found.push(...piece.same);
    }
  }
  return found.sort((a, b) => b.created_at - a.created_at || b.id - a.id).map(({ id }) => id);
}
