import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { acceptInvite, type Invite, mayManage, mayWrite } from './membership.ts';
import { makePairingCode, pairingRules, readPairingCode, showPairingCode, tryCode } from './pairing.ts';
import { createRoomTable } from './room-table.ts';

const NOW = 1000;

describe('roles', () => {
  test('viewers read, editors write, owners manage', () => {
    expect((['viewer', 'editor', 'owner'] as const).map((role) => [mayWrite(role), mayManage(role)])).toEqual(
      [
        [false, false],
        [true, false],
        [true, true],
      ],
    );
  });

  test('an invite lets in, raises, and never lowers', () => {
    const invite: Invite = { room: 'r', role: 'editor', usesLeft: 1, expiresAt: NOW + 1 };
    const accept = (more: Partial<Invite>, has?: 'viewer' | 'editor' | 'owner', isRight = true) =>
      acceptInvite({ ...invite, ...more }, { isRight, has, now: NOW });
    expect(accept({})).toEqual({ kind: 'joined', role: 'editor' });
    expect(accept({}, 'viewer')).toEqual({ kind: 'joined', role: 'editor' });
    expect(accept({}, 'owner')).toEqual({ kind: 'member_already', role: 'owner' });
    expect(accept({ role: 'viewer' }, 'editor')).toEqual({ kind: 'member_already', role: 'editor' });
    for (const outcome of [
      accept({}, undefined, false),
      accept({ usesLeft: 0 }),
      accept({ expiresAt: NOW }),
      acceptInvite(undefined, { isRight: true, has: undefined, now: NOW }),
    ])
      expect(outcome).toEqual({ kind: 'void' });
  });
});

describe('pairing codes', () => {
  test('are read as they are shown, however they are typed', () => {
    const code = makePairingCode(Uint8Array.from({ length: 12 }, (_, i) => i * 21));
    const shown = showPairingCode(code);
    expect(shown).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/);
    expect(readPairingCode(shown)).toEqual(code);
    expect(readPairingCode(` ${shown.toLowerCase().replaceAll('-', ' ')} `)).toEqual(code);
    expect(readPairingCode('OIL0-0000-0000')).toEqual(readPairingCode('0110-0000-0000'));
    for (const wrong of ['', 'AAAA', `${shown}A`, 'UUUU-UUUU-UUUU'])
      expect(readPairingCode(wrong)).toBeUndefined();
  });

  test('have 40 bits of secret', () => {
    expect(32 ** makePairingCode(new Uint8Array(12)).secret.length).toBeGreaterThanOrEqual(2 ** 40);
  });

  test('work until they expire or five tries were wrong', () => {
    const code = { wrongTries: 0, expiresAt: NOW + 1 };
    expect(tryCode(code, { isRight: true, now: NOW })).toBe('admitted');
    expect(tryCode(code, { isRight: false, now: NOW })).toBe('wrong');
    expect(tryCode({ ...code, wrongTries: pairingRules.wrongTries - 1 }, { isRight: true, now: NOW })).toBe(
      'admitted',
    );
    for (const dead of [
      undefined,
      { ...code, expiresAt: NOW },
      { ...code, wrongTries: pairingRules.wrongTries },
    ])
      expect(tryCode(dead, { isRight: true, now: NOW })).toBe('dead');
  });
});

describe('the table of rooms', () => {
  test('who has read all is told; who is slow reads the log again, and misses nothing', () => {
    const table = createRoomTable<string>();
    const fast = table.subscribe('fast', 'r', { sent: 0, head: 2 });
    const slow = table.subscribe('slow', 'r', { sent: 2, head: 2 });
    expect(table.caughtUp(fast, { seq: 1 })).toBe(false);
    // What is known of is read: nothing more is looked for.
    expect(table.caughtUp(fast, { seq: 2 })).toBe(true);
    expect(table.caughtUp(slow, 'empty')).toBe(true);
    expect(table.committed('r', { first: 3, head: 4 }, (one) => one === 'slow')).toEqual({
      live: ['fast'],
      slowed: [slow],
      isGap: false,
    });
    expect(table.committed('r', { first: 5, head: 5 }, () => false)).toEqual({
      live: ['fast'],
      slowed: [],
      isGap: false,
    });
    expect(slow.sent).toBe(2);
    table.leave('fast');
    table.unsubscribe('slow', 'r');
    expect(table.committed('r', { first: 6, head: 6 }, () => false)).toEqual({
      live: [],
      slowed: [],
      isGap: false,
    });
  });

  test('in any order of commits, pages and slowness each reader gets each entry once and in order', () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('commit' as const),
        count: fc.integer({ min: 1, max: 4 }),
        slow: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('look' as const) }),
      fc.record({ kind: fc.constant('page' as const), size: fc.integer({ min: 1, max: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(5), (steps, behind) => {
        const table = createRoomTable<string>();
        let head = behind;
        const reader = table.subscribe('c', 'r', { sent: 0, head });
        const got: number[] = [];
        let seen: number | undefined;
        const push = (from: number, to: number) => {
          for (let seq = from; seq <= to; seq += 1) got.push(seq);
        };
        for (const one of steps) {
          if (one.kind === 'commit') {
            const first = head + 1;
            head += one.count;
            const { live } = table.committed('r', { first, head }, () => one.slow);
            if (live.length > 0) push(first, head);
            // A look into the log: what it saw may be older by the time that it is told.
          } else if (one.kind === 'look') seen = reader.mode === 'reading' ? head : undefined;
          else if (reader.mode === 'reading' && seen !== undefined) {
            const to = Math.min(seen, reader.sent + one.size);
            const isEmpty = to <= reader.sent;
            if (!isEmpty) push(reader.sent + 1, to);
            table.caughtUp(reader, isEmpty ? 'empty' : { seq: to });
            seen = undefined;
          }
        }
        while (reader.mode === 'reading') {
          push(reader.sent + 1, head);
          table.caughtUp(reader, reader.sent < head ? { seq: head } : 'empty');
        }
        expect(got).toEqual(Array.from({ length: head }, (_, i) => i + 1));
      }),
      { numRuns: runs(50, 500) },
    );
  });
});
