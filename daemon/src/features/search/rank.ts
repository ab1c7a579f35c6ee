import type { ReadDb } from '../../db/open-store.ts';
import { calibrate } from './calibration.ts';
import { chunkBodies, memoryHeads } from './candidates.store.ts';
import { coverageOf } from './coverage.ts';
import { fuse } from './fusion.ts';
import { prepareQuery, type Query, type RankingDeps, type Scope } from './query.ts';
import type { StreamHit } from './streams.ts';

/** Where one stream had a memory; the best has rank 1. */
export interface StreamPlace {
  readonly name: string;
  readonly rank: number;
}

/** A memory that may answer, with all that the streams found of it. */
export interface Candidate {
  readonly memoryId: number;
  /** The chunk that stands for it: the one that the words found, else the nearest. */
  readonly chunkId: number;
  readonly chunkIds: readonly number[];
  readonly streams: readonly StreamPlace[];
  /** BM25 of the words; 0 where they did not find it. */
  readonly words: number;
}

/** Why a memory stands where it does: which streams found it, and what its features add to the log odds of its score. */
export interface Why {
  readonly streams: readonly StreamPlace[];
  readonly boosts: readonly { readonly name: string; readonly points: number }[];
}

/** A candidate in its place. */
export interface Ranked {
  readonly memoryId: number;
  readonly chunkId: number;
  /** Calibrated: it means the same in every query (calibration.ts). */
  readonly score: number;
  readonly why: Why;
}

/** The union of what streams found, in no order that means anything. The stream `words` is the one whose scores are BM25. */
export function gather(
  streams: readonly { readonly name: string; readonly hits: readonly StreamHit[] }[],
): Candidate[] {
  const found = new Map<number, Candidate>();
  for (const { name, hits } of streams) {
    for (const [at, { memoryId, chunkId, score }] of hits.entries()) {
      const before = found.get(memoryId);
      const words = name === 'words' ? score : 0;
      found.set(memoryId, {
        memoryId,
        chunkId: before?.words || !words ? (before?.chunkId ?? chunkId) : chunkId,
        chunkIds: [...new Set([...(before?.chunkIds ?? []), chunkId])],
        streams: [...(before?.streams ?? []), { name, rank: at + 1 }],
        words: Math.max(before?.words ?? 0, words),
      });
    }
  }
  return [...found.values()];
}

/** What is to be ranked. */
export interface Ranking extends Scope {
  query: string;
  candidates: readonly Candidate[];
  /** Candidates that are wanted; all of them where this is missing. */
  limit?: number;
}

/**
 * The best candidates, best first: the fusion chooses who is on the page (reserved places too), the calibrated score
 * decides the order (figures in docs/decisions/0009).
 */
export function rank(db: ReadDb, deps: RankingDeps, ranking: Ranking): Ranked[] {
  const { candidates, limit = candidates.length } = ranking;
  const query = prepareQuery(db, deps, { ...ranking, text: ranking.query });
  if (!query) return [];
  const segment = deps.segments.of(db, query.namespace.id);
  const byMemory = new Map(candidates.map((candidate) => [candidate.memoryId, candidate]));
  const cosines = candidates.flatMap(({ memoryId, chunkIds }) => {
    const known = chunkIds.flatMap((id) => segment.cosine(query.vector, id) ?? []);
    return known.length === 0 ? [] : [{ id: memoryId, cosine: Math.max(...known) }];
  });
  const words = candidates.flatMap((one) => (one.words > 0 ? [{ id: one.memoryId, score: one.words }] : []));
  const page = fuse(words, cosines, limit).flatMap(({ id, cosine }) => {
    const candidate = byMemory.get(id);
    return candidate ? [{ candidate, cosine }] : [];
  });
  return scored(db, query, page);
}

function scored(
  db: ReadDb,
  query: Query,
  page: readonly { candidate: Candidate; cosine: number | null }[],
): Ranked[] {
  const bodies = chunkBodies(
    db,
    query.account,
    page.map(({ candidate }) => candidate.chunkId),
  );
  const heads = memoryHeads(
    db,
    page.map(({ candidate }) => candidate.memoryId),
  );
  const coverage = coverageOf(query.terms, query.df, query.namespace.chunks);
  const knowsQuery = query.vector.some((x) => x !== 0);
  const best = Math.max(0, ...page.map(({ candidate }) => candidate.words));
  return page
    .map(({ candidate, cosine }) => {
      const { memoryId, chunkId, streams } = candidate;
      const { score, parts } = calibrate({
        cosine: cosine ?? 0,
        hasVector: cosine !== null && knowsQuery,
        coverage: coverage(bodies.get(chunkId) ?? ''),
        lexical: best > 0 ? candidate.words / best : 0,
        ...likeness(query.text, heads.get(memoryId)?.head ?? ''),
      });
      const boosts = parts.map(({ name, points }) => ({ name, points: Number(points.toFixed(3)) }));
      return { memoryId, chunkId, score: Number(score.toFixed(6)), why: { streams, boosts } };
    })
    .sort((a, b) => b.score - a.score);
}

const WHITE = /\s+/gu;

/** Whether a query is the whole text, or stands in it as a run of words; case and white space aside. */
function likeness(query: string, value: string): { exact: boolean; phrase: boolean } {
  const fold = (text: string) => text.toLowerCase().replace(WHITE, ' ').trim();
  const wanted = fold(query);
  const has = fold(value);
  return { exact: has === wanted, phrase: wanted.includes(' ') && has.includes(wanted) };
}
