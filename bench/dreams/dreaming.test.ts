import { expect, test } from 'vitest';
import { watchFor } from './dreaming.ts';

test('what goes on is waited for, however long it takes', () => {
  let now = 0;
  const isStuck = watchFor(300, () => now);
  for (let left = 20; left > 0; left -= 1) {
    now += 200;
    expect(isStuck({ left })).toBe(false);
  }
});

test('what stands still is not', () => {
  let now = 0;
  const isStuck = watchFor(300, () => now);
  expect(isStuck({ left: 3 })).toBe(false);
  now = 300;
  expect(isStuck({ left: 3 })).toBe(false);
  now = 301;
  expect(isStuck({ left: 3 })).toBe(true);
  expect(isStuck({ left: 2 })).toBe(false);
});
