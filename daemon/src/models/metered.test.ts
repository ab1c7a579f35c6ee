import { expect, test } from 'vitest';
import { z } from 'zod';
import { type LanguageModel, ModelFailure, type Prompt } from './language-model.ts';
import { meteredModel, type Rest, type SheetBook } from './metered.ts';

const prompt: Prompt<string> = {
  system: 'x'.repeat(40),
  prompt: 'y'.repeat(60),
  maxTokens: 10,
  schema: z.string(),
};

/** Keeps nothing. */
const book: SheetBook = { open: () => () => undefined };

/** What is noted of one call of a model that fails so. */
async function noted(
  fail: (() => never) | undefined,
  { wait = 0, given = prompt }: { wait?: number; given?: Prompt<string> } = {},
) {
  const notes: unknown[] = [];
  const model: LanguageModel = {
    model: 'fake',
    generate: async <T>({ schema }: Prompt<T>) => {
      fail?.();
      return { value: schema.parse('said'), tokens: 7 };
    },
  };
  const meter = {
    rest: () => undefined,
    note: (call: { tokens: number; failed: boolean }) => void notes.push(call),
  };
  const said = meteredModel({ model, server: { wait: () => wait } }, { meter, book }).generate(given);
  await said.catch(() => undefined);
  return notes;
}

const failing =
  (kind: ModelFailure['kind'], tokens = 0) =>
  () => {
    throw Object.assign(new ModelFailure(kind, 'no'), { tokens });
  };

test('an answer costs what the server says', async () => {
  expect(await noted(undefined)).toEqual([{ tokens: 7, failed: false }]);
});

test('a failure costs what it took, and where nobody counted, what was sent', async () => {
  expect(await noted(failing('garbage', 42))).toEqual([{ tokens: 42, failed: true }]);
  expect(await noted(failing('timeout'))).toEqual([{ tokens: 25, failed: true }]);
  expect(await noted(failing('unreachable'))).toEqual([{ tokens: 0, failed: true }]);
  expect(await noted(failing('cancelled'))).toEqual([{ tokens: 25, failed: false }]);
});

test('what was not sent costs nothing: the server is left alone, or nobody waits any more', async () => {
  expect(await noted(failing('unreachable'), { wait: 1000 })).toEqual([]);
  const given = { ...prompt, signal: AbortSignal.abort() };
  expect(await noted(failing('cancelled'), { given })).toEqual([]);
});

test('a part that rests is not asked at all', async () => {
  const model: LanguageModel = { model: 'fake', generate: () => Promise.reject(new Error('was asked')) };
  const rest: Rest = { since: 0, until: 1, limit: 100, of: 'day' };
  const meter = { rest: () => rest, note: () => undefined };
  const said = meteredModel({ model, server: { wait: () => 0 } }, { meter, book }).generate(prompt);
  await expect(said).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('100 tokens a day') as string,
  });
});
