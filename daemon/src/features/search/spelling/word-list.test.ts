import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { editDistance } from './edit-distance.ts';
import { createWordList } from './word-list.ts';

/** The same by its definition, as slow as that is. */
function naiveDistance(a: string, b: string): number {
  if (a === '' || b === '') return Math.max(a.length, b.length);
  const isSame = a.at(-1) === b.at(-1);
  const costs = [
    naiveDistance(a.slice(0, -1), b.slice(0, -1)) + (isSame ? 0 : 1),
    naiveDistance(a.slice(0, -1), b) + 1,
    naiveDistance(a, b.slice(0, -1)) + 1,
  ];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1))
    costs.push(naiveDistance(a.slice(0, -2), b.slice(0, -2)) + 1);
  return Math.min(...costs);
}

// Few letters, so that words are alike often; two of them share a bit of the list's sets.
const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'д', '\u007f'), maxLength: 6 });
const wrong = fc.integer({ min: 0, max: 3 });

it('counts letters as the definition does', () => {
  fc.assert(
    fc.property(words, words, wrong, (a, b, most) => {
      expect(editDistance(a, b, most)).toBe(Math.min(naiveDistance(a, b), most + 1));
    }),
    { numRuns: runs(200, 3_000) },
  );
});

it('finds what comparing with every word finds', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), words, wrong, (known, word, most) => {
      const list = createWordList();
      for (const one of known) list.add(one);
      const naive = [...new Set(known)]
        .map((one) => ({ word: one, distance: naiveDistance(word, one) }))
        .filter(({ distance }) => distance <= most)
        .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
      expect(list.near(word, most)).toEqual(naive);
      const begun = [...new Set(known)]
        .filter((one) => one.length >= 3 && one.length <= word.length)
        .filter((one) => [...word, ''].some((_, at) => naiveDistance(one, word.slice(0, at)) <= 1))
        .sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
      expect(list.begun(word)).toEqual(begun);
      expect([list.size, known.every((one) => list.has(one))]).toEqual([new Set(known).size, true]);
    }),
    { numRuns: runs(50, 500) },
  );
});

it.each([
  ['recieve', 'receive', 1],
  ['elderbery', 'elderberry', 1],
  ['adress', 'dress', 1],
  ['refridgirator', 'refrigerator', 2],
  ['größe', 'grösse', 2],
  ['улица', 'улцйа', 2],
])('%s and %s differ by %d', (a, b, distance) => {
  expect([editDistance(a, b, 2), editDistance(b, a, 2)]).toEqual([distance, distance]);
  expect(editDistance(a, b, distance - 1)).toBe(distance);
});
