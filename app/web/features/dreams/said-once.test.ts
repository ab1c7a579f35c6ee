import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { expect, test } from 'vitest';
import { bodyOnce, isTitleBelow, quotesOnce } from './said-once.ts';

const title = 'The valve was cleared by hand';
const sources = [
  { key: 'a', sentence: 'Cleared by hand.' },
  { key: 'b', sentence: 'cleared by hand' },
  { key: 'b', sentence: 'The valve was cleared by hand.' },
];

test('a sentence that several notes say stands there once, with all of them', () => {
  expect(quotesOnce({ title, sources })).toEqual([
    { sentence: 'Cleared by hand.', keys: ['a', 'b'] },
    { sentence: undefined, keys: ['b'] },
  ]);
});

test('of the text stays what neither title nor quotes say', () => {
  const body = 'Mostly on a Monday.\n\n- “Cleared by hand.”\n\nThe valve was cleared by hand:\n\nIrregular.';
  expect(bodyOnce({ title, body, sources })).toBe('Mostly on a Monday.\n\nIrregular.');
  expect(bodyOnce({ title, body: title, sources })).toBe('');
  // As a dream without a model writes it: each quote with its key and day.
  const quoted =
    '- **Cleared** by hand. ("a", 2026-06-08)\n- The valve was cleared by hand. ("b", 2026-08-17)';
  expect(bodyOnce({ title: 'Something else', body: quoted, sources })).toBe('');
  expect(bodyOnce({ title, body: '- It leaked. ("a", 2026-06-08)', sources })).toBe(
    '- It leaked. ("a", 2026-06-08)',
  );
});

test('of notes that stand below as a whole the title is said by them', () => {
  const change: Insight['change'] = { kind: 'merge', keep: 'a', hide: ['b'] };
  expect(isTitleBelow({ title: 'Cleared by hand', change, sources })).toBe(true);
  expect(isTitleBelow({ title: 'Twice the same', change, sources })).toBe(false);
  expect(isTitleBelow({ title: 'Cleared by hand', change: null, sources })).toBe(false);
});
