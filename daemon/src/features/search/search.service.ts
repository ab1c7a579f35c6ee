import { pointsOfWorth } from './ranking/calibration.ts';
import { loadVectors } from './everywhere/searched.ts';
import type { TermCut, PiecewiseDeps, Query, SearchScope } from './query/query.ts';
import { gather, type RankedMemory, rank, type RankReason } from './ranking/rank.ts';
import { nextSameValues, type SameValues } from './ranking/same-value.store.ts';
import type { Correction } from './spelling/respelling.ts';
import { type StreamHit, vectorStreams, wordsStream } from './vectors/streams.ts';
import { type PreparedWording, prepareWordings, wordingsOf, worthOf } from './query/wordings.ts';

export { createFrequencies } from './ranking/frequencies.ts';

export interface SearchInput extends SearchScope {
  query: string;
  /** Further wordings of it. */
  queries?: readonly string[];
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
  /** What it was found by: the wording that fits it best. */
  query: Query;
  /** That wording, where it is not the query itself. */
  wording: string | undefined;
  /** Its chunks that were found. */
  chunkIds: readonly number[];
  score: number;
  why: RankReason;
}

/**
 * Finds memories by words and by meaning: BM25 over chunks, cosine over chunk vectors, each pooled to
 * the memory by its best chunk, fused, then scored so that a score means the same in every query. What is worded in several ways has
 * the best of its scores (docs/decisions/0032).
 */
export async function search(deps: PiecewiseDeps, input: SearchInput): Promise<SearchResult> {
  const { yieldToOthers } = deps;
  await loadVectors(deps, input);
  const corrected = await deps.spelling.correct(deps.store, input.query, input);
  const scope = { ...input, corrections: corrected, prepared: new Map() };
  const wordings = await prepareWordings(deps, scope, wordingsOf(input.query, input.queries));
  const [own] = wordings;
  if (!own) return { found: [], cut: undefined, corrected };
  const cut = cutOf(wordings);
  const { words, best } = await findByWordings(deps, scope, wordings);
  await yieldToOthers();
  const found = best.filter(({ score }) => score >= input.threshold).slice(0, input.limit);
  const { query } = own;
  const isKnown = !own.isOwn || words > 0 || (query.terms.length > 0 && query.vector.some((x) => x !== 0));
  if (isKnown) return { found, cut, corrected };
  return { found: await withWordless(deps, { query, input, found }), cut, corrected };
}

/** Candidates that each stream brings. */
const CANDIDATES = 200;
/** Chunks that are scored for the words of all further wordings together; those of the query have no such limit. */
const SCORED = 1_000;
/** What further wordings bring and have read, all together, of what the query does. */
const FURTHER = 0.75;

/** What the wordings find, best first, and how much the words of the first one do. */
async function findByWordings(
  deps: PiecewiseDeps,
  scope: SearchInput,
  wordings: readonly PreparedWording[],
): Promise<{ words: number; best: FoundMemory[] }> {
  const further = Math.max(1, wordings.length - 1);
  const shareOf = (at: number) => (at === 0 ? 1 : FURTHER / further);
  const words: StreamHit[][] = [];
  for (const [at, { text, scope: place }] of wordings.entries()) {
    const limit = Math.ceil(CANDIDATES * shareOf(at));
    const most = at === 0 ? undefined : Math.ceil(SCORED / further);
    words.push(await wordsStream(deps, { ...place, queries: [text], limit, most }));
  }
  const texts = wordings.map(({ text }, at) => ({ text, limit: Math.ceil(CANDIDATES * shareOf(at)) }));
  const vectors = await vectorStreams(deps, scope, texts);
  const best = new Map<number, FoundMemory>();
  for (const [at, wording] of wordings.entries()) {
    await deps.yieldToOthers();
    const { text, query, isOwn, scope: place } = wording;
    const candidates = gather([
      { name: 'words', hits: words[at] ?? [] },
      { name: 'vectors', hits: vectors[at] ?? [] },
    ]);
    const ranking = { ...place, query: text, candidates, limit: scope.limit, share: shareOf(at) };
    const ranked = await rank(deps, ranking);
    for (const one of ranked.map((ranking) => worded(ranking, wording)))
      if (one.score > (best.get(one.memoryId)?.score ?? -1))
        best.set(one.memoryId, { ...one, query, wording: isOwn ? undefined : text });
  }
  return {
    words: words[0]?.length ?? 0,
    best: [...best.values()].sort((a, b) => b.score - a.score || a.memoryId - b.memoryId),
  };
}

/** What a wording found, with the score that it is worth. */
function worded(ranked: RankedMemory, wording: PreparedWording): RankedMemory {
  if (wording.worth === 1) return ranked;
  const { streams, boosts } = ranked.why;
  const points = pointsOfWorth(ranked.score, wording.worth);
  const lost = points === undefined ? [] : [{ name: 'other wording', points: Number(points.toFixed(3)) }];
  return { ...ranked, score: worthOf(ranked.score, wording), why: { streams, boosts: [...boosts, ...lost] } };
}

/** How much of all wordings is looked for; a term that several have is one. */
function cutOf(wordings: readonly PreparedWording[]): TermCut | undefined {
  const leftOut = wordings.reduce((sum, { query: { cut } }) => sum + (cut ? cut.of - cut.terms : 0), 0);
  if (leftOut === 0) return undefined;
  const kept = new Set(wordings.flatMap(({ query }) => query.terms.map(({ match }) => match)));
  return { terms: kept.size, of: kept.size + leftOut };
}

/** Signs, emoji and the newest scripts have no words to be found by, and perhaps no vector: who asks for just them gets their memories. */
async function withWordless(
  deps: PiecewiseDeps,
  { query, input, found }: { query: Query; input: SearchInput; found: readonly FoundMemory[] },
): Promise<FoundMemory[]> {
  const { among, limit } = input;
  const same = (await sameValues(deps, query)).filter((id) => among === undefined || among.has(id));
  const why: RankReason = { streams: [{ name: 'value', rank: 1 }], boosts: [] };
  const exact = same.map((memoryId) => ({
    memoryId,
    query,
    wording: undefined,
    chunkIds: [],
    score: 1,
    why,
  }));
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
