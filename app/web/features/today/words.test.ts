import { describe, expect, test } from 'vitest';
import { daysUntil, greeting, inWords, isSoon, nearness, waiting } from './words.ts';

describe('the words of today', () => {
  test.each([
    [0, 'Good night.'],
    [5, 'Good morning.'],
    [12, 'Good afternoon.'],
    [18, 'Good evening.'],
  ])('at %i o’clock: %s', (hour, said) => {
    expect(greeting(hour)).toBe(said);
  });

  test('what waits is told in words, and that nothing does', () => {
    expect(waiting(undefined)).toBeUndefined();
    expect(waiting({ toDecide: 0, dueSoon: 0 })).toBe('Nothing waits.');
    expect(waiting({ toDecide: 9, dueSoon: 1 })).toBe('Nine things to decide, one is due this week.');
    expect(waiting({ toDecide: 1, dueSoon: 0 })).toBe('One thing to decide.');
    expect(waiting({ toDecide: 0, dueSoon: 2 })).toBe('Two are due this week.');
    expect(inWords(13)).toBe('13');
  });

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
});
