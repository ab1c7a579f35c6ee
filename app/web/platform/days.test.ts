import { afterEach, describe, expect, test, vi } from 'vitest';
import { dayOf, shortTime } from './days.ts';

// A Thursday; without a zone the text is of the reader's own, as the headings are.
const now = new Date('2026-11-19T15:00:00').getTime();
const at = (local: string) => new Date(local).toISOString();

test.each([
  ['2026-11-19T00:00:01', 'Today', '00:00', '00:00'],
  ['2026-11-20T09:00:00', 'Today', '09:00', '09:00'],
  ['2026-11-18T23:59:59', 'Yesterday', 'Wed', '23:59'],
  ['2026-11-16T08:30:00', 'Monday', 'Mon', '08:30'],
  ['2026-11-15T12:00:00', 'Last week', 'Sun', 'Sun'],
  ['2026-11-09T12:00:00', 'Last week', '9 Nov', 'Mon'],
  ['2026-11-08T12:00:00', 'November', '8 Nov', '8 Nov'],
  ['2026-03-29T02:30:00', 'March', '29 Mar', '29 Mar'],
  ['2025-11-19T15:00:00', 'November 2025', '2025', '19 Nov'],
])('%s is under %s, and %s by itself', (local, ...said) => {
  expect([dayOf(at(local), now), shortTime(at(local), now), shortTime(at(local), now, true)]).toEqual(said);
});

test('on a Monday yesterday is yesterday, and the days before it are last week', () => {
  const monday = new Date('2026-11-16T10:00:00').getTime();
  expect(dayOf(at('2026-11-15T10:00:00'), monday)).toBe('Yesterday');
  expect(dayOf(at('2026-11-14T10:00:00'), monday)).toBe('Last week');
});

describe.each(['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati'])('in %s', (zone) => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  test('a day without a time is that day, wherever it is shown', async () => {
    vi.stubEnv('TZ', zone);
    vi.resetModules();
    const [{ dayOf, shortTime }, format] = await Promise.all([import('./days.ts'), import('./format.ts')]);
    const day = '2026-11-04T00:00:00.000Z';
    const noonOf = (local: string) => new Date(`${local}T12:00:00`).getTime();
    expect([format.formatDate(day), format.formatDate('2026-11-04'), format.formatWritten(day)]).toEqual([
      ...['4 November 2026', '4 November 2026', '4 Nov 2026'],
    ]);
    const told = (now: number) => [
      dayOf(day, now),
      shortTime(day, now),
      shortTime(day, now, true),
      format.relativeWritten(day, now),
    ];
    expect(told(noonOf('2026-11-04'))).toEqual(['Today', '4 Nov', '4 Nov', 'today']);
    expect(told(noonOf('2026-11-05'))).toEqual(['Yesterday', 'Wed', '4 Nov', 'yesterday']);
    expect(told(noonOf('2026-12-08'))).toEqual(['November', '4 Nov', '4 Nov', 'last month']);
    // The first of a month is of that month, and so is the first of a year.
    expect(dayOf('2026-01-01T00:00:00.000Z', noonOf('2026-11-04'))).toBe('January');
    const timed = new Date('2026-11-04T09:30:00').toISOString();
    expect(shortTime(timed, noonOf('2026-11-04'))).toBe('09:30');
    expect(format.formatWritten(timed)).toBe('4 Nov 2026, 09:30:00');
  });
});
