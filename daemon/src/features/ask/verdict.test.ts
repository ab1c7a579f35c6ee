import type { Certainty } from '@reverie/shared/contract/ask';
import { expect, test } from 'vitest';
import type { ModelDecision } from './model/deciding.ts';
import { certaintyOf, verdictOf } from './verdict.ts';
import type { QuotedAnswer } from './without-model/quoted-answer.ts';

const DECISION: ModelDecision = {
  sentences: [],
  dropped: 0,
  closest: [],
  phrases: [],
  looks: [],
  failed: undefined,
};

const told = (certainty: Certainty): QuotedAnswer => ({
  certainty,
  judged: { certainty, chance: 0, isFar: false, missing: [] },
  quotes: [],
  memories: [],
});

const judging = (certainty: Certainty, { isRespelled = false } = {}) => ({
  ranked: [],
  isThere: () => true,
  isRespelled,
  tell: () => told(certainty),
});

test('what a model decided counts, and the signs are not asked', () => {
  const verdict = verdictOf(DECISION, {
    ...judging('sure'),
    tell: () => {
      throw new Error('the signs were asked');
    },
  });
  expect(verdict).toEqual({ by: 'model', sentences: [] });
  expect(certaintyOf(verdict)).toBe('none');
});

test('where a model fails the signs decide, as they do without one', () => {
  for (const decision of [undefined, { ...DECISION, failed: 'it is away' }]) {
    const verdict = verdictOf(decision, judging('sure'));
    expect(verdict.by).toBe('signs');
    expect(certaintyOf(verdict)).toBe('sure');
  }
});

test('an answer to a question whose words were read as others is likely at best', () => {
  const of = (certainty: Certainty) =>
    certaintyOf(verdictOf(undefined, judging(certainty, { isRespelled: true })));
  expect(of('sure')).toBe('likely');
  expect(of('unsure')).toBe('unsure');
  expect(of('none')).toBe('none');
});

test('what no memory bears out is decided by the signs where none of what was found is there any more', () => {
  const failed = { ...DECISION, failed: 'It said nothing that the memories support', isUnsupported: true };
  expect(verdictOf(failed, judging('none')).by).toBe('signs');
});

test('what no memory bears out is unsure, whatever the signs say', () => {
  expect(certaintyOf({ by: 'unsupported', closest: [], told: told('sure') })).toBe('unsure');
});
