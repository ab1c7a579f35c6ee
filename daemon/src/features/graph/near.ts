import type { ReadDb } from '../../db/open-store.ts';
import { firstVectors } from './graph.store.ts';

export interface NearMemory {
  readonly memoryId: number;
  readonly cosine: number;
}

/** The vectors of a namespace, as the search holds them, and the memories that its chunks are of. */
export interface Vectors {
  readonly dimensions: number;
  search(vector: Float32Array, k: number): readonly { readonly id: number; readonly cosine: number }[];
  memoriesOf(ids: readonly number[]): ReadonlyMap<number, number>;
}

/** Chunks of a long memory whose neighbours are looked for. */
const CHUNKS = 3;
/** Several chunks may be of one memory. */
const SPARE = 3;

/**
 * The memories that are nearest to one in meaning, best first; none where it has no vector (yet). The rank says more
 * than the cosine.
 */
export function nearMemories(
  db: ReadDb,
  vectors: Vectors,
  of: { memoryId: number; limit: number },
): NearMemory[] {
  const best = new Map<number, number>();
  for (const { scale, vector } of firstVectors(db, of.memoryId, CHUNKS)) {
    // One of another model is about to be made anew.
    if (scale === null || vector?.byteLength !== vectors.dimensions) continue;
    const ints = new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    const hits = vectors.search(
      Float32Array.from(ints, (x) => x * scale),
      (of.limit + CHUNKS) * SPARE,
    );
    const memoryOf = vectors.memoriesOf(hits.map(({ id }) => id));
    for (const { id, cosine } of hits) {
      const memory = memoryOf.get(id);
      if (memory !== undefined && memory !== of.memoryId && cosine > (best.get(memory) ?? 0))
        best.set(memory, cosine);
    }
  }
  return [...best]
    .map(([memoryId, cosine]) => ({ memoryId, cosine }))
    .sort((a, b) => b.cosine - a.cosine || a.memoryId - b.memoryId)
    .slice(0, of.limit);
}
