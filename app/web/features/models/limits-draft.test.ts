import type { ModelUse } from '@reverie/shared/contract/system/models';
import { expect, test } from 'vitest';
import { draftOf, readLimits } from './limits-draft.ts';

const aFault: unknown = expect.any(String);

test('limits are read as they are sent: milliseconds, and null for no limit of tokens', () => {
  expect(readLimits({ seconds: '1.5', tokens: '', monthly: '' })).toEqual({
    ok: true,
    limits: { timeout_ms: 1_500, tokens_per_day: null, tokens_per_month: null },
  });
  expect(readLimits({ seconds: '600', tokens: '0', monthly: '500000' })).toEqual({
    ok: true,
    limits: { timeout_ms: 600_000, tokens_per_day: 0, tokens_per_month: 500_000 },
  });
});

test.each([
  [{ seconds: '', tokens: '', monthly: '' }, { seconds: aFault }],
  [{ seconds: '0.05', tokens: '', monthly: '' }, { seconds: aFault }],
  [{ seconds: '601', tokens: '10', monthly: '' }, { seconds: aFault }],
  [
    { seconds: 'ten', tokens: '-1', monthly: '' },
    { seconds: aFault, tokens: aFault },
  ],
  [{ seconds: '10', tokens: '1.5', monthly: '' }, { tokens: aFault }],
  [
    { seconds: '10', tokens: '2000000000', monthly: 'many' },
    { tokens: aFault, monthly: aFault },
  ],
  [{ seconds: '10', tokens: '', monthly: '-1' }, { monthly: aFault }],
])('%j is told to be wrong', (draft, faults) => {
  expect(readLimits(draft)).toEqual({ ok: false, faults });
});

test('what a part has stands in the form, and is read as the same again', () => {
  const limits = { timeout_ms: 2_500, tokens_per_day: 50_000, tokens_per_month: null };
  expect(readLimits(draftOf(limits as ModelUse))).toEqual({ ok: true, limits });
});
