import { beforeAll, expect, it } from 'vitest';
import { type FindDates, loadFindDates } from './dates.ts';
import { datesAhead, namedDays } from './days-ahead.ts';

/** A Tuesday. */
const written = Date.parse('2026-11-10T12:00:00Z');
const iso = (on: number, grain: string) => new Date(on).toISOString().slice(0, grain === 'month' ? 7 : 10);
let findDates: FindDates;
beforeAll(async () => {
  findDates = await loadFindDates();
});

it.each([
  ['on 3 December', '2026-12-03'],
  ['on 3 December 2027', '2027-12-03'],
  ['due 2026-12-19', '2026-12-19'],
  ['by Dec 19, 2026', '2026-12-19'],
  ['in February 2027', '2027-02'],
  ['valid thru 01/27', '2027-01'],
  ['a week on Tuesday', '2026-11-24'],
  ['next Friday', '2026-11-20'],
  ['on Friday', '2026-11-13'],
  ['in two weeks', '2026-11-24'],
  ['in a fortnight', '2026-11-24'],
  ['sixty days from today', '2027-01-09'],
  ['by the end of the month', '2026-11-30'],
  ['at the end of next month', '2026-12-31'],
  ['on the last day of the year', '2026-12-31'],
  ['on the second Tuesday of December', '2026-12-08'],
  ['by the 28th', '2026-11-28'],
  ['by the third', '2026-12-03'],
  ['tomorrow', '2026-11-11'],
  ['until 04/12/2026', '2026-12-04'],
  ['bis 15. Dezember', '2026-12-15'],
  ['am 7.12. um neun', '2026-12-07'],
  ['heute in drei Wochen', '2026-12-01'],
  ['Ende des Monats', '2026-11-30'],
  ['avant le 8 janvier 2027', '2027-01-08'],
  ['lundi prochain', '2026-11-16'],
  ['el 3 de diciembre', '2026-12-03'],
  ["on New Year's Eve", '2026-12-31'],
])('%s is %s', (text, day) => {
  expect(datesAhead(text, written, findDates).map(({ on, grain }) => iso(on, grain))).toEqual([day]);
});

it.each(['on 31 June', '12 people', 'every Tuesday', '8,940 euro in all', 'version 3.12', 'may I?'])(
  '%s is no day',
  (text) => {
    expect(namedDays(text, written, findDates)).toEqual([]);
  },
);

it('knows days of the past, which lie not ahead', () => {
  const [born] = namedDays('born on 3 December 1948', written, findDates);
  expect(iso(born?.on ?? 0, 'day')).toBe('1948-12-03');
  expect(datesAhead('born on 3 December 1948', written, findDates)).toEqual([]);
});
