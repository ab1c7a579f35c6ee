import type { AccountId } from '@reverie/shared/accounts/caller';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, expect, test } from 'vitest';
import { createMatchers, type Matchers } from './matching.ts';

const [ann, ben, cid] = [1, 2, 3].map((id) => id as AccountId) as [AccountId, AccountId, AccountId];
/** Takes longer than anybody waits on 40 letters. */
const ENDLESS = { pattern: '(a+)+$', regex: true, ignoreCase: false };
const PLAIN = { pattern: 'needle', regex: false, ignoreCase: false };
const hay = { texts: ['hay\na needle', 'hay'], context: 0, most: 9 };
const endless = { texts: [`${'a'.repeat(40)}!`], context: 0, most: 9 };
const FOUND = [
  { text: 0, matched: { count: 1, lines: [{ line: 2, text: 'a needle', before: [], after: [] }] } },
];

let matchers: Matchers;
const started = (thread: number) =>
  (matchers = createMatchers({ thread, call: seconds(60), idle: seconds(60) }));
afterEach(() => matchers.stop());

test('a pattern that never ends is ended with its thread, and the next call has another', async () => {
  const { begin } = started(300);
  const first = await begin(ann, ENDLESS);
  expect(await first.match(endless)).toBeUndefined();
  expect(await first.match(endless)).toBeUndefined();
  first.end();
  // The next one has its time for itself, in which its thread has to start.
  matchers.stop();
  const second = await started(seconds(60)).begin(ann, PLAIN);
  expect(await second.match(hay)).toEqual(FOUND);
  second.end();
});

test('an account has one call at a time, and does not hold up others', async () => {
  const { begin } = started(seconds(60));
  const first = await begin(ann, PLAIN);
  let isBegun = false;
  const again = begin(ann, PLAIN).then((matching) => {
    isBegun = true;
    return matching;
  });
  const other = await begin(ben, PLAIN);
  expect(await other.match(hay)).toEqual(FOUND);
  expect(isBegun).toBe(false);
  first.end();
  const second = await again;
  expect(await second.match(hay)).toEqual(FOUND);
  second.end();
  other.end();
});

test('of those who wait the first begins whose account has no call', async () => {
  const { begin } = started(seconds(60));
  const order: string[] = [];
  const [first, second] = [await begin(ann, PLAIN), await begin(ben, PLAIN)];
  const waiting = (
    [
      [ann, 'ann'],
      [cid, 'cid'],
    ] as const
  ).map(async ([account, name]) => {
    const matching = await begin(account, PLAIN);
    order.push(name);
    return matching;
  });
  second.end();
  (await waiting[1])?.end();
  first.end();
  (await waiting[0])?.end();
  expect(order).toEqual(['cid', 'ann']);
});

test('what is waited for beside the thread ends with the call', async () => {
  matchers = createMatchers({ thread: seconds(60), call: 50, idle: seconds(60) });
  const matching = await matchers.begin(ann, PLAIN);
  expect(await matching.inTime(new Promise(() => undefined))).toBeUndefined();
  expect(await matching.match(hay)).toBeUndefined();
  matching.end();
});
