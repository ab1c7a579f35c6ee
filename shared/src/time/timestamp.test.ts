import { expect, it } from 'vitest';
import { msOfTimestamp } from '@reverie/shared/time/timestamp';

it.each<[unknown, string]>([
  [0, '1970-01-01T00:00:00.000Z'],
  // Seconds, and what is as long before 1970.
  [1_700_000_000, '2023-11-14T22:13:20.000Z'],
  [1_700_000_000.5, '2023-11-14T22:13:20.500Z'],
  [-1_000_000_000, '1938-04-24T22:13:20.000Z'],
  // Milliseconds.
  [1_700_000_000_123, '2023-11-14T22:13:20.123Z'],
  [1_700_000_000_123.9, '2023-11-14T22:13:20.123Z'],
  [-1e12, '1938-04-24T22:13:20.000Z'],
  // Where the one ends and the other begins.
  [99_999_999_999, '5138-11-16T09:46:39.000Z'],
  [1e11, '1973-03-03T09:46:40.000Z'],
  // Texts.
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2024-02-29T12:00:00+02:00', '2024-02-29T10:00:00.000Z'],
  ['1938-04-24T22:13:20Z', '1938-04-24T22:13:20.000Z'],
])('reads %o as %s', (given, date) => {
  expect(msOfTimestamp(given)).toBe(Date.parse(date));
});

it.each([NaN, Infinity, 8.65e15, -8.65e15, '', 'yesterday', '1700000000', null, undefined, true, [0], {}])(
  'finds no time in %o',
  (given) => expect(msOfTimestamp(given)).toBeUndefined(),
);
