import { expect, it } from 'vitest';
import { MONTHS, WEEKDAYS } from './date-names.ts';
import { COUNTS, ORDINALS } from './number-words.ts';

it.each([
  ['a', 1],
  ['zwei', 2],
  ['trois', 3],
  ['doce', 12],
  ['fourteen', 14],
  ['thirty', 30],
  ['ninety', 90],
])('%s is %i', (word, count) => {
  expect(COUNTS[word]).toBe(count);
});

it('knows the thirty-one days of a month', () => {
  expect(Object.values(ORDINALS)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
  expect([ORDINALS['third'], ORDINALS['twenty-first']]).toEqual([3, 21]);
});

it.each([
  ['märz', 2],
  ['août', 7],
  ['sept', 8],
  ['okt', 9],
  ['diciembre', 11],
  ['jänner', 0],
])('%s is month %i', (name, month) => {
  expect(MONTHS[name]).toBe(month);
});

it('knows weekdays from Sunday on, in four languages', () => {
  expect(['sunday', 'montag', 'mardi', 'miércoles', 'sonnabend'].map((name) => WEEKDAYS[name])).toEqual([
    0, 1, 2, 3, 6,
  ]);
  expect(Object.keys(WEEKDAYS)).toHaveLength(29);
});
