import { describe, expect, test } from 'vitest';
import { daysUntil, isSoon, nearness, partOf } from './due.ts';

describe('how near a day is', () => {
  test('days are those of the reader’s calendar, however late it is', () => {
    const late = new Date(2026, 10, 23, 23, 59).getTime();
    expect(daysUntil('2026-11-23', late)).toBe(0);
    expect(daysUntil('2026-11-24', late)).toBe(1);
    expect(daysUntil('2026-11-22', new Date(2026, 10, 23, 0, 1).getTime())).toBe(-1);
  });

  test.each([
    [-3, '3 days ago', 'now'],
    [0, 'Today', 'now'],
    [1, 'Tomorrow', 'now'],
    [2, 'In 2 days', 'now'],
    [10, 'In 10 days', 'soon'],
    [21, 'In 3 weeks', 'later'],
    [90, 'In 3 months', 'later'],
  ])('%i days: %s', (days, said, press) => {
    expect(nearness(days)).toEqual({ said, press });
  });

  test('what has passed is not due this week', () => {
    expect([-1, 0, 7, 8].map(isSoon)).toEqual([false, true, true, false]);
  });

  test('a calendar has four parts', () => {
    expect([-1, 0, 7, 8, 31, 32].map(partOf)).toEqual([
      ...['Overdue', 'Within a week', 'Within a week'],
      ...['Within a month', 'Within a month', 'After that'],
    ]);
  });
});
