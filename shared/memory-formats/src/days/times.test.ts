import { expect, onTestFinished, test, vi } from 'vitest';
import { timeOf, timesIn } from './times.ts';

test.each([
  ['2024-01-15T10:00:00Z', '2024-01-15T10:00:00.000Z'],
  ['2024-01-15T10:00:00.123456+02:00', '2024-01-15T08:00:00.123Z'],
  ['2024-01-15 10:00:00 -0730', '2024-01-15T17:30:00.000Z'],
  ['2024-01-15 10:00', '2024-01-15T10:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2024-01-15T23:59:60Z', '2024-01-16T00:00:00.000Z'],
  ['0099-01-01', '0099-01-01T00:00:00.000Z'],
  [1_700_000_000, '2023-11-14T22:13:20.000Z'],
  [1_700_000_000.5, '2023-11-14T22:13:20.500Z'],
  [1_700_000_000_123, '2023-11-14T22:13:20.123Z'],
  ['1700000000', '2023-11-14T22:13:20.000Z'],
])('%s is %s', (given, expected) => {
  expect(timeOf(given, 'utc')).toBe(expected);
});

test.each([
  'yesterday',
  '',
  '2024-02-30',
  '2023-02-29',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '2024-01-32',
  '2024-01-15T23:59:61',
  '2024-01-15T23:60',
  '2024-01-15T25:00',
  '15.01.2024',
  null,
  true,
  {},
  NaN,
  Infinity,
  1e18,
])('%s is no time', (given) => {
  expect(timeOf(given, 'utc')).toBeUndefined();
});

test('without a zone is the clock of the person, or UTC for programs', () => {
  expect(timeOf('2024-07-15 10:00', 'local')).toBe(new Date(2024, 6, 15, 10).toISOString());
});

test.each(['America/Los_Angeles', 'Pacific/Kiritimati'])(
  'a date without a time is the same day in %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(timeOf('2024-07-15', 'local')).toBe('2024-07-15T00:00:00.000Z');
    expect(timeOf('2024-07-15', 'utc')).toBe('2024-07-15T00:00:00.000Z');
  },
);

test('is taken from the first name that holds one', () => {
  expect(timesIn({ created_at: 'soon', date: '2024-01-01', lastmod: '2024-02-01' }, 'utc')).toEqual({
    created: '2024-01-01T00:00:00.000Z',
    updated: '2024-02-01T00:00:00.000Z',
  });
});
