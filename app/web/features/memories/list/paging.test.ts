import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetsFor, shownIndex, storedIndex } from './paging.ts';

test('only the pages that the visible rows need are named', () => {
  expect(offsetsFor(0, 30, 100)).toEqual([0]);
  expect(offsetsFor(95, 105, 100)).toEqual([0, 100]);
  expect(offsetsFor(9_950, 9_999, 100)).toEqual([9_900]);
  expect(offsetsFor(-5, 5, 100)).toEqual([0]);
});

test('shown rows skip exactly the hidden ones', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60)), (some) => {
      const hidden = [...some].sort((a, b) => a - b);
      const stored = Array.from({ length: 80 }, (_, index) => index);
      const left = stored.filter((index) => !hidden.includes(index));
      expect(left.map((_, shown) => storedIndex(hidden, shown))).toEqual(left);
      expect(left.map((index) => shownIndex(hidden, index))).toEqual([...left.keys()]);
    }),
  );
});
