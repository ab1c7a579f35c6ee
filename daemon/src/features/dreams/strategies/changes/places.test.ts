import { describe, expect, it } from 'vitest';
import { hasPassed } from './places.ts';

const dayOf = (iso: string): number => Date.parse(iso) / 86_400_000;

describe('whether a date had passed', () => {
  it.each([
    // An appointment in March is over when one in September is made.
    [['03-03', '09-08'], ['2026-02-10', '2026-05-10'], true],
    // The same day of the year, told twice.
    [['05-12', '05-21'], ['2026-02-10', '2026-05-15'], false],
    // Not yet over when the newer one is written.
    [['06-18', '09-25'], ['2026-04-20', '2026-05-22'], false],
    [['03-03-2025', '09-08'], ['2026-02-10', '2026-05-10'], true],
  ] as const)('%s, written on %s', (dates, [then, now], passed) => {
    expect(hasPassed(dates, [dayOf(then), dayOf(now)])).toBe(passed);
  });
});
