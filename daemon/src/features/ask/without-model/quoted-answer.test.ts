import { expect, it } from 'vitest';
import { answering, asking } from '../testing/asking.ts';
import { quotedAnswer } from './quoted-answer.ts';

const RENT = 'How much is the rent of the flat?';
const question = asking(RENT);
const RENTS = 'The rent of the flat is 940 euro.';

/** What is cited of notes of which the first one says it and the others are so likely, beside it. */
function cited(shares: readonly number[], { limit = 6, gone = [] as readonly string[] } = {}) {
  const best = answering({ id: 1, key: 'rent', value: RENTS }, question, 0.9);
  const others = shares.map((share, at) => ({
    ...answering({ id: at + 2, key: `other ${share}`, value: 'Lena does not eat fish.' }, question, 0.2),
    score: share * best.score,
  }));
  const state = { question, ranked: [best, ...others] };
  const isThere = ({ memory }: { memory: { key: string } }) => !gone.includes(memory.key);
  const told = quotedAnswer(state, { isThere, limit });
  return told.memories.map(({ memory }) => memory.key);
}

it('what is less likely than a hundredth of the best is not cited', () => {
  expect(cited([0.5, 0.011, 0.009, 0])).toEqual(['rent', 'other 0.5', 'other 0.011']);
});

it('no more are cited than are asked for, the likeliest first', () => {
  expect(cited([0.5, 0.4, 0.3], { limit: 2 })).toEqual(['rent', 'other 0.5']);
});

it('what is gone meanwhile is not cited', () => {
  expect(cited([0.5, 0.4], { gone: ['other 0.5'] })).toEqual(['rent', 'other 0.4']);
});
