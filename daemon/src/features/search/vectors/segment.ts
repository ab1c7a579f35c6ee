import type { ReadDb } from '../../../db/open-store.ts';
import { vectorsOf } from '../index/index.store.ts';
import { VectorIndex } from './vectors.ts';

/** Vectors in memory, and the model that made them. */
export interface Segment {
  readonly model: string;
  readonly vectors: VectorIndex;
}

type Model = { readonly model: string; readonly dimensions: number };

/** Vectors that are loaded before others have their turn: some 15 ms. */
export const AT_ONCE = 4_000;

export function emptySegment({ model, dimensions }: Model): Segment {
  return { model, vectors: new VectorIndex(dimensions) };
}

/** Whether the vectors in memory were made by the model in use. A server may change its model for one whose vectors are as long. */
export function isCurrent(embedder: Model, segment: Segment | undefined): segment is Segment {
  return segment?.model === embedder.model && segment.vectors.dimensions === embedder.dimensions;
}

/**
 * Adds vectors of a namespace: those of the chunks after `after`, at most `limit`. Answers the last chunk that was read where there may be
 * more, else undefined.
 */
export function fillSegment(
  db: ReadDb,
  { model, vectors }: Segment,
  { namespaceId, ...piece }: { namespaceId: number; after?: number; limit?: number },
): number | undefined {
  let [count, last] = [0, 0];
  for (const row of vectorsOf(db, namespaceId, { model, ...piece })) {
    const { id, memory_id: memoryId, scale, vector } = row;
    vectors.add({ id, memoryId }, new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength), scale);
    count += 1;
    last = id;
  }
  return count === piece.limit ? last : undefined;
}
