import { LONGEST_AHEAD } from '@reverie/shared/document/clock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRelayTime } from './relay-time.ts';

const NOW = 1_800_000_000_000;
/** The clock that nobody sets. */
let passed: number;
beforeEach(() => {
  passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => passed);
});
afterEach(() => vi.restoreAllMocks());

test('a machine that is ahead by half of what a relay takes is believed, and beyond that the relay is', () => {
  const time = createRelayTime({ now: () => NOW });
  time.told(NOW - LONGEST_AHEAD / 2);
  expect([time.ahead(), time.now()]).toEqual([0, NOW]);
  time.told(NOW - LONGEST_AHEAD / 2 - 1);
  expect([time.ahead(), time.now()]).toEqual([LONGEST_AHEAD / 2 + 1, NOW - LONGEST_AHEAD / 2 - 1]);
  // One that is behind is believed, too: the changes of others move it on.
  time.told(NOW + 10 * LONGEST_AHEAD);
  expect([time.ahead(), time.now()]).toEqual([0, NOW]);
});

test('a clock that jumps after the relay told its time is found out when the relay doubts it', () => {
  let now = NOW;
  const time = createRelayTime({ now: () => now });
  time.told(NOW);
  passed = 1_000;
  now = NOW + 1_000 + LONGEST_AHEAD;
  expect(time.ahead()).toBe(0);
  time.doubted();
  expect([time.ahead(), time.now()]).toEqual([LONGEST_AHEAD, NOW + 1_000]);
  time.lost();
  expect([time.ahead(), time.now()]).toEqual([0, now]);
});

test('the latest stamp is by whichever of both clocks is later', () => {
  const time = createRelayTime({ now: () => NOW });
  const alone = time.latest();
  time.told(NOW + 5_000);
  expect(time.latest()).toBe(alone + 5_000);
  passed = 2_000;
  expect(time.latest()).toBe(alone + 7_000);
  time.told(NOW - 5_000);
  expect(time.latest()).toBe(alone);
});
