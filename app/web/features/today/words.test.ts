import { describe, expect, test } from 'vitest';
import { greeting, inWords, waiting } from './words.ts';

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
    const of = (parts: object) => waiting({ shown: 0, waiting: 0, isDone: false, dueSoon: 0, ...parts });
    expect(of({})).toBe('Nothing waits.');
    expect(of({ shown: 7, waiting: 7, dueSoon: 1 })).toBe(
      'Seven things to decide, one is due within a week.',
    );
    expect(of({ shown: 1, waiting: 1 })).toBe('One thing to decide.');
    expect(of({ dueSoon: 2 })).toBe('Two are due within a week.');
  });

  test('a long queue has its number, and what is done is done', () => {
    const of = (parts: object) => waiting({ shown: 0, waiting: 147, isDone: false, dueSoon: 0, ...parts });
    expect(of({ shown: 7 })).toBe('147 things to decide.');
    expect(of({ isDone: true })).toBe('Done for today.');
    expect(of({ isDone: true, dueSoon: 1 })).toBe('Done for today, one is due within a week.');
    expect(inWords(13)).toBe('13');
  });
});
