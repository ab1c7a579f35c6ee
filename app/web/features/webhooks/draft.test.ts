import { eventPatterns, type EventPattern, type Webhook } from '@reverie/shared/contract/events/webhooks';
import { ApiError } from '@reverie/shared/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  covers,
  draftOf,
  emptyDraft,
  faultsOfError,
  newSecret,
  readRegistration,
  readUpdate,
  withPattern,
} from './draft.ts';

const webhook: Webhook = {
  id: 'whk_1',
  url: 'http://127.0.0.1:9/in',
  events: ['memory.*'],
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
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

test('a new secret is one that the interface takes, of 32 random bytes', () => {
  const secret = newSecret((bytes) => bytes.fill(7));
  expect(secret).toMatch(/^whsec_/);
  expect(atob(secret.slice(6))).toHaveLength(32);
  expect(readRegistration({ ...emptyDraft(secret), url: ' http://127.0.0.1:9/in ' })).toMatchObject({
    ok: true,
    body: { url: 'http://127.0.0.1:9/in', secret, rate_per_s: 50 },
  });
});

test('what is wrong is told at its field', () => {
  const read = readRegistration({ ...emptyDraft('short'), url: 'ftp://x', events: [], rate: '0' });
  expect(read.ok).toBe(false);
  expect(Object.keys(read.ok ? {} : read.faults).toSorted()).toEqual([
    'events',
    'rate_per_s',
    'secret',
    'url',
  ]);
  for (const rate of ['', 'ten', '-1', '1.5', '1e3'])
    expect(readRegistration({ ...emptyDraft('long enough'), url: 'http://x', rate }).ok).toBe(false);
});

test('a change sends only what was changed, and the secret only when there is a new one', () => {
  expect(readUpdate(draftOf(webhook), webhook)).toEqual({ ok: true, body: undefined });
  expect(readUpdate({ ...draftOf(webhook), ordered: true, secret: 'a new secret' }, webhook)).toEqual({
    ok: true,
    body: { ordered: true, secret: 'a new secret' },
  });
});

test('what the daemon finds wrong is told at its field; another failure is about none', () => {
  const refusal = new ApiError({
    status: 400,
    code: 'invalid_request',
    message: 'x',
    errors: [{ path: 'url', message: 'leads to a private address' }],
  });
  expect(faultsOfError(refusal)).toEqual({ url: 'leads to a private address' });
  expect(faultsOfError(new Error('down'))).toBeUndefined();
});

test('property: ticking never leaves a pattern beside one that covers it, and what is unticked is gone', () => {
  const step = fc.record({ pattern: fc.constantFrom(...eventPatterns), isOn: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let patterns: EventPattern[] = [];
      for (const { pattern, isOn } of steps) {
        // The form does not offer what is covered already.
        if (patterns.some((one) => covers(one, pattern))) continue;
        patterns = withPattern(patterns, pattern, isOn);
        expect(patterns.includes(pattern)).toBe(isOn);
        for (const wide of patterns) expect(patterns.filter((one) => covers(wide, one))).toEqual([]);
      }
    }),
  );
});
