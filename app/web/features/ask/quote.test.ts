import { describe, expect, it } from 'vitest';
import { endOf, isDay } from './queries.ts';
import { quoted } from './quote.ts';

describe('a quote in its memory', () => {
  it('stands between what is before and after it', () => {
    expect(quoted('Hello. The code is 4711. Bye.', 'The code is 4711.')).toEqual({
      before: 'Hello. ',
      quote: 'The code is 4711.',
      after: ' Bye.',
    });
  });

  it('leaves out what is far away, at blanks', () => {
    const { before, after } = quoted(`${'word '.repeat(200)}HERE${' word'.repeat(200)}`, 'HERE');
    expect(before.length).toBeLessThan(300);
    expect(before.startsWith('… word')).toBe(true);
    expect(after.length).toBeLessThan(300);
    expect(after.endsWith('word…')).toBe(true);
  });

  it('shows the beginning where there is none', () => {
    expect(quoted('short', 'absent')).toEqual({ before: 'short', quote: '', after: '' });
    expect(quoted('x'.repeat(1_000), '').before).toHaveLength(561);
  });
});

describe('the day of an answer', () => {
  it('ends where the reader is', () => {
    expect(new Date(endOf('2026-05-01')).getHours()).toBe(23);
    expect(isDay('2026-05-01')).toBe(true);
    expect(isDay('soon')).toBe(false);
  });
});
