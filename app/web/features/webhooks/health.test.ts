import type { Webhook } from '@reverie/shared/contract/events/webhooks';
import { describe, expect, test } from 'vitest';
import { canReplay, deliveryTone, deliveryWord, errorWords, healthOf, outcomeOf } from './health.ts';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();
const webhook: Webhook = {
  id: 'whk_1',
  url: 'http://127.0.0.1:9/in',
  events: ['*'],
  description: '',
  ordered: false,
  origins: 'local',
  rate_per_s: 50,
  allow_private_network: false,
  status: 'active',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_delivery_at: null,
  pending: 0,
  oldest_pending: null,
  dead_letters: 0,
  created_at: ago(9_999),
  updated_at: ago(9_999),
};
const waiting = (more: Partial<NonNullable<Webhook['oldest_pending']>>) => ({
  since: ago(180),
  attempts: 0,
  next_attempt_at: null,
  last_error: null,
  ...more,
});

describe('the health of a webhook', () => {
  const of = (given: Partial<Webhook>) => healthOf({ ...webhook, ...given }, NOW);

  test.each([
    ['not used yet', {}],
    ['works', { last_delivery_at: ago(9) }],
    ['waiting', { last_delivery_at: ago(1), pending: 25, oldest_pending: waiting({}) }],
    ['failing', { last_delivery_at: ago(1), pending: 25, oldest_pending: waiting({ attempts: 2 }) }],
    ['failing', { last_delivery_at: ago(99), failing_since: ago(9), dead_letters: 1 }],
    ['paused', { status: 'paused', pending: 25, oldest_pending: waiting({ attempts: 2 }) }],
    ['disabled', { status: 'disabled', disabled_reason: 'gone', pending: 25, oldest_pending: waiting({}) }],
    // What happened this moment is on its way, and nothing is wrong with it.
    ['works', { last_delivery_at: ago(9), pending: 1, oldest_pending: waiting({ since: ago(1) }) }],
  ] as const)('%s', (word, given) => {
    expect(of(given).word).toBe(word);
  });

  test('says how many wait, since when, how often it was tried, why it failed, and what comes next', () => {
    const oldest = waiting({
      attempts: 3,
      last_error: 'connect ECONNREFUSED 127.0.0.1:9',
      next_attempt_at: ago(-600),
    });
    expect(of({ pending: 25, oldest_pending: oldest }).sentence).toBe(
      '25 deliveries wait. The oldest, from 3 minutes ago, was tried 3 times: nothing listens there: the connection was refused. ' +
        'It is tried again in 10 minutes; after six attempts it is a dead letter, which can be replayed.',
    );
    expect(of({ pending: 1, oldest_pending: waiting({}) }).sentence).toContain(
      '1 delivery waits, the oldest from 3 minutes ago',
    );
    expect(of({ failing_since: ago(9), dead_letters: 3 }).sentence).toContain(
      '3 dead letters can be replayed',
    );
    expect(of({ status: 'disabled', disabled_reason: 'gone' }).sentence).toContain('410');
    expect(of({ status: 'disabled', disabled_reason: 'failing' }).sentence).toContain('five days');
  });
});

test('an error of the system is told in words, another one as it is', () => {
  expect(errorWords('getaddrinfo ENOTFOUND hook.test')).toBe('There is no address of that name');
  expect(errorWords('unable to verify: UNABLE_TO_GET_ISSUER_CERT_LOCALLY')).toContain('certificate');
  expect(errorWords('The receiver answered 503')).toBe('The receiver answered 503');
});

test('an attempt says what came of it', () => {
  const attempt = { number: 1, started_at: ago(9), latency_ms: 12, response: null, error: null };
  expect(outcomeOf({ ...attempt, status: 204 })).toBe('Accepted with 204 after 12 ms');
  expect(outcomeOf({ ...attempt, status: 503, error: 'The receiver answered 503' })).toBe(
    'Failed after 12 ms: The receiver answered 503',
  );
  expect(outcomeOf({ ...attempt, status: null, error: 'The connection was refused' })).toBe(
    'Failed after 12 ms: The connection was refused',
  );
});

test('only what ended, and is no test, can be made again; a waiting one that failed before is marked', () => {
  expect(canReplay({ status: 'dead', test: false })).toBe(true);
  expect(canReplay({ status: 'delivered', test: false })).toBe(true);
  expect(canReplay({ status: 'pending', test: false })).toBe(false);
  expect(canReplay({ status: 'dead', test: true })).toBe(false);
  expect(deliveryTone({ status: 'pending', attempts: 0 })).toBe('plain');
  expect(deliveryTone({ status: 'pending', attempts: 2 })).toBe('warn');
  expect(deliveryWord({ status: 'pending', attempts: 2 })).toBe('tried again soon');
});
