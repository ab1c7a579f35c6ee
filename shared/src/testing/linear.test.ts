import { expect, test } from 'vitest';
import { expectLinear } from './linear.ts';

/** Counts up to a number, which no compiler leaves out. */
function count(to: number): number {
  let sum = 0;
  for (let at = 0; at < to; at += 1) sum = (sum * 31 + at) | 0;
  return sum;
}

test('work that grows with its length passes, also where a look was disturbed', async () => {
  let looks = 0;
  await expectLinear((length) => {
    looks += 1;
    // The third is the first look at the longest.
    count(looks === 3 ? 4e9 / 8 : length);
  }, 80_000);
  expect(looks).toBe(5);
});

test('work that grows with the square of its length does not', async () => {
  await expect(expectLinear((length) => count(length * length), 18_432)).rejects.toThrow(
    /^18432 characters take .* an eighth/,
  );
});
