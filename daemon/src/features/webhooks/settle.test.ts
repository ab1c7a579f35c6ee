import { expect, test } from 'vitest';
import { errorOf, type Finished, isSuccess } from './settle.ts';

const answered = (status: number): Finished['outcome'] => ({
  kind: 'answered',
  status,
  response: '',
  retryAfterMs: null,
});

test.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [304, false],
  [399, false],
  [404, false],
  [500, false],
])('an answer of %i is delivered: %j', (status, isDelivered) => {
  expect(isSuccess(answered(status))).toBe(isDelivered);
  expect(errorOf(answered(status)) === null).toBe(isDelivered);
});

test('a redirect says that it was not followed, other answers do not', () => {
  for (const status of [300, 302, 399])
    expect(errorOf(answered(status))).toBe(`The receiver answered ${status}, and redirects are not followed`);
  for (const status of [199, 400, 503])
    expect(errorOf(answered(status))).toBe(`The receiver answered ${status}`);
});

test('no answer is none delivered', () => {
  expect(isSuccess({ kind: 'failed', error: 'refused' })).toBe(false);
  expect(errorOf({ kind: 'failed', error: 'refused' })).toBe('refused');
  expect(isSuccess({ kind: 'expired' })).toBe(false);
  expect(errorOf({ kind: 'expired' })).toBe('The event is no longer in the log');
});
