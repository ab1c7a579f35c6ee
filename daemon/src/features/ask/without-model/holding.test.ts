import { describe, expect, it } from 'vitest';
import { answering, asking } from '../testing/asking.ts';
import { holdingOf } from './holding.ts';

interface Said {
  readonly value: string;
  readonly on: string;
}

/** What holds of some notes, the first of which fits best. */
function holding(text: string, notes: readonly Said[], scores: readonly number[] = []) {
  const question = asking(text);
  const ranked = notes.map(({ value, on }, at) => ({
    ...answering({ id: at + 1, key: `note-${at}`, value, metadata: { date: on } }, question, 0.9),
    score: scores[at] ?? 0.9 - 0.1 * at,
  }));
  const { now, isOpen } = holdingOf(question, ranked);
  return { now: now?.memory.value, isOpen };
}

const RENT = 'How much is the rent of the flat?';
const OLD = { value: 'The rent of the flat is 740 euro.', on: '2026-01-10' };

describe('what holds now', () => {
  it('is the newer of two values', () => {
    const newer = { value: 'The rent of the flat is 790 euro.', on: '2026-07-01' };
    expect(holding(RENT, [OLD, newer])).toEqual({ now: newer.value, isOpen: true });
  });

  it('is the newer one in other words where they tell a change, though it fits far less', () => {
    const newer = { value: 'The landlady raised our rent to 790 euro.', on: '2026-07-01' };
    expect(holding(RENT, [OLD, newer], [0.9, 0.05]).now).toBe(newer.value);
    const silent = { value: 'The landlady wants our rent, 790 euro.', on: '2026-07-01' };
    expect(holding(RENT, [OLD, silent], [0.9, 0.05])).toEqual({ now: undefined, isOpen: true });
  });

  it('is the newest of several', () => {
    const notes = [
      OLD,
      { value: 'The rent of the flat is 790 euro.', on: '2026-07-01' },
      { value: 'The rent of the flat is 820 euro.', on: '2026-10-01' },
    ];
    expect(holding(RENT, notes).now).toBe('The rent of the flat is 820 euro.');
  });

  it.each([
    [
      'it says the same value again',
      RENT,
      { value: 'The rent of the flat is 740 euro now.', on: '2026-07-01' },
    ],
    ['it is a few days newer', RENT, { value: 'The rent of the flat is 790 euro.', on: '2026-01-14' }],
    ['it is older', RENT, { value: 'The rent of the flat is 690 euro.', on: '2025-01-14' }],
    ['it has no such value', RENT, { value: 'The rent of the flat went up, says Ida.', on: '2026-07-01' }],
    ['it is of another matter', RENT, { value: 'New shoes for Jonas were 54 euro.', on: '2026-07-01' }],
    [
      'the question is about what was',
      'How much was the rent of the flat before?',
      { value: 'The rent of the flat is 790 euro.', on: '2026-07-01' },
    ],
    [
      'the question names a year',
      'How much was the rent of the flat in 2026?',
      { value: 'The rent of the flat is 790 euro.', on: '2026-07-01' },
    ],
    [
      'la question demande ce qui était avant',
      'Quel était le loyer (rent of the flat) avant ?',
      { value: 'The rent of the flat is 790 euro.', on: '2026-07-01' },
    ],
  ])('is not a note where %s', (_, question, other) => {
    expect(holding(question, [OLD, other])).toEqual({ now: undefined, isOpen: false });
  });

  it('is not looked for where the best candidate is hardly about it', () => {
    const newer = { value: 'The rent of the flat is 790 euro.', on: '2026-07-01' };
    expect(holding(RENT, [OLD, newer], [0.2, 0.1])).toEqual({ now: undefined, isOpen: false });
  });

  it('names whom the best one names', () => {
    const notes = [
      { value: 'Lea takes shoe size 36.', on: '2026-01-14' },
      { value: 'Jonas takes shoe size 33.', on: '2026-10-04' },
    ];
    expect(holding('What is the shoe size of Lea?', notes).now).toBeUndefined();
  });
});

describe('a change that the same note tells', () => {
  const laterIn = (value: string) =>
    answering({ key: 'note', value }, asking(RENT), 0.9).evidence.later?.text;

  it.each([
    [
      'in its paragraph',
      'The rent of the flat is 740 euro. Raised to 790 euro in August.',
      'Raised to 790 euro in August.',
    ],
    [
      'below it',
      'The rent of the flat is 740 euro.\n\nUpdate: the rent is 790 euro.',
      'Update: the rent is 790 euro.',
    ],
    [
      'more than once, the last time',
      'The rent of the flat is 740 euro. Raised to 790 euro. Lowered to 700 euro.',
      'Lowered to 700 euro.',
    ],
  ])('is found behind what it changes, %s', (_, value, later) => {
    expect(laterIn(value)).toBe(later);
  });

  it.each([
    ['tells no change', 'The rent of the flat is 740 euro. The garage is 50 euro.'],
    ['has no such value', 'The rent of the flat is 740 euro. It was updated by Ida.'],
    ['is of something else', 'The rent of the flat is 740 euro.\n\nThe new sofa cost 250 euro.'],
    ['stands before it', 'It was raised to 50 euro.\n\nThe rent of the flat is 740 euro.'],
  ])('is none where what follows %s', (_, value) => {
    expect(laterIn(value)).toBeUndefined();
  });
});
