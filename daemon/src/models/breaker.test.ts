import { expect, test } from 'vitest';
import { createBreaker } from './breaker.ts';

test('waits longer with each failure in a row, up to five minutes, and not at all after a success', () => {
  let now = 1000;
  const breaker = createBreaker({ now: () => now, random: () => 1 });
  expect([breaker.wait(), breaker.state()]).toEqual([0, { state: 'ok', since: 1000, error: null }]);
  const waits = Array.from({ length: 12 }, () => {
    breaker.failed('it does not answer');
    return breaker.wait();
  });
  expect(waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
  expect(waits.at(-1)).toBe(300_000);
  now = 5000;
  expect(breaker.state()).toEqual({ state: 'down', since: 1000, error: 'it does not answer' });
  breaker.succeeded();
  expect([breaker.wait(), breaker.state()]).toEqual([0, { state: 'ok', since: 5000, error: null }]);
  breaker.failed('again');
  expect(breaker.wait()).toBe(1000);
});

test('shortens waits by chance, and keeps to what the server asks for', () => {
  const breaker = createBreaker({ now: () => 0, random: () => 0 });
  breaker.failed('busy');
  expect(breaker.wait()).toBe(500);
  breaker.failed('busy', 30_000);
  expect(breaker.wait()).toBe(30_000);
  breaker.failed('busy', 1e12);
  expect(breaker.wait()).toBe(3_600_000);
});
