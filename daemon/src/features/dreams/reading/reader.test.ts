import { expect, test } from 'vitest';
import type { LanguageModel } from '../../../models/language-model.ts';
import { kindsOf } from './kinds-of.ts';
import { readSheet } from './reader.ts';
import { sheetSizeOf } from './sizes.ts';

const sheet = {
  notes: [{ id: 1, key: 'k', time: 0, tags: [], text: 'A note.'.repeat(200), isNew: true }],
  kinds: ['due' as const],
  told: [],
  now: 0,
};

test('a model is not asked about a sheet that is longer than what it reads at once', async () => {
  let asked = 0;
  const model = (contextTokens: number): LanguageModel => ({
    model: 'm',
    contextTokens,
    generate: <T>() => {
      asked += 1;
      return Promise.resolve({ value: { findings: [] } as T, tokens: 5 });
    },
  });
  const limits = { tokensLeft: 1e6, answer: 100, signal: new AbortController().signal };
  expect(await readSheet(model(500), sheet, limits)).toEqual({ kind: 'useless', tokens: 0 });
  expect(asked).toBe(0);
  expect(await readSheet(model(50_000), sheet, limits)).toMatchObject({ kind: 'found', tokens: 5 });
});

test.each([
  { of: 'beyond this machine', model: {}, tokens: undefined, isOneKind: false },
  { of: 'on this machine', model: { reach: 'local' as const }, tokens: undefined, isOneKind: true },
  {
    of: 'on this machine, of a long context',
    model: { reach: 'local' as const, contextTokens: 128_000 },
    tokens: undefined,
    isOneKind: false,
  },
  {
    of: 'beyond it, of a short context',
    model: { contextTokens: 8_000 },
    tokens: undefined,
    isOneKind: true,
  },
  {
    of: 'that is said to read long sheets',
    model: { reach: 'local' as const },
    tokens: 12_000,
    isOneKind: false,
  },
])('a model $of looks for one kind at a time: $isOneKind', ({ model, tokens, isOneKind }) => {
  expect(sheetSizeOf(model, tokens).isOneKind).toBe(isOneKind);
});

test('each kind is read for once, for whichever strategy was asked for', () => {
  expect(Object.fromEntries(kindsOf(['connect', 'rem', 'summarize', 'synthesize', 'sleep']))).toEqual({
    belongs_together: 'connect',
    page: 'synthesize',
  });
  expect(Object.fromEntries(kindsOf(['rem', 'summarize']))).toEqual({
    belongs_together: 'rem',
    page: 'summarize',
  });
});
