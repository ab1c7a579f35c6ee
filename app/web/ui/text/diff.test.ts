import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diff, diffWords, linesOf, wordsOf, type DiffRun } from './diff.ts';

const oldOf = (runs: DiffRun[]) => runs.filter(({ kind }) => kind !== 'added').flatMap(({ parts }) => parts);
const newOf = (runs: DiffRun[]) =>
  runs.filter(({ kind }) => kind !== 'removed').flatMap(({ parts }) => parts);

test('a changed line is removed and added between what stayed', () => {
  expect(diff(['a', 'b', 'c'], ['a', 'B', 'c'])).toEqual([
    { kind: 'same', parts: ['a'] },
    { kind: 'removed', parts: ['b'] },
    { kind: 'added', parts: ['B'] },
    { kind: 'same', parts: ['c'] },
  ]);
});

test('equal texts have nothing but what stayed', () => {
  expect(diff(['a', 'b'], ['a', 'b'])).toEqual([{ kind: 'same', parts: ['a', 'b'] }]);
  expect(diff([], [])).toEqual([]);
});

test('both texts can be read from any difference, and nothing equal is called changed more than needed', () => {
  const parts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 25 });
  fc.assert(
    fc.property(parts, parts, (before, after) => {
      const runs = diff(before, after);
      expect(oldOf(runs)).toEqual(before);
      expect(newOf(runs)).toEqual(after);
      const same = runs.filter(({ kind }) => kind === 'same').flatMap(({ parts: kept }) => kept).length;
      expect(same).toBe(longestCommon(before, after));
    }),
    { numRuns: 400 },
  );
});

test('texts with nothing in common are replaced as a whole, however long', () => {
  const before = Array.from({ length: 20_000 }, (_, at) => `old ${at}`);
  const after = Array.from({ length: 20_000 }, (_, at) => `new ${at}`);
  expect(diff(before, after).map(({ kind, parts }) => [kind, parts.length])).toEqual([
    ['removed', 20_000],
    ['added', 20_000],
  ]);
});

test('lines and words join to the text they were cut from', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', 'ש', '7', '_', '.', ' ', '\n', '\r', '👩🏽', '\ud83d') }),
      (text) => {
        expect(linesOf(text).join('')).toBe(text);
        expect(wordsOf(text).join('')).toBe(text);
      },
    ),
  );
  expect(linesOf('a\n\nb')).toEqual(['a\n', '\n', 'b']);
  expect(wordsOf('Zürich, 12!')).toEqual(['Zürich', ',', ' ', '12', '!']);
});

function longestCommon(a: string[], b: string[]): number {
  const lengths = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1) {
      const row = lengths[i];
      if (row) row[j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
    }
  return at(a.length, b.length);
}

test('texts that have little in common are not mixed word by word', () => {
  expect(diffWords('We ship on Monday.', 'We ship on Tuesday.')).toEqual([
    { kind: 'same', parts: ['We', ' ', 'ship', ' ', 'on', ' '] },
    { kind: 'removed', parts: ['Monday'] },
    { kind: 'added', parts: ['Tuesday'] },
    { kind: 'same', parts: ['.'] },
  ]);
  expect(diffWords('theirs entirely', 'Deploying on Fridays is forbidden.')).toBeUndefined();
});

test('where nearly all is other, what both begin and end with still stays', () => {
  const middle = (word: string) => Array.from({ length: 1_000 }, (_, at) => `${word} ${at}`);
  const runs = diff(['a', ...middle('old'), 'z'], ['a', ...middle('new'), 'z']);
  expect(runs.map(({ kind, parts }) => [kind, parts.length])).toEqual([
    ['same', 1],
    ['removed', 1_000],
    ['added', 1_000],
    ['same', 1],
  ]);
});
