import { describe, expect, it } from 'vitest';
import { endOf, isDay } from './queries.ts';
import { partsOf, standsIn } from './quote.ts';

describe('a quote in its memory', () => {
  it('stands there whatever white space is between its words', () => {
    expect(standsIn('Hello.\n> The code\n> is (4711). Bye.', 'The code is (4711).')).toBe(true);
  });

  it('does not stand there in one piece where it is a row with its head', () => {
    expect(standsIn('| Env | Day |\n| - | - |\n| prod | Friday |', 'Env: prod · Day: Friday')).toBe(false);
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
  });

  it('are without the line that says that it is not sure: the page says it above', () => {
    expect(partsOf('Not sure. The closest in memory:\n"It is let." — flat')).toEqual([
      { text: '"It is let." — flat', isOlder: false },
    ]);
  });
});
