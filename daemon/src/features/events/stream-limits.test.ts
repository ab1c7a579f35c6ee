import type { AccountId } from '@reverie/shared/accounts/caller';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overdrawn } from './stream-limits.ts';

const [a, b] = [1, 2] as AccountId[] as [AccountId, AccountId];
const of = (account: AccountId, unsent: number, isClosing = false) => ({ account, unsent, isClosing });
const LIMIT = { unsentOfAll: 100 };

test('within the limit nobody goes', () => {
  const streams = [of(a, 60), of(b, 40), of(b, 90, true)];
  expect(overdrawn(streams, LIMIT)).toEqual({ toClose: [], toDrop: [], left: 100 });
});

test('the account that is behind by most goes first, with its slowest stream', () => {
  const most = of(b, 50);
  const streams = [of(a, 60), of(b, 30), most, of(b, 30)];
  expect(overdrawn(streams, LIMIT).toClose).toEqual([most, streams[0]]);
});

test('those that were told to go are dropped when with them it is twice as much', () => {
  const largest = of(b, 80, true);
  expect(overdrawn([of(a, 60), of(a, 40), of(b, 60, true), largest], LIMIT).toDrop).toEqual([largest]);
});

test('property: what is left is within the limit, and nobody goes without need', () => {
  const stream = fc.record({
    account: fc.constantFrom(a, b, 3 as AccountId),
    unsent: fc.integer({ min: 0, max: 80 }),
    isClosing: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(stream, { maxLength: 12 }), (streams) => {
      const { toClose, toDrop, left } = overdrawn(streams, LIMIT);
      const sum = (some: readonly { unsent: number }[]) => some.reduce((all, { unsent }) => all + unsent, 0);
      const open = streams.filter(({ isClosing }) => !isClosing);
      expect(left).toBe(sum(open) - sum(toClose));
      expect(left).toBeLessThanOrEqual(100);
      expect(sum(streams) - sum(toDrop)).toBeLessThanOrEqual(200);
      if (sum(open) <= 100) expect(toClose).toEqual([]);
      for (const one of toDrop) expect(one.isClosing || toClose.includes(one)).toBe(true);
    }),
  );
});
