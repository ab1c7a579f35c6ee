import { describe, expect, it } from 'vitest';
import { type LanguageModel, ModelFailure, type Prompt } from '../../models/language-model.ts';
import { createJudge } from './judging.ts';
import { viewOf } from './strategies/fixtures/view.ts';
import type { Proposal } from './strategies/strategy.ts';

const view = viewOf([
  { at: '2026-03-03', key: 'plumber', value: 'Horák fixed the drain, took 90 euro in cash.' },
  { at: '2026-08-20', key: 'letter', value: 'Claim of 131.40 euro for Horák, invoice 2281.' },
]);
const link: Proposal = {
  strategy: 'connect',
  title: 'Horák stands in "plumber" and in "letter"',
  body: 'Both name Horák.',
  evidence: [
    { key: 'plumber', sentence: 'Horák fixed the drain, took 90 euro in cash.' },
    { key: 'letter', sentence: 'Claim of 131.40 euro for Horák, invoice 2281.' },
  ],
  confidence: 0.8,
  change: { kind: 'link', from: 'plumber', to: 'letter' },
  content: 'link horak',
};

/** A model that answers in turn; what is no answer of the schema is rubbish to it, as to the one that asks a server. */
function modelOf(...answers: readonly unknown[]): LanguageModel & { asked: string[] } {
  const asked: string[] = [];
  return {
    model: 'fake',
    asked,
    generate<T>({ prompt, schema }: Prompt<T>) {
      const answer = answers[asked.length % answers.length];
      asked.push(prompt);
      if (answer instanceof Error) return Promise.reject(answer);
      const read = schema.safeParse(answer);
      return read.success
        ? Promise.resolve({ value: read.data, tokens: 10 })
        : Promise.reject(new ModelFailure('garbage', 'something else'));
    },
  };
}

const judged = (
  model: LanguageModel | undefined,
  found: readonly Proposal[] = [link],
  strategy: Proposal['strategy'] = 'connect',
) =>
  createJudge(['contradict', 'connect'])(found, {
    strategy,
    view,
    context: { model, budget, cancelled: () => false },
  });
const budget = { left: () => 20_000 };
const yes = { keep: true, evidence: ['n1', 'n2'] };
const no = { keep: false, evidence: ['n1', 'n2'] };

describe('a model that judges', () => {
  it('is shown what both memories say, and drops what they do not bear out', async () => {
    const model = modelOf(no);
    expect(await judged(model)).toEqual({
      proposals: [],
      note: 'fake judged 1 of 1, dropped 1, reworded 0',
    });
    expect(model.asked[0]).toContain('[n1] "plumber" (3 March 2026)\nHorák fixed the drain');
    expect(model.asked[0]).toContain('[n2] "letter" (20 August 2026)\nClaim of 131.40 euro');
  });

  it('rewords where the notes bear the words out, and changes nothing else', async () => {
    const model = modelOf({
      ...yes,
      title: 'The letter claims what Horák took in cash',
      reason: 'Horák took 90 euro in cash; the letter claims 131.40 euro.',
    });
    const { proposals, note } = await judged(model);
    expect(proposals).toEqual([
      {
        ...link,
        title: 'The letter claims what Horák took in cash',
        body: 'Horák took 90 euro in cash; the letter claims 131.40 euro.\n\nBoth name Horák.',
      },
    ]);
    expect(note).toBe('fake judged 1 of 1, dropped 0, reworded 1');
  });

  it.each([
    ['a sum of its own', 'Horák wants 221.40 euro for the drain in all'],
    ['a name of its own', 'Novak took 90 euro in cash for the drain'],
  ])('does not reword with %s', async (_, title) => {
    expect(await judged(modelOf({ ...yes, title, reason: title }))).toEqual({
      proposals: [link],
      note: 'fake judged 1 of 1, dropped 0, reworded 0',
    });
  });

  it.each([
    ['nothing', { keep: false, evidence: [] }],
    ['one note of two', { keep: false, evidence: ['n1', 'n1'] }],
    ['what does not exist', { keep: false, evidence: ['n1', 'n7'] }],
    ['no schema', 'certainly'],
  ])('that cites %s is not heard', async (_, answer) => {
    expect(await judged(modelOf(answer))).toEqual({
      proposals: [link],
      note: 'fake judged 0 of 1, dropped 0, reworded 0, answered nothing of use to 1',
    });
  });

  it('is left alone after three answers of no use', async () => {
    const model = modelOf('rubbish');
    const { proposals, note } = await judged(model, [link, link, link, link, link]);
    expect([proposals.length, model.asked.length]).toEqual([5, 3]);
    expect(note).toBe(
      'fake judged 0 of 5, dropped 0, reworded 0, answered nothing of use to 3; the others stand as they were found: its answers were of no use',
    );
  });

  it.each(['unreachable', 'timeout', 'refused'] as const)(
    'that is %s is not asked again in this dream',
    async (kind) => {
      const judge = createJudge(['contradict', 'connect']);
      const model = modelOf(new ModelFailure(kind, 'it does not answer'));
      const context = { model, budget, cancelled: () => false };
      expect(await judge([link, link], { strategy: 'connect', view, context })).toEqual({
        proposals: [link, link],
        note: 'fake judged 0 of 2, dropped 0, reworded 0; the others stand as they were found: it does not answer',
      });
      expect((await judge([link], { strategy: 'contradict', view, context })).proposals).toEqual([link]);
      expect(model.asked).toHaveLength(1);
    },
  );

  it('is not asked where there is none, nothing to judge, another strategy, or nobody who waits', async () => {
    const model = modelOf(no);
    expect(await judged(undefined)).toEqual({ proposals: [link] });
    expect(await judged(model, [])).toEqual({ proposals: [] });
    expect(await judged(model, [link], 'refine')).toEqual({ proposals: [link] });
    const context = { model, budget, cancelled: () => true };
    expect(
      (await createJudge(['contradict', 'connect'])([link], { strategy: 'connect', view, context }))
        .proposals,
    ).toEqual([link]);
    expect(model.asked).toEqual([]);
  });

  it('leaves of the budget what is for the strategies that come after', async () => {
    const model = modelOf(yes);
    // Each answer takes 10 of 60.
    const budget = { left: () => 60 - 10 * model.asked.length };
    const context = { model, budget, cancelled: () => false };
    const judge = createJudge(['refine', 'contradict', 'connect']);
    const first = await judge(Array<Proposal>(9).fill(link), { strategy: 'contradict', view, context });
    expect(first.note).toBe(
      'fake judged 3 of 9, dropped 0, reworded 0; the others stand as they were found: what is left of the budget is for other strategies',
    );
    const second = await judge(Array<Proposal>(3).fill(link), { strategy: 'connect', view, context });
    expect([first.proposals.length, second.note]).toEqual([9, 'fake judged 3 of 3, dropped 0, reworded 0']);
  });

  it('that breaks in another way breaks the strategy: that is a fault of ours', async () => {
    await expect(judged(modelOf(new TypeError('x')))).rejects.toThrow(TypeError);
  });
});
