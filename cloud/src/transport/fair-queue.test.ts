import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

test('accounts take turns, each in the order of what it brought', () => {
  const queue = createFairQueue<string>(100);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item, 1);
  const took: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) took.push(item);
  expect(took).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('who comes after one that brought much has the next turn, not the last', () => {
  const queue = createFairQueue<string>(100);
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item, 1);
  expect(queue.next()).toBe('a1');
  queue.add('b', 'b1', 1);
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['b1', 'a2', 'a3']);
});

test('an account holds so much at most, also of what is being worked on; others are not kept out by it', () => {
  const queue = createFairQueue<string>(10);
  expect(queue.add('a', 'larger than all', 50)).toBe(true);
  expect(queue.add('a', 'more', 1)).toBe(false);
  expect(queue.add('b', 'of another', 9)).toBe(true);
  const first = queue.next();
  expect(queue.add('a', 'more', 1)).toBe(false);
  queue.done(first ?? '');
  queue.done(first ?? '');
  expect(queue.add('a', 'more', 1)).toBe(true);
  expect([first, queue.next(), queue.next(), queue.next()]).toEqual([
    'larger than all',
    'of another',
    'more',
    undefined,
  ]);
});

test('whatever comes, nobody waits for more than one item of each other account', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined })), (steps) => {
      const queue = createFairQueue<{ account: string }>(5);
      const waiting: { account: string }[] = [];
      /** Items of others that went before the one that waits longest of an account, by account. */
      const passed = new Map<object, string[]>();
      for (const account of steps) {
        if (account !== undefined) {
          const item = { account };
          const isFirst = !waiting.some((one) => one.account === account);
          if (!queue.add(account, item, 1)) continue;
          waiting.push(item);
          if (isFirst) passed.set(item, []);
          continue;
        }
        const item = queue.next();
        expect(item === undefined).toBe(waiting.length === 0);
        if (!item) continue;
        queue.done(item);
        expect(waiting.find((one) => one.account === item.account)).toBe(item);
        waiting.splice(waiting.indexOf(item), 1);
        passed.delete(item);
        for (const list of passed.values()) {
          expect(list).not.toContain(item.account);
          list.push(item.account);
        }
        const next = waiting.find((one) => one.account === item.account);
        if (next) passed.set(next, []);
      }
    }),
  );
});
