import { expect, test } from 'vitest';
import { secondKey } from './shortcuts.ts';

test('the second of two keys is one only soon after the first', () => {
  const armed = secondKey('g', undefined, { key: 'g', timeStamp: 100 });
  expect(armed).toEqual({ since: 100, isSecond: false });
  expect(secondKey('g', armed.since, { key: 'o', timeStamp: 900 })).toEqual({
    since: undefined,
    isSecond: true,
  });
  expect(secondKey('g', armed.since, { key: 'o', timeStamp: 9_000 })).toEqual({
    since: undefined,
    isSecond: false,
  });
});

test('a key alone is left to the views, and a late `g` is a first one again', () => {
  expect(secondKey('g', undefined, { key: 'a', timeStamp: 1 }).isSecond).toBe(false);
  expect(secondKey('g', 0, { key: 'g', timeStamp: 5_000 })).toEqual({ since: 5_000, isSecond: false });
});
