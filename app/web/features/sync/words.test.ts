import type { SyncStatus } from '@reverie/shared/contract/sync/sync';
import { describe, expect, it } from 'vitest';
import { standingOf } from './words.ts';

const live: SyncStatus = {
  memories: 3,
  last_update: null,
  peers: [],
  daemon_live: true,
  state: 'live',
  pending: 0,
  last_sync_at: null,
  relay: 'https://relay.example',
  relay_key: null,
  paused: false,
  waiting_for: null,
  device: null,
  email: null,
  oldest_pending_at: null,
  behind: 0,
  upload: null,
  download: null,
  quarantined: 0,
  conflicts: 0,
  conflicts_of_others: 0,
  namespaces: [],
  recovered: [],
  handed_over: [],
  sessions_ended: [],
  stays: [],
  new_namespaces: 'sync',
  lost: [],
};

describe('how sync stands', () => {
  it('is in sync only when nothing waits on either side', () => {
    expect(standingOf(live).word).toBe('in sync');
    expect(standingOf({ ...live, pending: 2 })).toMatchObject({
      word: 'syncing',
      sentence: '2 changes of this machine wait for the relay.',
    });
    expect(standingOf({ ...live, behind: 1 }).sentence).toBe('1 change of another device is still to come.');
  });

  it('never says that nothing waits while the first download goes on', () => {
    const download = { done: 1, total: 9, percent: 11, seconds_left: null };
    const { sentence } = standingOf({ ...live, state: 'offline', behind: null, download });
    expect(sentence).toBe(
      'The relay does not answer; Reverie keeps trying. What the relay has is not all here yet.',
    );
  });

  it('is not wholly in sync while a namespace has left sync and nobody decided about it', () => {
    const lost = {
      namespace: 'team',
      role: 'editor' as const,
      reason: 'ended' as const,
      unsent: 0,
      owner: null,
      kept: false,
      waiting: false,
      since: '2026-11-22T10:00:00.000Z',
      message: 'Removed.',
      advice: 'Join anew.',
    };
    expect(standingOf({ ...live, lost: [lost] })).toMatchObject({ tone: 'warn' });
    expect(standingOf({ ...live, lost: [lost] }).sentence).toContain('1 namespace is not synced any more');
    expect(standingOf({ ...live, lost: [{ ...lost, kept: true }] }).tone).toBe('good');
  });

  it('says that it is paused whatever else holds', () => {
    expect(standingOf({ ...live, paused: true, state: 'offline', pending: 1 })).toMatchObject({
      word: 'paused',
      sentence: 'Nothing goes out or comes in. 1 change of this machine waits for the relay.',
    });
  });

  it('says what to do where a device was removed or waits', () => {
    expect(standingOf({ ...live, state: 'unauthorized' }).sentence).toContain('does not let this device in');
    const error = { code: 'another_relay', message: '', advice: '', at: '2026-11-30T10:00:00.000Z' };
    expect(standingOf({ ...live, state: 'error', error, pending: 1 })).toMatchObject({
      word: 'other relay',
      sentence: 'Nothing is sent to it. 1 change of this machine waits for the relay.',
    });
    expect(standingOf({ ...live, waiting_for: 'approval' }).sentence).toContain('approve');
  });
});
