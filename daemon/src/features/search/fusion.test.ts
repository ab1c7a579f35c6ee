import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fuse } from './fusion.ts';

const text = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 0, max: 60 }), score: fc.double({ min: 0, max: 30, noNaN: true }) }),
  { selector: (hit) => hit.id },
);
const vectors = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 0, max: 60 }), cosine: fc.double({ min: -1, max: 1, noNaN: true }) }),
  { selector: (hit) => hit.id },
);

describe('fusion', () => {
  const words = Array.from({ length: 20 }, (_, at) => ({ id: at, score: 20 - at * 0.1 }));
  const meaning = Array.from({ length: 20 }, (_, at) => ({ id: 100 + at, cosine: 0.5 - at * 0.01 }));

  it('adds 1.6 cosine to the share of the best BM25', () => {
    const [first, second] = fuse(
      [
        { id: 1, score: 8 },
        { id: 2, score: 4 },
      ],
      [{ id: 2, cosine: 0.5 }],
      10,
    );
    expect(first).toEqual({
      id: 2,
      score: 1.3,
      textScore: 4,
      cosine: 0.5,
      textRank: 1,
      vectorRank: 0,
      place: 'fused',
    });
    expect(second).toMatchObject({ id: 1, score: 1, cosine: null, vectorRank: null });
  });

  it.each([
    [1, 0],
    [2, 0],
    [5, 2],
    [10, 4],
    [40, 16],
  ])('keeps places of a page of %i for the best cosines: %i', (limit, kept) => {
    const many = Array.from({ length: 200 }, (_, at) => ({ id: at, score: 200 - at * 0.1 }));
    const far = Array.from({ length: 200 }, (_, at) => ({ id: 1000 + at, cosine: 0.5 - at * 0.001 }));
    const page = fuse(many, far, limit);
    expect(page.filter((hit) => hit.place === 'reserved').map((hit) => hit.id)).toEqual(
      far.slice(0, kept).map((hit) => hit.id),
    );
    expect(page.slice(0, limit - kept).map((hit) => hit.id)).toEqual(
      many.slice(0, limit - kept).map((hit) => hit.id),
    );
  });

  it('fills the page from the one side where the other has too little', () => {
    expect(fuse(words, [], 10).map((hit) => hit.id)).toEqual(words.slice(0, 10).map((hit) => hit.id));
    expect(fuse([], meaning, 10).map((hit) => hit.id)).toEqual(meaning.slice(0, 10).map((hit) => hit.id));
    expect(fuse(words, meaning.slice(0, 1), 10).map((hit) => hit.id)).toEqual([
      0, 1, 2, 3, 4, 5, 100, 6, 7, 8,
    ]);
    expect(fuse([], [], 10)).toEqual([]);
  });

  it('shows each candidate once, as many as there are, whatever the order they come in', () => {
    fc.assert(
      fc.property(text, vectors, fc.integer({ min: 1, max: 200 }), (a, b, limit) => {
        const page = fuse(a, b, limit);
        const union = new Set([...a, ...b].map((hit) => hit.id));
        expect(new Set(page.map((hit) => hit.id)).size).toBe(page.length);
        expect(page.length).toBe(Math.min(limit, union.size));
        expect(fuse([...a].reverse(), [...b].reverse(), limit)).toEqual(page);
        const scores = page.filter((hit) => hit.place === 'fused').map((hit) => hit.score);
        expect(scores).toEqual([...scores].sort((x, y) => y - x));
      }),
    );
  });
});
