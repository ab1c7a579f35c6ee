import type { AccountId } from '@reverie/shared/accounts/caller';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type LanguageModel, ModelFailure, type Prompt } from '../../../models/language-model.ts';
import { createLog } from '../../../platform/log.ts';
import type { FromThread } from '../thread/messages.ts';
import { createMinds, type Minds } from './within-budget.ts';

const job = {
  id: 'dream_1',
  account: 7 as AccountId,
  namespace: 'n',
  clock: Date.UTC(2026, 0, 2),
  tokensBudget: 1000,
};
const log = createLog('silent');

/** A model that answers what it is told to, and notes what it was asked. */
function fakeModel(answer: () => { value: unknown; tokens: number }) {
  const asked: string[] = [];
  const model: LanguageModel = {
    model: 'fake',
    generate<T>({ prompt, schema }: Prompt<T>) {
      asked.push(prompt);
      const { value, tokens } = answer();
      return Promise.resolve({ value: schema.parse(value), tokens });
    },
  };
  return { model, asked };
}

function mindsOf(minds: Partial<Minds>) {
  let spent = 0;
  const think = createMinds({ model: () => undefined, ask: undefined, ...minds }, log, {
    job,
    used: () => spent,
    spend: (tokens) => (spent += tokens),
    signal: new AbortController().signal,
  });
  return { think, spent: () => spent };
}

const generate = (
  more: Partial<FromThread & { kind: 'generate' }> = {},
): FromThread & { kind: 'generate' } => ({
  kind: 'generate',
  id: 1,
  system: 's',
  prompt: 'p',
  maxTokens: 100,
  schema: z.toJSONSchema(z.object({ same: z.boolean() })),
  ...more,
});

test('a model is asked within the budget, and what it took is counted', async () => {
  const { model, asked } = fakeModel(() => ({ value: { same: true }, tokens: 450 }));
  const { think, spent } = mindsOf({ model: () => ({ model }) });
  expect(await think(generate())).toEqual({
    kind: 'generated',
    id: 1,
    value: { same: true },
    tokens: 450,
    tokensLeft: 550,
  });
  expect(await think(generate({ id: 2 }))).toMatchObject({ kind: 'generated', tokensLeft: 100 });
  expect(await think(generate({ id: 3 }))).toMatchObject({
    kind: 'refused',
    id: 3,
    failure: 'refused',
    tokensLeft: 100,
  });
  expect([asked.length, spent()]).toEqual([2, 900]);
});

test('what could cross the budget is not asked at all', async () => {
  const { model, asked } = fakeModel(() => ({ value: { same: true }, tokens: 1 }));
  const { think } = mindsOf({ model: () => ({ model }) });
  expect(await think(generate({ prompt: 'x'.repeat(3000) }))).toMatchObject({
    kind: 'refused',
    failure: 'refused',
  });
  expect(await think(generate({ maxTokens: 1000 }))).toMatchObject({ kind: 'refused' });
  expect(asked).toEqual([]);
});

test('without a model, with one that fails, and with one that answers something else, it is refused', async () => {
  expect(await mindsOf({}).think(generate())).toMatchObject({ kind: 'refused', failure: 'unreachable' });
  const withheld = 'the namespace is kept from every model';
  expect(await mindsOf({ model: () => ({ withheld }) }).think(generate())).toMatchObject({
    kind: 'refused',
    failure: 'refused',
    message: withheld,
  });
  const slow = fakeModel(() => {
    throw new ModelFailure('timeout', 'too slow');
  });
  expect(await mindsOf({ model: () => ({ model: slow.model }) }).think(generate())).toMatchObject({
    kind: 'refused',
    failure: 'timeout',
    message: 'too slow',
  });
  const odd = fakeModel(() => ({ value: { other: 1 }, tokens: 5 }));
  const { think, spent } = mindsOf({ model: () => ({ model: odd.model }) });
  expect(await think(generate())).toMatchObject({ kind: 'refused', failure: 'unreachable' });
  expect(spent()).toBe(0);
});

test('a question is asked of the dream’s own namespace, as of its time', async () => {
  const got: unknown[] = [];
  const { think } = mindsOf({
    ask: (account, asked) => {
      got.push([account, asked]);
      const citations = [{ key: 'k', quote: 'q', score: 0.5, more: 1 }];
      return Promise.resolve({ answer: 'a', found: true, citations });
    },
  });
  expect(await think({ kind: 'ask', id: 9, question: 'why?' })).toEqual({
    kind: 'asked',
    id: 9,
    asked: { answer: 'a', found: true, citations: [{ key: 'k', quote: 'q', score: 0.5 }] },
  });
  expect(got).toEqual([[7, { question: 'why?', namespace: 'n', now: '2026-01-02T00:00:00.000Z' }]]);
  const failing = mindsOf({ ask: () => Promise.reject(new Error('x')) });
  expect(await failing.think({ kind: 'ask', id: 9, question: 'why?' })).toMatchObject({
    kind: 'refused',
    id: 9,
  });
  expect(await mindsOf({}).think({ kind: 'ask', id: 9, question: 'why?' })).toMatchObject({
    kind: 'refused',
  });
});

test('two questions at once share what is left', async () => {
  const { model, asked } = fakeModel(() => ({ value: { same: true }, tokens: 150 }));
  const { think, spent } = mindsOf({ model: () => ({ model }) });
  const replies = await Promise.all([1, 2, 3].map((id) => think(generate({ id, maxTokens: 400 }))));
  expect(replies.map(({ kind }) => kind)).toEqual(['generated', 'generated', 'refused']);
  expect([asked.length, spent()]).toEqual([2, 300]);
});

test('an answer of no use and one that came too late are paid for', async () => {
  const useless = fakeModel(() => {
    throw Object.assign(new ModelFailure('garbage', 'rubbish'), { tokens: 70 });
  });
  const late = fakeModel(() => {
    throw new ModelFailure('timeout', 'too slow');
  });
  const one = mindsOf({ model: () => ({ model: useless.model }) });
  expect(await one.think(generate())).toMatchObject({ failure: 'garbage', tokensLeft: 930 });
  const other = mindsOf({ model: () => ({ model: late.model }) });
  await other.think(generate({ maxTokens: 100 }));
  expect(other.spent()).toBeGreaterThan(100);
});

test('letters beyond ASCII may take a token a byte', async () => {
  const { model, asked } = fakeModel(() => ({ value: { same: true }, tokens: 1 }));
  const { think } = mindsOf({ model: () => ({ model }) });
  expect(await think(generate({ prompt: '猫'.repeat(300) }))).toMatchObject({ kind: 'refused' });
  expect(await think(generate({ prompt: 'c'.repeat(300) }))).toMatchObject({ kind: 'generated' });
  expect(asked).toHaveLength(1);
});

test.each(['timeout', 'garbage'] as const)(
  'what a %s took and cannot be written down ends the asking, and nothing else',
  async (kind) => {
    const { model } = fakeModel(() => {
      throw Object.assign(new ModelFailure(kind, 'no'), { tokens: 70 });
    });
    const think = createMinds({ model: () => ({ model }), ask: undefined }, log, {
      job,
      used: () => 0,
      spend: () => {
        throw new Error('database or disk is full');
      },
      signal: new AbortController().signal,
    });
    expect(await think(generate())).toMatchObject({ kind: 'refused', failure: 'unreachable' });
  },
);

test('what a model cannot read at once is not sent, and comes again shorter', async () => {
  const { model, asked } = fakeModel(() => ({ value: { same: true }, tokens: 450 }));
  const { think, spent } = mindsOf({ model: () => ({ model: { ...model, contextTokens: 250 } }) });
  const long = await think(generate({ prompt: 'word '.repeat(150) }));
  expect(long).toMatchObject({ kind: 'refused', failure: 'garbage' });
  expect([asked, spent()]).toEqual([[], 0]);
  expect(await think(generate())).toMatchObject({ kind: 'generated' });
});
