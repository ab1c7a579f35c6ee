import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

test('lets a burst through, then as much as fills in, and says how long to wait', () => {
  const throttle = createThrottle({ perSecond: 10, burst: 20 });
  expect(throttle.take(20, 1000)).toBe(0);
  expect(throttle.take(1, 1000)).toBe(100);
  expect(throttle.take(4, 1000)).toBe(500);
  expect(throttle.take(1, 1600)).toBe(0);
  // It never holds more than the burst, however long nothing came.
  expect(throttle.take(21, 1_000_000)).toBe(100);
});

test('a clock that is set back by a minute makes nobody wait for it', () => {
  const throttle = createThrottle({ perSecond: 10, burst: 20 });
  throttle.take(1, 100_000);
  expect(throttle.take(1, 40_000)).toBe(0);
  expect(throttle.take(20, 41_000)).toBe(0);
});
