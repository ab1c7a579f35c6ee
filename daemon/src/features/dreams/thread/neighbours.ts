import type { ReadDb } from '../../../db/open-store.ts';
import type { DreamMemory } from '../dream-memory.ts';
import { pages } from './view.ts';
import { vectorRows } from './view.store.ts';

/** The nearest vectors of each vector of a set, by cosine. */
export interface NearestTable {
  /** Slots of the nearest ones of a slot, best first; fewer than are kept where fewer have a vector. */
  of(slot: number): { slot: number; cosine: number }[];
}

/** How many of its nearest memories are known of each memory. */
const NEIGHBOURS = 16;

/** Says which memories are near to each other, by the vectors that a model made of them; a memory has the slot of its place. */
export function nearestMemories(
  memories: readonly DreamMemory[],
  { db, embedder, isStopped }: { db: ReadDb; embedder: string; isStopped: () => boolean },
): NearestTable {
  const slotOf = new Map(memories.map(({ id }, slot) => [id, slot]));
  let dimensions = 0;
  let vectors = new Float32Array(0);
  for (const ids of pages(memories))
    for (const { memory_id, scale, vector } of vectorRows(db, ids, embedder)) {
      if (dimensions === 0) {
        dimensions = vector.byteLength;
        vectors = new Float32Array(memories.length * dimensions);
      }
      const at = (slotOf.get(memory_id) ?? 0) * dimensions;
      const bytes = new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength);
      // The mean of its parts stands for a long memory.
      for (const [d, x] of bytes.entries()) vectors[at + d] = (vectors[at + d] ?? 0) + x * scale;
    }
  if (dimensions === 0) return { of: () => [] };
  normaliseAll(vectors, dimensions);
  return nearestOf(vectors, { dimensions, keep: NEIGHBOURS, isStopped });
}

function normaliseAll(vectors: Float32Array, dimensions: number): void {
  for (let from = 0; from < vectors.length; from += dimensions) {
    let square = 0;
    for (let d = from; d < from + dimensions; d++) square += (vectors[d] ?? 0) ** 2;
    if (square === 0) continue;
    const factor = 1 / Math.sqrt(square);
    for (let d = from; d < from + dimensions; d++) vectors[d] = (vectors[d] ?? 0) * factor;
  }
}

/** Vectors that are compared with each other at once: two blocks of 64 × 128 floats fit into the first-level cache. */
const BLOCK = 64;

/**
 * Compares every pair once (10,000 vectors of 128 dimensions: 50 million pairs, some seconds). `vectors` holds unit vectors one after another;
 * a vector that is all zero is near to nothing. Equal cosines go by slot.
 */
export function nearestOf(
  vectors: Float32Array,
  { dimensions, keep, isStopped }: { dimensions: number; keep: number; isStopped: () => boolean },
): NearestTable {
  const count = vectors.length / dimensions;
  const cosines = new Float32Array(count * keep).fill(-2);
  const slots = new Int32Array(count * keep).fill(-1);
  const offer = (to: number, slot: number, cosine: number): void => {
    const first = to * keep;
    let at = first + keep - 1;
    if (cosine <= (cosines[at] ?? 0)) return;
    for (; at > first && cosine > (cosines[at - 1] ?? 0); at--) {
      cosines[at] = cosines[at - 1] ?? 0;
      slots[at] = slots[at - 1] ?? 0;
    }
    cosines[at] = cosine;
    slots[at] = slot;
  };
  const known = knownSlots(vectors, dimensions);
  for (let a = 0; a < known.length && !isStopped(); a += BLOCK) {
    for (let b = a; b < known.length; b += BLOCK) {
      const endA = Math.min(a + BLOCK, known.length);
      const endB = Math.min(b + BLOCK, known.length);
      for (let i = a; i < endA; i++) {
        const one = known[i] ?? 0;
        for (let j = Math.max(b, i + 1); j < endB; j++) {
          const other = known[j] ?? 0;
          const x = one * dimensions;
          const y = other * dimensions;
          // Four sums, for the processor adds them side by side.
          let p = 0;
          let q = 0;
          let r = 0;
          let s = 0;
          for (let d = 0; d < dimensions; d += 4) {
            p += (vectors[x + d] ?? 0) * (vectors[y + d] ?? 0);
            q += (vectors[x + d + 1] ?? 0) * (vectors[y + d + 1] ?? 0);
            r += (vectors[x + d + 2] ?? 0) * (vectors[y + d + 2] ?? 0);
            s += (vectors[x + d + 3] ?? 0) * (vectors[y + d + 3] ?? 0);
          }
          const cosine = p + q + r + s;
          offer(one, other, cosine);
          offer(other, one, cosine);
        }
      }
    }
  }
  return {
    of(slot) {
      const found: { slot: number; cosine: number }[] = [];
      for (let at = slot * keep; at < (slot + 1) * keep; at++) {
        const near = slots[at] ?? -1;
        if (near >= 0) found.push({ slot: near, cosine: cosines[at] ?? 0 });
      }
      return found;
    },
  };
}

function knownSlots(vectors: Float32Array, dimensions: number): number[] {
  const known: number[] = [];
  for (let slot = 0; slot * dimensions < vectors.length; slot++)
    if (vectors.subarray(slot * dimensions, (slot + 1) * dimensions).some((x) => x !== 0)) known.push(slot);
  return known;
}
