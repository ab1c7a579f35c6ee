import { expect, test } from 'vitest';
import { percentOf, type Sample, secondsLeft, withSample } from './progress.ts';

const samplesOf = (...all: [at: number, done: number][]): Sample[] =>
  all.reduce<Sample[]>((before, [at, done]) => withSample(before, { at, done }), []);

test.each([
  [{ done: 0, total: 100_000 }, 0],
  [{ done: 12_400, total: 100_000 }, 12],
  [{ done: 99_999, total: 100_000 }, 99],
  [{ done: 100_000, total: 100_000 }, 100],
  [{ done: 100_001, total: 100_000 }, 100],
  [{ done: -1, total: 10 }, 0],
  [{ done: 0, total: 0 }, 100],
])('%o is %i %%', (of, percent) => {
  expect(percentOf(of)).toBe(percent);
});

test('the rest takes as long as the rate of lately says', () => {
  const samples = samplesOf([0, 0], [1000, 100], [2000, 200]);
  expect(secondsLeft(samples, { done: 200, total: 1000, now: 2000 })).toBe(8);
  // Slower than it was: what is older than ten seconds does not count.
  const slower = samplesOf([0, 0], [1000, 5000], [11_000, 5100], [12_000, 5200]);
  expect(secondsLeft(slower, { done: 5200, total: 5300, now: 12_000 })).toBe(1);
});

test('there is no rate before a second is over, nor where nothing moves', () => {
  expect(secondsLeft([], { done: 0, total: 10, now: 5000 })).toBeNull();
  expect(secondsLeft(samplesOf([0, 0]), { done: 5, total: 10, now: 900 })).toBeNull();
  expect(secondsLeft(samplesOf([0, 5], [2000, 5]), { done: 5, total: 10, now: 2000 })).toBeNull();
  // An outage: what was measured is too long ago.
  expect(secondsLeft(samplesOf([0, 0], [2000, 5]), { done: 5, total: 10, now: 13_000 })).toBeNull();
});

test('what was measured before a step back is forgotten', () => {
  expect(samplesOf([0, 100], [1000, 200], [2000, 50])).toEqual([{ at: 2000, done: 50 }]);
  expect(samplesOf([5000, 100], [1000, 200])).toEqual([{ at: 1000, done: 200 }]);
});
