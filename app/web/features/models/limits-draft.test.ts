import type { ModelUse } from '@reverie/shared/contract/models';
import { expect, test } from 'vitest';
import { draftOf, readLimits } from './limits-draft.ts';

const aFault: unknown = expect.any(String);

test('limits are read as they are sent: milliseconds, and null for no limit of tokens', () => {
  expect(readLimits({ seconds: '1.5', tokens: '' })).toEqual({
    ok: true,
    limits: { timeout_ms: 1_500, tokens_per_day: null },
  });
  expect(readLimits({ seconds: '600', tokens: '0' })).toEqual({
    ok: true,
    limits: { timeout_ms: 600_000, tokens_per_day: 0 },
  });
});

test.each([
  ['', '', { seconds: aFault }],
  ['0.05', '', { seconds: aFault }],
  ['601', '10', { seconds: aFault }],
  ['ten', '-1', { seconds: aFault, tokens: aFault }],
  ['10', '1.5', { tokens: aFault }],
  ['10', '2000000000', { tokens: aFault }],
])('seconds %j with tokens %j are told to be wrong', (seconds, tokens, faults) => {
  expect(readLimits({ seconds, tokens })).toEqual({ ok: false, faults });
});

test('what a part has stands in the form, and is read as the same again', () => {
  const limits = { timeout_ms: 2_500, tokens_per_day: 50_000 };
  expect(readLimits(draftOf(limits as ModelUse))).toEqual({ ok: true, limits });
});
