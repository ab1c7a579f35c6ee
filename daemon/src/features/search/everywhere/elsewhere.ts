import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Elsewhere } from '@reverie/shared/contract/search/search';
import type { ReadDb } from '../../../db/open-store.ts';
import { allSearched } from '../ranking/candidates.store.ts';
import { namespaceOfChunk, vectorsOfChunks } from '../index/index.store.ts';
import type { PiecewiseDeps, SearchScope } from '../query/query.ts';
import { gather, rank } from '../ranking/rank.ts';
import { wordsStream } from '../vectors/streams.ts';
import { VectorIndex } from '../vectors/vectors.ts';
import { prepareWordings, wordingsOf, worthOf } from '../query/wordings.ts';

/** Clearly better: the best here is below the one, and the best there is not below the other (docs/decisions/0032). */
const LITTLE = 0.35;
const LIKELY = 0.5;
/** Chunks elsewhere that are read, those whose words fit best: a tenth of what a search reads. */
const READ = 10;
/** Namespaces that are named. */
const NAMED = 3;

/** A search in one namespace, as a look into the other ones needs it. */
export interface LookedAt extends Omit<SearchScope, 'among'> {
  query: string;
  /** Further wordings of it. */
  queries?: readonly string[] | undefined;
  /** The best score that was found in it. */
  here: number;
  /** Ids of the memories elsewhere that may be found; undefined for all. */
  among?: (() => readonly number[] | undefined) | undefined;
}

/**
 * Other namespaces of the account that answer clearly better, best first. They are searched by words alone, and only where this namespace
 * has little: most searches are spared it.
 */
export async function elsewhere(deps: PiecewiseDeps, looked: LookedAt): Promise<Elsewhere[]> {
  if (looked.here >= LITTLE) return [];
  const found = (await bestElsewhere(deps, looked)).filter(({ score }) => score >= LIKELY);
  const names = [...new Set(found.map(({ namespace }) => namespace))];
  return names.slice(0, NAMED).map((namespace) => {
    const scores = found.filter((one) => one.namespace === namespace).map(({ score }) => score);
    return { namespace, count: scores.length, best: Math.max(...scores) };
  });
}

/** What other namespaces have, best first, with the scores that a search of them all would give. */
async function bestElsewhere(
  deps: PiecewiseDeps,
  { query, queries, among, account, readable, namespace }: LookedAt,
): Promise<{ namespace: string; score: number }[]> {
  const { store, embedder, yieldToOthers } = deps;
  // Not those in memory: the vectors of every namespace would take the place of those that are searched.
  const vectors = new VectorIndex(embedder.dimensions);
  await yieldToOthers();
  const ids = among?.();
  // Its own `prepared`: finding words and ranking read a wording once, of every namespace; the search before read it of one.
  const scope = {
    account,
    namespace: EVERY_NAMESPACE,
    among: ids && new Set(ids),
    vectors,
    prepared: new Map(),
    readable: (name: string) => name !== namespace && readable?.(name) !== false,
  };
  const best = new Map<number, { chunkId: number; score: number }>();
  for (const wording of await prepareWordings(deps, scope, wordingsOf(query, queries))) {
    const { text } = wording;
    const words = await wordsStream(deps, { ...scope, queries: [text], rarest: true, limit: READ });
    if (words.length === 0) continue;
    await yieldToOthers();
    store.read((db) =>
      fill(db, vectors, { model: embedder.model, ids: words.map(({ chunkId }) => chunkId) }),
    );
    const candidates = gather([{ name: 'words', hits: words }]);
    for (const { memoryId, chunkId, ...ranked } of await rank(deps, { ...scope, query: text, candidates })) {
      const score = worthOf(ranked.score, wording);
      if (score > (best.get(memoryId)?.score ?? 0)) best.set(memoryId, { chunkId, score });
    }
  }
  if (best.size === 0) return [];
  const names = store.read((db) => new Map(allSearched(db, account).map(({ id, name }) => [id, name])));
  return [...best.values()]
    .sort((a, b) => b.score - a.score)
    .flatMap(({ chunkId, score }) => {
      const name = names.get(namespaceOfChunk(chunkId));
      return name === undefined ? [] : [{ namespace: name, score }];
    });
}

function fill(db: ReadDb, vectors: VectorIndex, wanted: { model: string; ids: readonly number[] }): void {
  for (const { id, memory_id: memoryId, scale, vector } of vectorsOfChunks(db, wanted))
    vectors.add({ id, memoryId }, new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength), scale);
}
