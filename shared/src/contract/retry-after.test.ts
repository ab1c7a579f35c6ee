import { expect, test } from 'vitest';
import { retryAfter } from './retry-after.ts';

test('Retry-After is in seconds or a date', () => {
  const now = Date.UTC(2031, 0, 1);
  expect(retryAfter('120', now)).toBe(120_000);
  // As some model servers say it.
  expect(retryAfter('0.5', now)).toBe(500);
  expect(retryAfter(new Date(now + 5000).toUTCString(), now)).toBe(5000);
  expect(retryAfter(new Date(now - 5000).toUTCString(), now)).toBe(0);
  for (const none of ['soon', '', undefined, null]) expect(retryAfter(none, now)).toBeNull();
});
