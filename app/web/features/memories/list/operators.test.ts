import { expect, test } from 'vitest';
import { isListing, lookedIn, operatorWords, withOperator, withoutOperator } from './operators.ts';

test.each([
  ['tag:adr signing key', 0, 'signing key'],
  ['tag:adr tag:"two words" -draft key', 0, 'tag:"two words" -draft key'],
  ['tag:adr tag:"two words" -draft key', 2, 'tag:adr tag:"two words" key'],
  ['"exact words" and more', 0, 'and more'],
  ['“a (b) c” tag:x', 0, 'tag:x'],
  ['after:2026-03-05 key', 0, 'key'],
])('%j without its operator %d is %j', (query, taken, left) => {
  expect(withoutOperator(query, 'work', taken)).toBe(left);
});

test('operators alone list; with words, exact words or a day of no calendar it is a search', () => {
  expect(isListing('tag:adr class:error', 'work')).toBe(true);
  expect(isListing('tag:adr key', 'work')).toBe(false);
  expect(isListing('"exact words"', 'work')).toBe(false);
  expect(isListing('before:2026-13', 'work')).toBe(false);
  expect(isListing('', 'work')).toBe(false);
});

test('an operator is added once', () => {
  expect(withOperator('key', 'tag:adr')).toBe('tag:adr key');
  expect(withOperator('tag:adr key', 'tag:adr')).toBe('tag:adr key');
});

test('chips say it in words', () => {
  expect(
    (
      [
        ['tag', 'adr'],
        ['class', 'error'],
        ['without', 'draft'],
        ['before', '2026-03'],
      ] as const
    ).map(([kind, value]) => operatorWords({ kind, value })),
  ).toEqual(['#adr', 'errors', 'not “draft”', 'before 2026-03']);
});

test.each([
  ['in:work deploy', 'home', '*'],
  ['in:home deploy', 'home', 'home'],
  ['deploy in "work"', 'home', 'home'],
  ['', 'home', 'home'],
  ['in:work', '*', '*'],
])('"%s" typed in %s is looked for in %s', (query, chosen, where) => {
  expect(lookedIn(query, chosen)).toBe(where);
});
