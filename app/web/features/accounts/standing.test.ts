import type { Account } from '@reverie/shared/contract/accounts/accounts';
import { describe, expect, it } from 'vitest';
import { nameOf, standingOf } from './standing.ts';

const bot: Account = {
  id: 'acc_1',
  kind: 'bot',
  tier: 'free',
  status: 'provisional',
  email: 'ada@example.org',
  created_at: '2026-11-20T09:00:00.000Z',
  confirmed_at: null,
  expires_at: '2026-11-27T09:00:00.000Z',
  deleted_at: '2026-12-04T09:00:00.000Z',
  last_used_at: null,
  keys: 1,
  memories: 0,
  namespaces: 0,
  bytes: 0,
  usage: { requests: 0, recalls: 0, stores: 0 },
};

describe('how an account stands', () => {
  it('is told by its confirmation', () => {
    expect(standingOf(bot).word).toBe('unconfirmed');
    expect(standingOf({ ...bot, status: 'confirmed' }).tone).toBe('good');
    expect(standingOf({ ...bot, status: 'expired' }).tone).toBe('bad');
  });

  it('is another thing for the machine and the sandbox', () => {
    expect(standingOf({ ...bot, kind: 'machine', status: 'active' }).word).toBe('owner');
    expect(standingOf({ ...bot, kind: 'sandbox', status: 'active' }).word).toBe('public');
  });

  it('goes with a name', () => {
    expect(nameOf(bot)).toBe('ada@example.org');
    expect(nameOf({ ...bot, email: null })).toBe('acc_1');
    expect(nameOf({ ...bot, kind: 'sandbox', email: null })).toBe('Sandbox');
  });
});
