import type { ReadDb } from '../../db/open-store.ts';
import type { CutTexts } from './cut-texts.ts';
import { chunkRange, vectorsOf } from './index.store.ts';
import { type ChunkOf, VectorIndex } from './vectors.ts';

/** Bytes of vectors that are held in memory at most: 200,000 chunks and a little. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The vectors of the namespaces that were searched last, in memory; loaded on the first search. */
export interface Segments {
  of(db: ReadDb, namespaceId: number): VectorIndex;
  /** Follows a committed change; does nothing for a namespace that is not loaded. */
  add(chunk: ChunkOf, data: Int8Array, scale: number): void;
  remove(id: number): void;
  drop(namespaceId: number): void;
}

/** A namespace's vectors, and the model that made them. */
interface Segment {
  readonly model: string;
  readonly segment: VectorIndex;
}

/** `texts` forgets what is removed, too: nothing of a deleted text stays in memory. */
export function createSegments(
  embedder: { model: string; dimensions: number },
  texts?: Pick<CutTexts, 'forget' | 'forgetNamespace'>,
): Segments {
  // A Map keeps the order of use: what is asked for is put at the end again.
  const loaded = new Map<number, Segment>();

  function loadedAt(chunkId: number): VectorIndex | undefined {
    for (const [namespaceId, { segment }] of loaded) {
      const { from, to } = chunkRange(namespaceId);
      if (chunkId >= from && chunkId <= to) return segment;
    }
    return undefined;
  }

  function makeRoom(): void {
    let bytes = 0;
    for (const { segment } of loaded.values()) bytes += segment.bytes;
    for (const [namespaceId, { segment }] of loaded) {
      if (bytes <= MAX_BYTES || loaded.size === 1) return;
      loaded.delete(namespaceId);
      bytes -= segment.bytes;
    }
  }

  return {
    of(db, namespaceId) {
      const known = loaded.get(namespaceId);
      loaded.delete(namespaceId);
      // Another model may be used meanwhile, or a server's turn out to be another one; its vectors may be as long.
      const { model } = embedder;
      let segment = known?.model === model ? known.segment : undefined;
      if (!segment) {
        segment = new VectorIndex(embedder.dimensions);
        for (const { id, memory_id: memoryId, scale, vector } of vectorsOf(db, namespaceId, model))
          segment.add(
            { id, memoryId },
            new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength),
            scale,
          );
      }
      loaded.set(namespaceId, { model, segment });
      makeRoom();
      return segment;
    },
    add(chunk, data, scale) {
      const segment = loadedAt(chunk.id);
      if (segment?.dimensions === data.length) segment.add(chunk, data, scale);
    },
    remove(id) {
      loadedAt(id)?.remove(id);
      texts?.forget(id);
    },
    drop(namespaceId) {
      loaded.delete(namespaceId);
      texts?.forgetNamespace(namespaceId);
    },
  };
}
