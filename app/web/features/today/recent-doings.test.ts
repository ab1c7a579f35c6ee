import type { Event, EventType } from '@reverie/shared/contract/events';
import { describe, expect, test } from 'vitest';
import { doingsOf, startOfYesterday } from './recent-doings.ts';

let seq = 0;
const event = (type: EventType, actor: Event['actor'], { namespace = 'work', hour = 9 } = {}): Event => ({
  id: `evt_${++seq}`,
  seq,
  type,
  namespace,
  created_at: `2026-11-22T${String(hour).padStart(2, '0')}:00:00.000Z`,
  actor,
  data: { before: null, after: null },
});
const claude = { kind: 'key', id: 'k1' } as const;
const names = new Map([
  ['k1', 'Claude Code'],
  ['k2', 'Page'],
  ['k3', 'owner-key'],
]);

describe('what was done since yesterday', () => {
  test('a line for each who and where, the latest first, in words', () => {
    const events = [
      event('memory.write', claude, { hour: 8 }),
      event('memory.write', claude),
      event('memory.update', claude),
      event('memory.write', claude, { namespace: 'home', hour: 12 }),
      event('dream.started', claude, { hour: 13 }),
    ];
    expect(doingsOf(events, names)).toEqual([
      { who: 'Claude Code', namespace: 'home', did: 'wrote one memory', at: '2026-11-22T12:00:00.000Z' },
      {
        who: 'Claude Code',
        namespace: 'work',
        did: 'wrote two memories and changed one',
        at: '2026-11-22T09:00:00.000Z',
      },
    ]);
  });

  test('the page and the command line are the same person; who cannot be named is still somebody', () => {
    const events = [
      event('memory.write', { kind: 'key', id: 'k2' }),
      event('memory.delete', { kind: 'key', id: 'k3' }),
      event('memory.write', { kind: 'key', id: 'unknown' }, { hour: 8 }),
      event('memory.write', { kind: 'device', id: 'd1' }, { hour: 7 }),
      event('memory.update', { kind: 'job', id: 'j' }, { hour: 6 }),
    ];
    expect(doingsOf(events, names).map(({ who, did }) => `${who} ${did}`)).toEqual([
      'You wrote one memory and deleted one',
      'A program wrote one memory',
      'Another device wrote one memory',
      'A dream changed one memory',
    ]);
  });

  test('yesterday begins at the reader’s midnight', () => {
    expect(startOfYesterday(new Date(2026, 10, 23, 7).getTime())).toBe(new Date(2026, 10, 22).getTime());
  });
});
