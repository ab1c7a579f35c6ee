import { expect, test } from 'vitest';
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
