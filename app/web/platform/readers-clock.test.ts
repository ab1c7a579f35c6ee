import { afterEach, expect, test } from 'vitest';
import { dayOf, shortTime } from './days.ts';
import { formatExact } from './format.ts';
import { dates } from './locale.ts';
import { clockOf, midnightOf, readersDay, readersHour } from './readers-clock.ts';

afterEach(() => dates.set({ region: null, time_zone: null }));
const live = (time_zone: string | null) => dates.set({ region: null, time_zone });
const at = (iso: string) => Date.parse(iso);

test('without a choice the clock is that of this machine', () => {
  const now = new Date(2026, 6, 3, 14, 5);
  expect(clockOf(now.getTime())).toBe(Date.UTC(2026, 6, 3, 14, 5));
  expect(midnightOf(readersDay(now.getTime()))).toEqual(new Date(2026, 6, 3));
});

test.each([
  { zone: 'America/Los_Angeles', exact: '28 Nov 2026, 23:30:00', midnight: '2026-11-28T08:00:00.000Z' },
  { zone: 'Asia/Kolkata', exact: '29 Nov 2026, 13:00:00', midnight: '2026-11-28T18:30:00.000Z' },
  { zone: 'Pacific/Kiritimati', exact: '29 Nov 2026, 21:30:00', midnight: '2026-11-28T10:00:00.000Z' },
])('in $zone half past seven in UTC is $exact', ({ zone, exact, midnight }) => {
  live(zone);
  const now = at('2026-11-29T07:30:00Z');
  expect(formatExact('2026-11-29T07:30:00Z')).toBe(exact);
  expect(readersHour(now)).toBe(Number(exact.slice(13, 15)));
  expect(midnightOf(readersDay(now)).toISOString()).toBe(midnight);
});

test('what is today and yesterday goes by the chosen zone', () => {
  const now = at('2026-11-29T07:30:00Z');
  const written = '2026-11-28T20:00:00Z';
  live('America/Los_Angeles');
  expect([dayOf(written, now), shortTime(written, now)]).toEqual(['Today', '12:00']);
  live('Asia/Kolkata');
  expect([dayOf(written, now), shortTime(written, now)]).toEqual(['Today', '01:30']);
  live('UTC');
  expect([dayOf(written, now), shortTime(written, now)]).toEqual(['Yesterday', 'Sat']);
});

test('a day in which the clocks change begins at its midnight', () => {
  live('America/Los_Angeles');
  for (const iso of ['2026-03-08T20:00:00Z', '2026-11-01T20:00:00Z', '2026-03-09T20:00:00Z']) {
    const midnight = midnightOf(readersDay(at(iso))).getTime();
    expect(clockOf(midnight) % 86_400_000).toBe(0);
    expect(at(iso) - midnight).toBeLessThan(86_400_000);
  }
});
