import { expect, it } from 'vitest';
import { createYielding } from './yielding.ts';

it('gives others their turn only where the thread was held for long', async () => {
  let now = 0;
  const yieldToOthers = createYielding(() => now);
  let others = 0;
  setImmediate(() => (others += 1));
  await yieldToOthers();
  expect(others).toBe(0);
  now = 25;
  await yieldToOthers();
  expect(others).toBe(1);
  setImmediate(() => (others += 1));
  now = 49;
  await yieldToOthers();
  expect(others).toBe(1);
});
