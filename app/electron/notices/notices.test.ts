import type { Event } from '@reverie/shared/contract/events/events';
import { describe, expect, test } from 'vitest';
import type { Facts } from '../tray/facts.ts';
import { tellingOfDowntime, tellingOfEvent, tellingsOfFacts } from './notices.ts';

const event = (type: Event['type'], after: Record<string, unknown>): Event => ({
  id: 'evt_1',
  seq: 1,
  type,
  namespace: 'work',
  created_at: '2026-01-01T00:00:00.000Z',
  actor: { kind: 'job', id: 'j' },
  data: { before: null, after },
});
const facts = {
  namespaces: [],
  dream: undefined,
  proposals: 0,
  events: [],
  waiting: [],
  deadLetter: 'dlv_1',
  sync: { state: 'live', pending: 0, paused: false, error: undefined },
  isDiskFull: false,
} satisfies Facts;

describe('what is told', () => {
  test('of a dream: once, and only where it proposes something', () => {
    expect(tellingOfEvent(event('dream.completed', { insights: 3 }))).toMatchObject({
      kind: 'proposals',
      title: 'A dream noticed 3 things',
      place: '/dreams?namespace=work',
    });
    expect(tellingOfEvent(event('dream.completed', { insights: 0 }))).toBeUndefined();
    expect(tellingOfEvent(event('insight.generated', { title: 'x' }))).toBeUndefined();
  });

  test('of an invite, and of nothing else that agents send', () => {
    expect(tellingOfEvent(event('channel.message', { kind: 'invite', from: 'Grace' }))?.kind).toBe('invites');
    expect(tellingOfEvent(event('channel.message', { kind: 'note', from: 'Grace' }))).toBeUndefined();
  });

  test('never says what a memory says', () => {
    const secret = 'the code is 4711';
    for (const type of ['memory.write', 'dream.completed', 'channel.message'] as const)
      expect(
        JSON.stringify(
          tellingOfEvent(event(type, { value: secret, title: secret, insights: 1, kind: 'invite' })) ?? '',
        ),
      ).not.toContain(secret);
  });

  test('of deliveries and devices that were not there before', () => {
    expect(tellingsOfFacts(undefined, facts)).toEqual([]);
    expect(tellingsOfFacts(facts, facts)).toEqual([]);
    expect(tellingsOfFacts(facts, { ...facts, deadLetter: 'dlv_2' }).map(({ kind }) => kind)).toEqual([
      'deliveries',
    ]);
    const waiting = [{ id: 'd1', name: 'laptop' }];
    expect(tellingsOfFacts(facts, { ...facts, waiting }).map(({ kind }) => kind)).toEqual(['invites']);
    expect(tellingsOfFacts({ ...facts, waiting }, { ...facts, waiting })).toEqual([]);
  });

  test('of an absence that somebody may have noticed', () => {
    expect(tellingOfDowntime(14_000)).toBeUndefined();
    expect(
      [20_000, 60_000, 400_000, 9_000_000].map((ms) => tellingOfDowntime(ms)?.body.split('.')[0]),
    ).toEqual([
      'Reverie did not run for 20 seconds',
      'Reverie did not run for 1 minute',
      'Reverie did not run for 7 minutes',
      'Reverie did not run for 3 hours',
    ]);
  });
});
