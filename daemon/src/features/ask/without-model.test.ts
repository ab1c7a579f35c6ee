import { describe, expect, it } from 'vitest';
import { noAnswer, quotedAnswer } from './answer.ts';
import { frameOf } from './frames.ts';
import { candidate, lookOf, scope } from './testing/asking.ts';
import { closestPassages } from './without-model.ts';

const GYM = 'How much does the gym cost?';
type Note = readonly [key: string, value: string, day: string, score?: number];

/** The passages for a question of which memories have these words. */
function closest(
  notes: readonly Note[],
  {
    question = GYM,
    limit = 6,
    unknown = [] as string[],
    all = ['gym', 'cost'],
    asOf = undefined as number | undefined,
  } = {},
) {
  const ranked = notes.map(
    ([key, value, day, score = 0.9 - notes.findIndex(([one]) => one === key) / 100], at) =>
      candidate({ id: at + 1, key, value, created_at: `${day}T10:00:00.000Z` }, { question, score }),
  );
  const look = { ...lookOf(ranked, [question]), scope: { ...scope, asOf } };
  const { quotes, cited, ...rest } = closestPassages(look, {
    words: { all, unknown },
    isThere: () => true,
    limit,
  });
  return {
    ...rest,
    answer: quotedAnswer(frameOf('en'), quotes).split('\n').slice(1),
    cited: cited.map(({ memory }) => memory.key),
  };
}

describe('the closest passages', () => {
  it('are those of one subject with the newest first, each with its day', () => {
    expect(
      closest([
        ['march', 'The gym costs 29 euro a month.', '2026-03-01'],
        ['pool', 'The pool is closed.', '2026-10-01'],
        ['august', 'The gym raised its price, it costs 34 euro now.', '2026-08-12'],
      ]),
    ).toEqual({
      certainty: 'unsure',
      missing: [],
      cited: ['august', 'march', 'pool'],
      answer: [
        '"The gym raised its price, it costs 34 euro now." — august, stored 12 August 2026',
        '"The gym costs 29 euro a month." — march, stored 1 March 2026',
        '"The pool is closed." — pool, stored 1 October 2026',
      ],
    });
  });

  it('tell until when the same had another figure: to the day of the next', () => {
    const rows: Note[] = [
      ['march', 'The gym costs 29 euro.', '2026-03-01'],
      ['october', 'The gym costs 38 euro.', '2026-10-05'],
      ['august', 'The gym costs 34 euro.', '2026-08-12'],
    ];
    expect(closest(rows).answer).toEqual([
      '"The gym costs 38 euro." — october, stored 5 October 2026',
      'Until 5 October 2026: "The gym costs 34 euro." — august, stored 12 August 2026',
      'Until 12 August 2026: "The gym costs 29 euro." — march, stored 1 March 2026',
    ]);
    // Where the question has the old figure, the old note is the best: it is still the one that was so before.
    const asked = closest(rows.slice(0, 2), { question: 'Since when does the gym cost 1029 euro?' });
    expect(asked.answer.filter((line) => line.startsWith('Until'))).toEqual([
      expect.stringContaining('Until 5 October 2026: "The gym costs 29') as string,
    ]);
  });

  it('never tell of a newer note that it was so until an older one', () => {
    const { answer } = closest(
      [
        ['march', 'The gym of 2019 costs 2900 cent.', '2026-03-01'],
        ['august', 'The gym of 2019 costs 3400 cent.', '2026-08-12'],
      ],
      { question: 'Did the gym of 2019 cost 2900 cent?' },
    );
    expect(answer).toEqual([
      'Until 12 August 2026: "The gym of 2019 costs 2900 cent." — march, stored 1 March 2026',
      '"The gym of 2019 costs 3400 cent." — august, stored 12 August 2026',
    ]);
  });

  it('are three at most, fewer with a limit, and nothing much less likely; what is left is cited behind', () => {
    const notes = Array.from({ length: 6 }, (_, at): Note => [
      `n-${at}`,
      `Gym ${'x'.repeat(at + 4)}.`,
      '2026-03-01',
    ]);
    expect(closest(notes).answer).toHaveLength(3);
    expect(closest(notes, { limit: 2 })).toMatchObject({ answer: { length: 2 }, cited: { length: 2 } });
    const far = closest([
      ['near', 'The gym costs 29 euro.', '2026-03-01', 0.9],
      ['far', 'The gym.', '2026-08-12', 0.3],
    ]);
    expect(far).toMatchObject({ answer: { length: 1 }, cited: ['near', 'far'] });
  });

  it('are none only where no memory has a word of the question, or nothing was found', () => {
    const weak: Note[] = [['march', 'Something else.', '2026-03-01', 0.01]];
    const unknown = ['gym', 'cost'];
    expect(closest(weak, { unknown })).toMatchObject({ certainty: 'none', missing: unknown, cited: [] });
    expect(closest(weak, { unknown: ['gym'] })).toMatchObject({ certainty: 'unsure' });
    expect(closest([['march', 'Sport.', '2026-03-01', 0.9]], { unknown })).toMatchObject({
      certainty: 'unsure',
    });
    // What the index knows is the present: a word may have been there.
    const asOf = Date.parse('2026-05-01');
    expect(closest(weak, { unknown, asOf })).toMatchObject({ certainty: 'none' });
    const gone: Note[] = [['march', 'The cost is open.', '2026-03-01', 0.01]];
    expect(closest(gone, { unknown, asOf })).toMatchObject({ certainty: 'unsure' });
    expect(closest([])).toMatchObject({ certainty: 'none', missing: [] });
  });

  it('name what no memory has as it was asked, at most three, and no pieces of words', () => {
    const question = 'Wann blüht die große Linde in Łódź? 점심';
    const unknown = ['bluht', 'grosse', 'linde', 'lodz', '점'];
    expect(closest([], { question, all: unknown, unknown }).missing).toHaveLength(3);
    expect(closest([], { question, all: ['점'], unknown: ['점'] }).missing).toEqual([]);
    const none = { missing: ['Mongolia'], asOf: undefined };
    expect(noAnswer(frameOf('en'), { ...none, namespace: '*' })).toBe(
      'Nothing in memory answers this. No memory mentions “Mongolia”.',
    );
    expect(noAnswer(frameOf('en'), { ...none, namespace: 'work' })).toBe(
      'Nothing in memory in the namespace “work” answers this. No memory there mentions “Mongolia”.',
    );
    expect(noAnswer(frameOf('fr'), { ...none, namespace: 'work' })).toBe(
      'Aucune note dans l’espace « work » ne répond à cela. Aucune note n’y mentionne “Mongolia”.',
    );
  });
});

it('a quote has the day that its memory tells; that of storing only beside others', () => {
  const told = (metadata: Record<string, unknown>, times: number) => {
    const { memory } = candidate({ key: 'passport', value: 'x', metadata });
    return quotedAnswer(
      frameOf('de'),
      Array.from({ length: times }, () => ({ memory, text: 'x' })),
    ).split('\n');
  };
  expect(told({}, 1)).toEqual(['Nicht sicher. Am nächsten kommt:', '"x" — passport']);
  expect(told({}, 2)[1]).toBe('"x" — passport, gespeichert am 1. Mai 2026');
  expect(told({ timestamp: '2026-02-02T10:00:00Z' }, 1)[1]).toBe('"x" — passport, 2. Februar 2026');
});
