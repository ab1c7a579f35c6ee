import { describe, expect, it } from 'vitest';
import { endOf, isDay } from './queries.ts';
import type { Citation } from '@reverie/shared/contract/search/ask';
import { isSaid, quotedIn, standsIn, wordsOf } from './quote.ts';

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

const citation = (key: string, value: string, of: Partial<Citation> = {}): Citation => ({
  key,
  title: value.split('\n')[0]?.replace(/^#+ /u, '') ?? '',
  value,
  score: 0.9,
  namespace: 'home',
  metadata: {},
  created_at: '2026-03-01T00:00:00.000Z',
  updated_at: '2026-03-01T00:00:00.000Z',
  quote: value,
  passage: { text: value, start: 0, end: value.length, marks: [] },
  ...of,
});

describe('an answer without a model', () => {
  it('quotes some of its citations in an order of its own, with what it says in front of them', () => {
    const [now, before, other] = [
      citation('gym', 'It costs 34 euro.\nUntil May: less.'),
      citation('gym-old', 'It costs 29 euro.'),
      citation('pool', 'It costs 4 euro.'),
    ];
    const answer = [
      'Not sure. The closest in memory:',
      '"It costs 34 euro.\nUntil May: less." — gym, stored 12 August 2026',
      'Until 12 August 2026: "It costs 29 euro." — gym-old, stored 1 March 2026',
    ].join('\n');
    expect(quotedIn(answer, [before, other, now])).toEqual({
      quoted: [
        { citation: now, before: '' },
        { citation: before, before: 'Until 12 August 2026' },
      ],
      rest: [other],
    });
  });
});

describe('the words that are quoted', () => {
  it('are without the title above them, and their marks move along', () => {
    const value = '# Deploy\n\nOn **Thursdays**, never on Fridays.';
    const at = value.indexOf('Thursdays');
    const marks: [number, number][] = [
      [2, 8],
      [at, at + 9],
    ];
    const passage = { text: value, start: 0, end: value.length, marks };
    const words = wordsOf(citation('deploy', value, { passage }));
    expect(words.text).toBe('On **Thursdays**, never on Fridays.');
    expect(words.marks.map(([from, to]) => words.text.slice(from, to))).toEqual(['Thursdays']);
  });

  it('are all of a sentence, and the quote itself where that does not stand in the memory', () => {
    const value = 'It is let. Ask Mira.';
    const passage = { text: 'Ask Mira.', start: 11, end: 20, marks: [] };
    expect(wordsOf(citation('flat', value, { quote: 'Ask Mira.', passage })).text).toBe(value);
    expect(wordsOf(citation('row', '| a | b |', { quote: 'a: b' })).text).toBe('a: b');
  });

  it('are known from the answer where that says them', () => {
    const words = { text: 'It is **let**.', marks: [] };
    expect(isSaid('It is let [1]. It costs 900 [2].', words)).toBe(true);
    expect(isSaid('It costs 900 [1].', words)).toBe(false);
  });
});
