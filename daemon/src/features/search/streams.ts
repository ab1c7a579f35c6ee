import type { ReadDb } from '../../db/open-store.ts';
import { chunkIdsOfMemories, matchChunks, matchChunksOf, memoriesOfChunks } from './candidates.store.ts';
import { namespaceOfChunk } from './index.store.ts';
import { type Query, type RankingDeps, type Scope, prepareQuery, vectorsAt } from './query.ts';
import { matchExpression, selectTerms } from './terms.ts';
import type { ChunkOf, VectorIndex } from './vectors.ts';

/** Memories that a stream brings, unless it is told another number. */
const HITS = 200;

/** A memory that one stream found: its best chunk stands for it. */
export interface StreamHit {
  readonly memoryId: number;
  readonly chunkId: number;
  /** BM25 or cosine, larger is better; comparable within the stream only. */
  readonly score: number;
}

/** What a stream looks for: one or several texts, of which the one that fits best counts. */
export interface Sought extends Scope {
  queries: readonly string[];
  /** Words only: every term has to be there, not any of them. */
  all?: boolean;
  /** Words only: the rarest term that is anywhere has to be there, and another one where there are others. */
  rarest?: boolean;
  limit?: number;
}

/** The memories that say the words of a query, by BM25, best first. */
export function wordsStream(db: ReadDb, deps: RankingDeps, sought: Sought): StreamHit[] {
  const { account, among, limit = HITS } = sought;
  if (among?.length === 0) return [];
  const memories = among && JSON.stringify(among);
  return pooled(sought, (text) => {
    const query = prepareQuery(db, deps, { ...sought, text });
    const match = query ? expressionOf(query, sought) : '';
    if (!query || match === '') return [];
    const wanted = { match, namespaces: query.namespace.namespaces, limit };
    const found =
      memories === undefined
        ? matchChunks(db, account, wanted)
        : matchChunksOf(db, account, { ...wanted, memories });
    return withMemories(db, vectorsAt(db, deps, query), found);
  });
}

function expressionOf(
  { terms, df, namespace }: Query,
  { all, rarest }: Pick<Sought, 'all' | 'rarest'>,
): string {
  if (all) return terms.map(({ match }) => match).join(' AND ');
  if (rarest) {
    const known = terms.filter((term) => df(term) > 0).sort((a, b) => df(a) - df(b));
    const [first, ...others] = known.map(({ match }) => match);
    return first === undefined || others.length === 0
      ? (first ?? '')
      : `${first} AND (${others.join(' OR ')})`;
  }
  return matchExpression(selectTerms(terms, df, namespace.chunks));
}

/** The memories that mean what a query means, by the cosine of their vectors, best first. */
export function vectorStream(db: ReadDb, deps: RankingDeps, sought: Sought): StreamHit[] {
  const { among, limit = HITS } = sought;
  if (among?.length === 0) return [];
  const allowed = among && new Set(chunkIdsOfMemories(db, JSON.stringify(among)));
  return pooled(sought, (text) => {
    const query = prepareQuery(db, deps, { ...sought, text });
    // Without a vector of the query, all texts would be as near.
    if (!query || deps.embedder.isReady?.(text) === false) return [];
    const segment = vectorsAt(db, deps, query);
    const nearest = segment.search(query.vector, limit, allowing(query, allowed));
    return withMemories(
      db,
      segment,
      nearest.map(({ id, cosine }) => ({ id, score: cosine })),
    );
  });
}

/** Which vectors may be found; undefined for all that are there. Those of an account may be of namespaces that are not looked at. */
function allowing(
  { namespace: { namespaces } }: Query,
  allowed: ReadonlySet<number> | undefined,
): ((id: number) => boolean) | undefined {
  if (namespaces.length === 1) return allowed && ((id) => allowed.has(id));
  const inside = new Set(namespaces);
  return (id) => inside.has(namespaceOfChunk(id)) && allowed?.has(id) !== false;
}

interface ChunkHit {
  id: number;
  score: number;
}

/** The memories of chunks: most are known beside their vectors, and reading them from the table takes a tenth of a search. */
function withMemories(
  db: ReadDb,
  segment: Pick<VectorIndex, 'memoryOf'>,
  hits: readonly ChunkHit[],
): (ChunkHit & ChunkOf)[] {
  const unknown = hits.map(({ id }) => id).filter((id) => segment.memoryOf(id) === undefined);
  const read = unknown.length > 0 ? memoriesOfChunks(db, unknown) : undefined;
  return hits.flatMap((hit) => {
    const memoryId = segment.memoryOf(hit.id) ?? read?.get(hit.id);
    return memoryId === undefined ? [] : [{ ...hit, memoryId }];
  });
}

/** One hit a memory, by its best chunk for any of the texts (RRF of chunk ranks costs 5–7 points, design/retrieval.md). */
function pooled({ queries }: Sought, find: (text: string) => (ChunkHit & ChunkOf)[]): StreamHit[] {
  const chunks = queries.flatMap(find).sort((a, b) => b.score - a.score || a.id - b.id);
  const best = new Map<number, StreamHit>();
  for (const { id: chunkId, memoryId, score } of chunks)
    if (!best.has(memoryId)) best.set(memoryId, { memoryId, chunkId, score });
  return [...best.values()];
}
