import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { Rows } from '../../../models/rows.ts';
import { VectorIndex, type VectorHit } from './vectors.ts';

/** Deterministic noise (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296 - 0.5;
  };
}

const vectorOf = (next: () => number, dimensions: number): Int8Array =>
  Int8Array.from({ length: dimensions }, () => Math.round(next() * 254));

function exact(all: ReadonlyMap<number, Int8Array>, query: ArrayLike<number>, k: number): VectorHit[] {
  const hits = [...all].map(([id, data]) => ({
    id,
    cosine: data.reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0) * 0.01,
  }));
  return hits.sort((a, b) => b.cosine - a.cosine || a.id - b.id).slice(0, k);
}

describe('a vector index', () => {
  it('equals a plain list under any sequence of adds, replacements and removals', () => {
    const change = fc.record({
      id: fc.integer({ min: 0, max: 12 }),
      seed: fc.integer(),
      remove: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60 }),
        fc.integer(),
        fc.integer({ min: 1, max: 15 }),
        (changes, seed, k) => {
          const index = new VectorIndex(40);
          const model = new Map<number, Int8Array>();
          for (const { id, seed: from, remove } of changes) {
            if (remove) {
              expect(index.remove(id)).toBe(model.delete(id));
            } else {
              const data = vectorOf(random(from), 40);
              index.add({ id, memoryId: -id }, data, 0.01);
              model.set(id, data);
            }
          }
          const query = Float32Array.from(vectorOf(random(seed), 40));
          const hits = index.search(query, k);
          const cosines = new Map(exact(model, query, model.size).map((hit) => [hit.id, hit.cosine]));
          expect(index.size).toBe(model.size);
          // In the order of what is asked with, which is the query rounded: two that are as good as equal may change places by that.
          const wanted = exact(model, index.ask(query).steps, k);
          expect(hits.map((hit) => hit.id)).toEqual(wanted.map((hit) => hit.id));
          for (const { id, cosine } of hits)
            expect(Math.abs(cosine - (cosines.get(id) ?? NaN))).toBeLessThan(0.05);
          for (const id of model.keys()) expect([index.has(id), index.memoryOf(id)]).toEqual([true, -id]);
          expect(index.memoryOf(99)).toBeUndefined();
        },
      ),
    );
  });

  it('finds nothing for a zero query, and refuses other dimensions', () => {
    const index = new VectorIndex(8);
    index.add({ id: 1, memoryId: 2 }, Int8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 0.1);
    expect(index.search(new Float32Array(8), 5)).toEqual([]);
    expect(() => index.search(new Float32Array(9), 5)).toThrow(RangeError);
    expect(() => index.add({ id: 2, memoryId: 2 }, new Int8Array(9), 1)).toThrow(RangeError);
    expect(index.cosine(index.ask(Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0)), 1)).toBeCloseTo(0.1);
    expect(index.cosine(index.ask(new Float32Array(8)), 2)).toBeUndefined();
  });

  it('stays as it is where there is no memory for one more', () => {
    const index = new VectorIndex(8);
    const data = Int8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const reserve = vi.spyOn(Rows.prototype, 'reserve').mockImplementation(() => {
      throw new RangeError('no memory');
    });
    expect(() => index.add({ id: 1, memoryId: 2 }, data, 0.1)).toThrow('no memory');
    reserve.mockRestore();
    expect([index.size, index.has(1)]).toEqual([0, false]);
    index.add({ id: 1, memoryId: 2 }, data, 0.1);
    expect(index.search(Float32Array.from(data), 5)).toHaveLength(1);
  });

  describe('that is large', () => {
    const next = random(7);
    const index = new VectorIndex(128);
    const centres = Array.from({ length: 200 }, () => vectorOf(next, 128));
    for (let id = 0; id < 30_000; id++) {
      const centre = centres[id % centres.length] ?? new Int8Array(128);
      index.add(
        { id, memoryId: id },
        centre.map((x) => x * 0.5 + next() * 120),
        0.01,
      );
    }
    const queries = Array.from({ length: 20 }, (_, at) =>
      Float32Array.from(centres[at * 7] ?? [], (x) => x * 0.5 + next() * 120),
    );

    it('finds what is nearest', () => {
      for (const query of queries) {
        const asked = index.ask(query);
        const wanted = Array.from({ length: 30_000 }, (_, id) => ({
          id,
          cosine: index.cosine(asked, id) ?? 0,
        }))
          .sort((x, y) => y.cosine - x.cosine || x.id - y.id)
          .slice(0, 10);
        expect(index.search(query, 10)).toEqual(wanted);
      }
    });

    it('finds among the allowed only, however few they are', () => {
      const query = queries[0] ?? new Float32Array(128);
      const hits = index.search(query, 10, (id) => id % 5_000 === 3);
      expect(hits.map((hit) => hit.id % 5_000)).toEqual([3, 3, 3, 3, 3, 3]);
    });

    it('says what memory it holds', () => {
      expect(index.bytes).toBeGreaterThan(30_000 * 156);
      expect(index.bytes).toBeLessThan(30_000 * 300);
    });
  });
});
