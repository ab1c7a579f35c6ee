import type { ReadDb, Store } from '../../db/open-store.ts';
import { createYielding } from '../../platform/yielding.ts';
import { findByValue } from './candidates.store.ts';
import { loadVectors } from './everywhere/searched.ts';
import { expandQuery } from './expand.ts';
import { type Cut, prepareQuery, type RankingDeps, type Scope } from './query.ts';
import { gather, rank, type Why } from './rank.ts';
import { vectorStream, wordsStream } from './streams.ts';

export { createFrequencies } from './frequencies.ts';

export interface SearchDeps extends RankingDeps {
  store: Store;
}

export interface SearchInput extends Scope {
  query: string;
  limit: number;
  threshold: number;
}

/** What a search found, and how much of the query was looked for where it was not all of it. */
export interface SearchResult {
  found: Found[];
  cut: Cut | undefined;
}

/** A memory that was found, best first. */
export interface Found {
  memoryId: number;
  score: number;
  why: Why;
}

/**
 * Finds memories by words and by meaning: BM25 over chunks, cosine over chunk vectors, each pooled to
 * the memory by its best chunk, fused, then scored so that a score means the same in every query.
 */
export async function search(deps: SearchDeps, input: SearchInput): Promise<SearchResult> {
  const { read } = deps.store;
  await loadVectors(deps, input);
  const yieldToOthers = createYielding();
  const scope = { ...input, prepared: new Map() };
  const query = read((db) => prepareQuery(db, deps, { ...scope, text: input.query }));
  if (!query) return { found: [], cut: undefined };
  const { cut } = query;
  const { queries } = expandQuery(input.query, { now: undefined });
  await yieldToOthers();
  const sought = { ...scope, queries, limit: CANDIDATES };
  const words = read((db) => wordsStream(db, deps, sought));
  await yieldToOthers();
  const vectors = read((db) => vectorStream(db, deps, sought));
  const candidates = gather([
    { name: 'words', hits: words },
    { name: 'vectors', hits: vectors },
  ]);
  await yieldToOthers();
  const found = read((db) => rank(db, deps, { ...scope, candidates })).filter(
    ({ score }) => score >= input.threshold,
  );
  await yieldToOthers();
  const isKnown = words.length > 0 || (query.terms.length > 0 && query.vector.some((x) => x !== 0));
  if (isKnown) return { found, cut };
  const { namespaces } = query.namespace;
  return { found: read((db) => withWordless(db, { namespaces, input, found })), cut };
}

/** Candidates that each stream brings. */
const CANDIDATES = 200;

/** Signs, emoji and the newest scripts have no words to be found by, and perhaps no vector: who asks for just them gets their memories. */
function withWordless(
  db: ReadDb,
  {
    namespaces,
    input,
    found,
  }: { namespaces: readonly number[]; input: SearchInput; found: readonly Found[] },
): Found[] {
  const { account, among, query, limit } = input;
  const same = findByValue(db, account, { namespaces, value: query }).filter(
    (id) => among === undefined || among.includes(id),
  );
  const why: Why = { streams: [{ name: 'value', rank: 1 }], boosts: [] };
  const exact = same.map((memoryId) => ({ memoryId, score: 1, why }));
  return [...exact, ...found.filter(({ memoryId }) => !same.includes(memoryId))].slice(0, limit);
}
