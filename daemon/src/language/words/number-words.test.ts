import { expect, it } from 'vitest';
import { MONTHS } from '@reverie/memory-formats/days/month-names';
import { ORDINALS } from './number-words.ts';

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
