import { ApiError } from '@reverie/shared/client';
import { expect, test } from 'vitest';
import { messageOf } from './failure.ts';

test('an answer of an older daemon, as after an upgrade, leads to a restart', () => {
  const cause = new ApiError({ status: 200, code: 'bad_reply', message: 'The answer is of another shape' });
  expect(messageOf(cause)).toMatch(/^The answer is of another shape\. .*`reverie stop`, then start it again/);
});

test('what the daemon refused is told in its own words, and each field that they leave out', () => {
  const cause = new ApiError({
    status: 400,
    code: 'invalid_request',
    message: 'Not valid',
    errors: [{ path: 'key', message: 'is empty' }],
  });
  expect(messageOf(cause)).toBe('Not valid.\n  key is empty');
});
