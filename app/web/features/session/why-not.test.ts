import { ApiError } from '@reverie/shared/client';
import { expect, test } from 'vitest';
import { messageOf, whyNoTicket } from './why-not.ts';

const refused = (status: number, code: ApiError['code'], message: string) =>
  new ApiError({ status, code, message });

test('a ticket that was used, a daemon that is away, and anything else are told apart', () => {
  expect(whyNoTicket(refused(410, 'gone', 'The ticket is gone'))).toMatch(/^This link was used already/);
  expect(whyNoTicket(refused(0, 'unreachable', 'fetch failed'))).toMatch(/^Reverie did not answer/);
  expect(whyNoTicket(refused(503, 'unavailable', 'starting'))).toMatch(/^Reverie did not answer/);
  expect(whyNoTicket(refused(429, 'rate_limited', 'Too many tries.'))).toBe(
    'This link could not be used: Too many tries.',
  );
});

test('what an error says goes into a sentence without its full stop', () => {
  expect(messageOf(new Error('It broke.'))).toBe('It broke');
  expect(messageOf('no error at all')).toBe('no error at all');
});
