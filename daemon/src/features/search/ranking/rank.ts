import type { ReadDb } from '../../../db/open-store.ts';
import { languageAbroad } from '../../../language/abroad/in-english.ts';
import { foldText } from '../../../language/words/words.ts';
import { calibrate, type CandidateFeatures, scoreOf } from './calibration.ts';
import { chunkBodies, chunkIdsOfMemories, memoryHeads } from './candidates.store.ts';
import {
  type PiecewiseDeps,
  prepareQuery,
  type Query,
  type RankingDeps,
  type SearchScope,
  vectorsAt,
} from '../query/query.ts';
import { readerOf } from './reading.ts';
import { followersOf } from '../query/session.ts';
import type { StreamHit } from '../vectors/streams.ts';

/** The rank that a memory has in one stream; the best is 1. */
export interface StreamPlace {
  readonly name: string;
  readonly rank: number;
}

/** A memory that may answer, with all that the streams found of it. */
export interface SearchCandidate {
  readonly memoryId: number;
  /** The chunk that stands for it: the one that the words found, else the nearest. */
  readonly chunkId: number;
  readonly chunkIds: readonly number[];
  readonly streams: readonly StreamPlace[];
  /** BM25 of the words; 0 where they did not find it. */
  readonly words: number;
}

/** Why a memory stands where it does: which streams found it, and what its features add to the log odds of its score. */
export interface RankReason {
  readonly streams: readonly StreamPlace[];
  readonly boosts: readonly { readonly name: string; readonly points: number }[];
}

/** A candidate in its place. */
export interface RankedMemory {
  readonly memoryId: number;
  readonly chunkId: number;
  /** Its chunks that the streams found. */
  readonly chunkIds: readonly number[];
  /** Calibrated: it means the same in every query (calibration.ts). */
  readonly score: number;
  readonly why: RankReason;
}

/** A candidate while it is gathered. */
interface Gathered extends SearchCandidate {
  chunkId: number;
  readonly chunkIds: number[];
  readonly streams: StreamPlace[];
  words: number;
}

/** What stands for a memory in a stream: the chunk that was found, or all of its chunks where no index found it. */
export function hitsOfMemory(
  db: ReadDb,
  { memoryId, chunkId, score }: { memoryId: number; chunkId: number | undefined; score: number },
): StreamHit[] {
  const chunks = chunkId === undefined ? chunkIdsOfMemories(db, JSON.stringify([memoryId])) : [chunkId];
  return chunks.map((id) => ({ memoryId, chunkId: id, score }));
}

/** The union of what streams found, in no order that means anything. The stream `words` is the one whose scores are BM25. */
export function gather(
  streams: readonly { readonly name: string; readonly hits: readonly StreamHit[] }[],
): SearchCandidate[] {
  const found = new Map<number, Gathered>();
  for (const { name, hits } of streams) {
    for (const [at, { memoryId, chunkId, score }] of hits.entries()) {
      const words = name === 'words' ? score : 0;
      const place = { name, rank: at + 1 };
      const before = found.get(memoryId);
      if (!before) {
        found.set(memoryId, { memoryId, chunkId, chunkIds: [chunkId], streams: [place], words });
        continue;
      }
      if (words && !before.words) before.chunkId = chunkId;
      if (!before.chunkIds.includes(chunkId)) before.chunkIds.push(chunkId);
      before.streams.push(place);
      before.words = Math.max(before.words, words);
    }
  }
  return [...found.values()];
}

/** What is to be ranked. */
export interface Ranking extends SearchScope {
  query: string;
  candidates: readonly SearchCandidate[];
  /** Candidates that are wanted; all of them where this is missing. */
  limit?: number;
  /** So much of what is read otherwise is read, 0..1; all of it where this is missing. */
  share?: number;
}

/** Candidates that are read: so many of the nearest, of those whose words fit best, and of those that other streams brought. */
const READ = { nearest: 80, words: 40, others: 40 } as const;
/** Chunks of a candidate that are read. */
const CHUNKS = 3;
/** Candidates that are read before others have their turn: some 25 ms for a query of 8 kB, and more than a page of ten has. */
const READ_AT_ONCE = 160;

/** The best candidates, best first: the likeliest are read closely, and the calibrated score of what was seen decides (docs/decisions/0010). */
export async function rank(deps: PiecewiseDeps, ranking: Ranking): Promise<RankedMemory[]> {
  const { limit = ranking.candidates.length } = ranking;
  return (await candidateFeatures(deps, ranking))
    .map((seen) => ({ ...seen, score: Math.round(scoreOf(seen.features) * 1e6) / 1e6 }))
    .sort((a, b) => b.score - a.score || a.candidate.memoryId - b.candidate.memoryId)
    .slice(0, limit)
    .map(({ candidate: { memoryId, chunkId, chunkIds, streams }, features, score }) => {
      const boosts = calibrate(features).parts.map(({ name, points }) => ({
        name,
        points: Number(points.toFixed(3)),
      }));
      return { memoryId, chunkId, chunkIds, score, why: { streams, boosts } };
    });
}

/** A candidate that was read, with all that its score is made of. */
export interface SeenCandidate {
  readonly candidate: SearchCandidate;
  readonly features: CandidateFeatures;
}

/** The candidates that are read, and the turns that follow the best of them in their sessions. */
export async function candidateFeatures(deps: PiecewiseDeps, ranking: Ranking): Promise<SeenCandidate[]> {
  const { read } = deps.store;
  const toRead = read((db) => {
    const query = prepareQuery(db, deps, { ...ranking, text: ranking.query });
    return query && { query, near: withCosines(db, deps, { query, candidates: ranking.candidates }) };
  });
  if (!toRead) return [];
  const { query, near } = toRead;
  const best = Math.max(0, ...near.map(({ candidate }) => candidate.words));
  const chosen = shortlist(near, ranking.limit ?? near.length, ranking.share);
  const seen: SeenCandidate[] = [];
  let from = 0;
  await deps.yieldToOthers();
  for (; chosen.length - from > READ_AT_ONCE; from += READ_AT_ONCE) {
    const some = chosen.slice(from, from + READ_AT_ONCE);
    seen.push(...read((db) => createSight(db, deps, { query, best })(some)));
    await deps.yieldToOthers();
  }
  return read((db) => {
    const see = createSight(db, deps, { query, best });
    seen.push(...see(chosen.slice(from)));
    return withFollowers(db, { seen, among: ranking.among }, (candidates) =>
      see(withCosines(db, deps, { query, candidates })),
    );
  });
}

/** Adds the turns that follow the best of what was seen. */
function withFollowers(
  db: ReadDb,
  { seen, among }: Pick<SearchScope, 'among'> & { seen: readonly SeenCandidate[] },
  see: (candidates: readonly SearchCandidate[]) => readonly SeenCandidate[],
): SeenCandidate[] {
  const followers = followersOf(db, seen, scoreOf).filter(
    ({ memoryId }) => among === undefined || among.has(memoryId),
  );
  const known = new Set(seen.map(({ candidate }) => candidate.memoryId));
  const further = followers
    .filter(({ memoryId }) => !known.has(memoryId))
    .map(({ memoryId, chunkIds, rank }): SearchCandidate => {
      const chunkId = chunkIds[0] ?? 0;
      return { memoryId, chunkId, chunkIds, streams: [{ name: 'session', rank }], words: 0 };
    });
  const follows = new Map(followers.map(({ memoryId, strength }) => [memoryId, strength]));
  return [...seen, ...see(further)].map(({ candidate, features }) => ({
    candidate,
    features: { ...features, follows: follows.get(candidate.memoryId) ?? 0 },
  }));
}

interface Sight {
  query: Query;
  /** The largest BM25. */
  best: number;
}

/**
 * Reads candidates: what their chunks say, and whether they say the query as a whole. To be used before others have their turn: readers
 * share their arrays.
 */
function createSight(
  db: ReadDb,
  { embedder, meanings }: RankingDeps,
  { query, best }: Sight,
): (near: readonly Near[]) => SeenCandidate[] {
  // The table knows English only: of a language that is not read in English it gives noise.
  const isKnown = query.language.isRead || embedder.isRemote;
  const knowsQuery = isKnown && query.vector.some((x) => x !== 0);
  const read = readerOf(query, meanings);
  const { texts } = meanings;
  const { told } = query.language;
  // What lacks a word of the query does not say it as a whole; a query without words may be anywhere.
  const isWhole = ({ features }: SeenCandidate) => query.terms.length === 0 || features.coverage > 0.999;
  return (near) => {
    const bodiesOf = (ids: readonly number[]) => chunkBodies(db, query.account, ids);
    const cut = texts.of(
      near.flatMap(({ chunkIds }) => chunkIds),
      bodiesOf,
    );
    const seen = near.map(({ candidate, cosine, chunkIds }) => {
      const text = () => [...bodiesOf(chunkIds).values()].join('\n');
      const { isTranslated, ...fit } = read(
        chunkIds.flatMap((id) => cut.get(id) ?? []),
        text,
      );
      const features = {
        ...fit,
        cosine: cosine ?? 0,
        hasVector: cosine !== undefined && knowsQuery,
        lexical: best > 0 ? candidate.words / best : 0,
        follows: 0,
        phrase: false,
        exact: false,
        respelled: query.respelled !== query.text,
        isAbroad: told === 'en' ? isTranslated : told !== 'other' && languageAbroad(text()) !== told,
      };
      return { candidate, features };
    });
    const heads = memoryHeads(
      db,
      seen.filter(isWhole).map(({ candidate }) => candidate.memoryId),
    );
    return seen.map(({ candidate, features }) => {
      const found = heads.get(candidate.memoryId);
      return { candidate, features: found ? { ...features, ...likeness(query.text, found.head) } : features };
    });
  };
}

/** A candidate with the cosine of its nearest chunk, and the chunks to read: the one that stands for it, then the nearest. */
interface Near {
  readonly candidate: SearchCandidate;
  readonly cosine: number | undefined;
  readonly chunkIds: readonly number[];
}

function withCosines(
  db: ReadDb,
  deps: RankingDeps,
  { query, candidates }: { query: Query; candidates: readonly SearchCandidate[] },
): Near[] {
  const segment = vectorsAt(db, deps, query);
  const vector = segment.ask(query.vector);
  return candidates.map((candidate) => {
    const [only = 0] = candidate.chunkIds;
    // Most have one chunk: what the others take is too much for four hundred.
    if (candidate.chunkIds.length === 1)
      return { candidate, cosine: segment.cosine(vector, only), chunkIds: candidate.chunkIds };
    const known = candidate.chunkIds.flatMap((id) => {
      const cosine = segment.cosine(vector, id);
      return cosine === undefined ? [] : [{ id, cosine }];
    });
    known.sort((a, b) => b.cosine - a.cosine);
    const chunkIds = [...new Set([candidate.chunkId, ...known.map(({ id }) => id)])].slice(0, CHUNKS);
    return { candidate, cosine: known[0]?.cosine, chunkIds };
  });
}

/** Reading takes most of the time of ranking, so only those are read that have a chance: a page as long as is wanted at least. */
function shortlist(near: readonly Near[], limit: number, share = 1): Near[] {
  const best = (of: readonly Near[], value: (one: Near) => number, count: number) =>
    [...of].sort((a, b) => value(b) - value(a)).slice(0, Math.ceil(Math.max(count, limit) * share));
  const isOther = ({ candidate }: Near) =>
    candidate.words === 0 && !candidate.streams.some(({ name }) => name === 'vectors');
  const chosen = new Set([
    ...best(near, ({ cosine }) => cosine ?? -1, READ.nearest),
    ...best(
      near.filter(({ candidate }) => candidate.words > 0),
      ({ candidate }) => candidate.words,
      READ.words,
    ),
    ...best(
      near.filter(isOther),
      ({ candidate }) => -Math.min(...candidate.streams.map((s) => s.rank)),
      READ.others,
    ),
  ]);
  return [...chosen];
}

const WHITE = /\s+/gu;

/** Whether a query is the whole text, or stands in it as a run of words; case and white space aside. */
function likeness(query: string, value: string): { exact: boolean; phrase: boolean } {
  const fold = (text: string) => foldText(text).toLowerCase().replace(WHITE, ' ').trim();
  const wanted = fold(query);
  const has = fold(value);
  return { exact: has === wanted, phrase: wanted.includes(' ') && has.includes(wanted) };
}
