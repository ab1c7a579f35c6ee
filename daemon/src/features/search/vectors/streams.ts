import type { ReadDb } from '../../../db/open-store.ts';
import {
  chunkEnds,
  everyMatch,
  type IndexRange,
  matchChunks,
  memoriesOfChunks,
  rangeOf,
} from '../ranking/candidates.store.ts';
import { chunkRange, namespaceOfChunk, nextChunks } from '../index/index.store.ts';
import {
  type PiecewiseDeps,
  type Query,
  type RankingDeps,
  type SearchScope,
  prepareQuery,
  vectorsAt,
} from '../query/query.ts';
import { ASKED } from '../../../models/rows.ts';
import { matchExpression, type QueryTerm, selectTerms } from '../query/terms.ts';
import type { ChunkOf, VectorIndex } from './vectors.ts';

/** Memories that a stream brings, unless it is told another number. */
const HITS = 200;
/** Places of the text index that are walked before others have their turn: some 20 ms, with what ranks them. */
const PLACES_AT_ONCE = 130_000;
/** Chunks that are looked at in one piece, however many places they are: each further piece counts all of its words again. */
const CHUNKS_AT_ONCE = 2_000;

/** Vectors that are compared before others have their turn: some 25 ms. */
const COMPARED_AT_ONCE = 1_000_000;

/** A memory that one stream found: its best chunk stands for it. */
export interface StreamHit {
  readonly memoryId: number;
  readonly chunkId: number;
  /** BM25 or cosine, larger is better; comparable within the stream only. */
  readonly score: number;
}

/** What a stream looks for: one or several texts, of which the one that fits best counts. */
export interface SoughtTexts extends SearchScope {
  /** A text, and other ways to say it. */
  queries: readonly string[];
  /** Words only: every term has to be there, not any of them. */
  all?: boolean;
  /** Words only: the rarest term that is anywhere has to be there, and another one where there are others. */
  rarest?: boolean;
  /** Words only: chunks that are scored, twice at most; of more those that say the rarest words, and the newest. All where this is missing. */
  most?: number | undefined;
  limit?: number;
}

/** The memories that say the words of a query, by BM25, best first. */
export function wordsStream(deps: PiecewiseDeps, sought: SoughtTexts): Promise<StreamHit[]> {
  return pooled(sought, async () => {
    const found: Hit[] = [];
    for (const text of sought.queries) found.push(...(await wordHits(deps, sought, text)));
    return found;
  });
}

async function wordHits(deps: PiecewiseDeps, sought: SoughtTexts, text: string): Promise<Hit[]> {
  const { read } = deps.store;
  const { limit = HITS } = sought;
  await deps.yieldToOthers();
  const looks = read((db) => looksFor(db, deps, { ...sought, text }));
  const found: Hit[] = [];
  for (const look of looks) {
    await deps.yieldToOthers();
    found.push(...read((db) => hitsOf(db, deps, { ...sought, look })));
  }
  // Some words are looked for twice: with others and alone.
  return bestOf(onceEach(found), limit);
}

/** One look at the text index: at some chunks of what is looked at. */
interface Look extends IndexRange {
  readonly query: Query;
  readonly match: string;
}

/** The looks that together look for a text in all that is looked at; several where one would hold the thread for long. */
function looksFor(db: ReadDb, deps: RankingDeps, sought: SoughtTexts & { text: string }): Look[] {
  const query = prepareQuery(db, deps, sought);
  if (!query) return [];
  const [first = sought.text] = sought.queries;
  const before = first === sought.text ? undefined : prepareQuery(db, deps, { ...sought, text: first });
  const wanted = before ? rewordedOf(query, before) : wantedOf(query, sought);
  return wanted.flatMap((one) => piecesOf(db, sought, { ...one, query }));
}

/** One look, in as many pieces as it takes. */
function piecesOf(
  db: ReadDb,
  sought: SoughtTexts,
  { query, terms, match }: Wanted & { query: Query },
): Look[] {
  if (terms.length === 0) return [];
  const places = terms.reduce((sum, term) => sum + query.costOf(term), 0);
  // What is looked for among some only is read whole, which takes as long again.
  const pieces = Math.ceil((places * (sought.among ? 2 : 1)) / PLACES_AT_ONCE);
  const { namespaces, chunks } = query.namespace;
  const count = Math.min(pieces, Math.ceil(chunks / CHUNKS_AT_ONCE));
  const [only] = namespaces;
  const ranges =
    only !== undefined && namespaces.length === 1
      ? rangesOf(db, only, count)
      : rangesOfSeveral(db, query, count);
  return ranges.map((range) => ({ query, match, ...range }));
}

/** The terms whose places are walked, and how the text index is asked for them. */
interface Wanted {
  readonly terms: readonly QueryTerm[];
  readonly match: string;
}

function wantedOf(query: Query, sought: Pick<SoughtTexts, 'all' | 'rarest' | 'most'>): Wanted[] {
  const { terms: all, df, namespace } = query;
  if (sought.all) return [{ terms: all, match: all.map(({ match }) => match).join(' AND ') }];
  if (sought.rarest) {
    const terms = all.filter((term) => df(term) > 0).sort((a, b) => df(a) - df(b));
    const [first = '', ...others] = terms.map(({ match }) => match);
    return [{ terms, match: others.length === 0 ? first : `${first} AND (${others.join(' OR ')})` }];
  }
  const terms = selectTerms(all, df, namespace.chunks);
  return sought.most === undefined
    ? [{ terms, match: matchExpression(terms) }]
    : rarestOf(terms, { df, most: sought.most });
}

/** So many chunks are passed by in the time that scoring one takes. */
const PASSED = 15;

/**
 * What has the rarest of some terms, of which about `most` chunks have any: with others, as many as are passed by in as much time, and
 * alone. What says nothing but words that many others say is hardly ever meant by them.
 */
function rarestOf(terms: readonly QueryTerm[], { df, most }: { df: Query['df']; most: number }): Wanted[] {
  const [first, ...others] = terms.filter((term) => df(term) > 0).sort((a, b) => df(a) - df(b));
  if (!first) return [];
  let left = most - df(first);
  const rare = [first];
  for (let next = others[0]; next && df(next) <= left; [next] = others) {
    left -= df(next);
    rare.push(next);
    others.shift();
  }
  const alone = { terms: rare, match: matchExpression(rare) };
  if (others.length === 0) return [alone];
  let passed = PASSED * most;
  const beside = others.filter((term, at) => (passed -= df(term)) >= 0 || at === 0);
  const both = `(${alone.match}) AND (${matchExpression(beside)})`;
  return [{ terms: [...rare, ...beside], match: both }, ...(left < 0 ? [] : [alone])];
}

/**
 * What another way to say a query finds better than the query itself: only what has a word that this one does not have, with its other words and
 * without. To look for all of it again would take as long for each of six ways.
 */
function rewordedOf(query: Query, before: Query): Wanted[] {
  const known = new Set(before.terms.map(({ match }) => match));
  const terms = selectTerms(query.terms, query.df, query.namespace.chunks);
  const added = terms.filter(({ match }) => !known.has(match));
  const others = terms.filter(({ match }) => known.has(match));
  const alone = { terms: added, match: matchExpression(added) };
  if (added.length === 0 || others.length === 0) return [alone];
  return [{ terms: added, match: `(${alone.match}) AND (${matchExpression(others)})` }, alone];
}

/** Cuts the chunks of a namespace into so many pieces. */
function rangesOf(db: ReadDb, namespaceId: number, count: number): IndexRange[] {
  const whole = chunkRange(namespaceId);
  const ends = count > 1 ? chunkEnds(db, namespaceId) : undefined;
  if (!ends) return [whole];
  const step = Math.ceil((ends.to - ends.from + 1) / count);
  return Array.from({ length: count }, (_, n) => ({
    from: n === 0 ? whole.from : ends.from + n * step,
    // What is written meanwhile stands behind the last one.
    to: n === count - 1 ? whole.to : ends.from + (n + 1) * step - 1,
  }));
}

/**
 * Cuts the chunks of several namespaces, one behind the other, into about so many pieces: a thousand small ones are no thousand looks,
 * for each look counts its words in the whole account.
 */
function rangesOfSeveral(
  db: ReadDb,
  { account, namespace: { namespaces } }: Query,
  count: number,
): IndexRange[] {
  const whole = rangeOf(namespaces);
  if (count <= 1) return [whole];
  const next = nextChunks(db, account);
  const sizeOf = (id: number) => next.get(id) ?? 0;
  const step = Math.ceil(namespaces.reduce((sum, id) => sum + sizeOf(id), 0) / count);
  const starts: number[] = [];
  let passed = 0;
  for (const id of namespaces) {
    for (let at = starts.length * step; at < passed + sizeOf(id); at += step)
      starts.push(chunkRange(id).from + at - passed);
    passed += sizeOf(id);
  }
  return starts.map((start, n) => ({
    ...whole,
    from: n === 0 ? whole.from : start,
    to: (starts[n + 1] ?? whole.to + 1) - 1,
  }));
}

function hitsOf(
  db: ReadDb,
  deps: RankingDeps,
  { account, among, look, most, limit = HITS }: SoughtTexts & { look: Look },
): Hit[] {
  const { query, ...wanted } = look;
  const segment = vectorsAt(db, deps, query);
  if (!among) return withMemories(db, segment, matchChunks(db, account, { ...wanted, most, limit }));
  const found = withMemories(db, segment, everyMatch(db, account, wanted));
  return bestOf(
    found.filter(({ memoryId }) => among.has(memoryId)),
    limit,
  );
}

/** The memories that mean what a query means, by the cosine of their vectors, best first. */
export function vectorStream(deps: PiecewiseDeps, sought: SoughtTexts): Promise<StreamHit[]> {
  const { queries, limit = HITS } = sought;
  const texts = queries.map((text) => ({ text, limit }));
  return pooled(sought, async () => (await nearestTo(deps, sought, texts)).flat());
}

/** The same for each of several texts by itself; their vectors are compared with all others in one pass. */
export async function vectorStreams(
  deps: PiecewiseDeps,
  scope: SearchScope,
  texts: readonly SoughtVector[],
): Promise<StreamHit[][]> {
  if (scope.among?.size === 0) return texts.map(() => []);
  return (await nearestTo(deps, scope, texts)).map(onePerMemory);
}

/** A text whose vector is looked for, and the chunks that are wanted. */
interface SoughtVector {
  readonly text: string;
  readonly limit: number;
}

async function nearestTo(
  deps: PiecewiseDeps,
  scope: SearchScope,
  texts: readonly SoughtVector[],
): Promise<Hit[][]> {
  const found: Hit[][] = [];
  while (found.length < texts.length) {
    await deps.yieldToOthers();
    found.push(
      ...deps.store.read((db) => nearestToSome(db, deps, { scope, texts: texts.slice(found.length) })),
    );
  }
  return found;
}

/** The nearest of the first of some texts, as many as may be compared in one turn. */
function nearestToSome(
  db: ReadDb,
  deps: RankingDeps,
  { scope, texts }: { scope: SearchScope; texts: readonly SoughtVector[] },
): Hit[][] {
  const [first] = texts;
  const query = first && prepareQuery(db, deps, { ...scope, text: first.text });
  if (!query) return texts.map(() => []);
  const segment = vectorsAt(db, deps, query);
  const count = Math.min(ASKED, Math.max(1, Math.floor(COMPARED_AT_ONCE / Math.max(1, segment.size))));
  const wanted = texts.slice(0, count).map(({ text, limit }) => {
    const vector = prepareQuery(db, deps, { ...scope, text })?.vector;
    // Without a vector of the query, all texts would be as near.
    const isKnown = vector && deps.embedder.isReady?.(text) !== false;
    return { vector: vector ?? query.vector, k: isKnown ? limit : 0 };
  });
  const nearest = segment.searchAll(wanted, allowing(query, segment, scope.among));
  return nearest.map((hits) =>
    withMemories(
      db,
      segment,
      hits.map(({ id, cosine }) => ({ id, score: cosine })),
    ),
  );
}

/** Which vectors may be found; undefined for all that are there. Those of an account may be of namespaces that are not looked at. */
function allowing(
  { namespace: { namespaces } }: Query,
  segment: Pick<VectorIndex, 'memoryOf'>,
  among: SearchScope['among'],
): ((id: number) => boolean) | undefined {
  const isAmong = among && ((id: number) => among.has(segment.memoryOf(id) ?? -1));
  if (namespaces.length === 1) return isAmong;
  const inside = new Set(namespaces);
  return (id) => inside.has(namespaceOfChunk(id)) && isAmong?.(id) !== false;
}

interface ChunkHit {
  id: number;
  score: number;
}

type Hit = ChunkHit & ChunkOf;

/** The memories of chunks: most are known beside their vectors, and reading them from the table takes a tenth of a search. */
function withMemories(db: ReadDb, segment: Pick<VectorIndex, 'memoryOf'>, hits: readonly ChunkHit[]): Hit[] {
  const unknown = hits.map(({ id }) => id).filter((id) => segment.memoryOf(id) === undefined);
  const read = unknown.length > 0 ? memoriesOfChunks(db, unknown) : undefined;
  return hits.flatMap((hit) => {
    const memoryId = segment.memoryOf(hit.id) ?? read?.get(hit.id);
    return memoryId === undefined ? [] : [{ ...hit, memoryId }];
  });
}

/** The best by their scores, equal ones by id. */
function bestOf(hits: readonly Hit[], limit: number): Hit[] {
  return hits.toSorted((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
}

/** Each chunk once, as it fits best. */
function onceEach(hits: readonly Hit[]): readonly Hit[] {
  const best = new Map<number, Hit>();
  for (const hit of hits) if (hit.score > (best.get(hit.id)?.score ?? -1)) best.set(hit.id, hit);
  return [...best.values()];
}

/** One hit a memory, by its best chunk for any of the texts (RRF of chunk ranks costs 5–7 points, design/retrieval.md). */
async function pooled(
  { among }: Pick<SearchScope, 'among'>,
  find: () => Promise<readonly Hit[]>,
): Promise<StreamHit[]> {
  return among?.size === 0 ? [] : onePerMemory(await find());
}

function onePerMemory(chunks: readonly Hit[]): StreamHit[] {
  const best = new Map<number, StreamHit>();
  for (const { id: chunkId, memoryId, score } of bestOf(chunks, chunks.length))
    if (!best.has(memoryId)) best.set(memoryId, { memoryId, chunkId, score });
  return [...best.values()];
}
