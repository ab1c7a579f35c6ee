import type { Doing } from '@reverie/shared/contract/memories/today';
import { describe, expect, test } from 'vitest';
import { doingsOf } from './recent-doings.ts';

const doing = (
  actor: Doing['actor'],
  name: string | null,
  { hour = 9, namespace = 'work', ...counts }: Partial<Doing> & { hour?: number },
): Doing => ({
  actor,
  name,
  namespace,
  wrote: 0,
  changed: 0,
  deleted: 0,
  at: `2026-11-22T${String(hour).padStart(2, '0')}:00:00.000Z`,
  ...counts,
});
const claude = { kind: 'key', id: 'k1' } as const;
const nobody = new Map<string, string>();

describe('what was done since yesterday', () => {
  test('a line for each who and where, the latest first, in words', () => {
    const doings = [
      doing(claude, 'Claude Code', { wrote: 2, changed: 1 }),
      doing(claude, 'Claude Code', { wrote: 1, namespace: 'home', hour: 12 }),
    ];
    expect(doingsOf(doings, nobody)).toEqual([
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
    const doings = [
      doing({ kind: 'key', id: 'k2' }, 'Page', { wrote: 1 }),
      doing({ kind: 'key', id: 'k3' }, 'owner-key', { deleted: 1 }),
      doing({ kind: 'key', id: 'unknown' }, null, { wrote: 1, hour: 8 }),
      doing({ kind: 'device', id: 'd1' }, null, { wrote: 1, hour: 7 }),
      doing({ kind: 'device', id: 'd2' }, null, { wrote: 1, hour: 6 }),
      doing({ kind: 'job', id: 'j' }, null, { changed: 1, hour: 5 }),
    ];
    expect(doingsOf(doings, new Map([['d2', 'laptop']])).map(({ who, did }) => `${who} ${did}`)).toEqual([
      'You wrote one memory and deleted one',
      'A program wrote one memory',
      'Another device wrote one memory',
      'laptop wrote one memory',
      'A dream changed one memory',
    ]);
  });
});
