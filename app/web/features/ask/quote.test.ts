import { describe, expect, it } from 'vitest';
import { endOf, isDay } from './queries.ts';
import { partsOf, quoted } from './quote.ts';

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

  it('stands where its words stand, whatever white space is between them, with the line breaks of the memory', () => {
    expect(quoted('Hello.\n> The code\n> is (4711). Bye.', 'The code is (4711).')).toEqual({
      before: 'Hello.\n> ',
      quote: 'The code\n> is (4711).',
      after: ' Bye.',
    });
  });

  it('is shown by itself where it stands there in no one piece: a row with its head', () => {
    expect(quoted('| Env | Day |\n| - | - |\n| prod | Friday |', 'Env: prod · Day: Friday')).toEqual({
      before: '',
      quote: 'Env: prod · Day: Friday',
      after: '',
    });
  });

  it('shows the beginning where there is none', () => {
    expect(quoted('short', '')).toEqual({ before: 'short', quote: '', after: '' });
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

describe('the parts of an answer', () => {
  it('are what holds now and what held before', () => {
    const now = '"It costs 34 euro.\nUntil May: less." — gym, stored 12 August 2026';
    const before = 'Until 12 August 2026: "It costs 29 euro." — gym-old, stored 1 March 2026';
    expect(partsOf(`${now}\n${before}`)).toEqual([
      { text: now, isOlder: false },
      { text: before, isOlder: true },
    ]);
    expect(partsOf('"We use Lexical." — a\nBefore that: "We use ProseMirror." — a')).toHaveLength(2);
  });

  it('are without the line that says that it is not sure: the page says it above', () => {
    expect(partsOf('Not sure. The closest in memory:\n"It is let." — flat')).toEqual([
      { text: '"It is let." — flat', isOlder: false },
    ]);
  });
});
