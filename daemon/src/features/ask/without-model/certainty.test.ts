import { describe, expect, it } from 'vitest';
import { answering, asking } from '../testing/asking.ts';
import { judge, signsOf } from './certainty.ts';

function judged(text: string, ...notes: readonly (readonly [string, number])[]) {
  const question = asking(text);
  const ranked = notes
    .map(([value, base], at) => answering({ id: at + 1, key: `note-${at}`, value }, question, base))
    .sort((a, b) => b.score - a.score);
  return judge(question, ranked);
}

const FISH = ['Lena does not eat fish.', 0.2] as const;

describe('how sure an answer is', () => {
  it.each([
    ['sure', 'How much is the rent of the flat?', [['The rent of the flat is 940 euro.', 0.9], FISH]],
    ['likely', 'How much is the rent of the flat?', [['The rent of the flat is 940 euro.', 0.6], FISH]],
    [
      'unsure',
      'How much does Lena pay for the flat?',
      [['The flat of Lena is on the third floor.', 0.5], FISH],
    ],
    ['none', 'How much is the rent of the flat?', [['Lena does not eat fish.', 0.2]]],
  ] as const)('is %s', (certainty, text, notes) => {
    expect(judged(text, ...notes).certainty).toBe(certainty);
  });

  it('is unsure where the best says nothing of it, though it has each of its words', () => {
    const cellar = judged('How much is the rent of the flat?', ['The flat has a rent cellar door.', 0.01]);
    expect(cellar).toMatchObject({ certainty: 'unsure', isFar: true, missing: [] });
    expect(cellar.chance).toBeGreaterThan(0);
  });

  it('grows with what is said, and has the same order as its chance', () => {
    const chances = [
      ['Lena does not eat fish.', 0.2],
      ['The flat is on the third floor.', 0.4],
      ['The rent of the flat is paid on the third.', 0.6],
      ['The rent of the flat is 940 euro.', 0.9],
    ].map(
      ([value, base]) => judged('How much is the rent of the flat?', [String(value), Number(base)]).chance,
    );
    expect(chances).toEqual([...chances].sort((a, b) => a - b));
    expect(new Set(chances).size).toBe(4);
  });
});

describe('nowhere in memory', () => {
  it('is none where none of its words is there, however near something else is', () => {
    const { certainty, missing } = judged('What is the capital of Mongolia?', [
      'Lena does not eat fish.',
      0.9,
    ]);
    expect([certainty, missing]).toEqual(['none', ['capital', 'Mongolia']]);
  });

  it.each([
    ['the name is in no note', 'When is the birthday of Maaike?', 'The birthday of Lena is on 9 March.'],
    ['most of it is in none', 'What is the telephone number of Lena?', 'Lena does not eat fish.'],
  ])('is unsure at most where a word of it is there: %s', (_, text, value) => {
    expect(judged(text, [value, 0.9])).toMatchObject({ certainty: 'unsure', isFar: true, missing: [] });
  });

  it('is not where one of two names is there: that may be asked in other words', () => {
    expect(judged('When did Lena meet Maaike?', ['Lena met her on 9 March.', 0.9]).certainty).not.toBe(
      'none',
    );
  });

  it('is none where nothing was found', () => {
    expect(judged('Who is Lena?')).toEqual({ certainty: 'none', chance: 0, isFar: true, missing: ['Lena'] });
  });
});

describe('a question of small words', () => {
  it('is answered unsurely where it has four of them and search finds something', () => {
    expect(judged('When do I get up?', ['I get up at 6:15.', 0.5]).certainty).not.toBe('none');
    expect(judged('Who am I?', ['I am here.', 0.9]).certainty).toBe('none');
    expect(judged('What was it that you have?', ['It is here.', 0.1]).certainty).toBe('none');
    expect(judged('What was it that you have?', ['It is here.', 0.5]).certainty).toBe('unsure');
  });
});

it('signs are finite for any candidate', () => {
  const question = asking('Who is Lena?');
  for (const ranked of [
    [],
    [answering({ key: 'a', value: '' }, question, 0)],
    [answering({ key: 'a', value: 'Lena' }, question, 1)],
  ])
    expect(Object.values(signsOf(question, ranked)).every(Number.isFinite)).toBe(true);
});
