import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { growthOf } from './young-generation.ts';

test('a small young generation may grow, a large one stays as it is', () => {
  expect([1e6, 8.4e6, 16.7e6, 33.6e6, 130e6].map(growthOf)).toEqual([2, 2, 1, 1, 1]);
});

test('a load makes it neither stay small nor grow to its limit', () => {
  const program = `
    import v8 from 'node:v8';
    import { holdYoungGeneration } from ${JSON.stringify(import.meta.resolve('./young-generation.ts'))};
    const size = () => v8.getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size / 1e6;
    holdYoungGeneration();
    let kept = [];
    let largest = 0;
    for (let turn = 0; turn < 300; turn++) {
      // Half of it lives long enough to be met by the collector.
      for (let i = 0; i < 4000; i++) kept.push({ text: [turn, i, 'word', turn * i] });
      if (kept.length > 200_000) kept = kept.slice(100_000);
      // V8 takes it back in a pause, and a busy machine has pauses: the largest is what the load was given.
      largest = Math.max(largest, size());
      await new Promise((resolve) => setImmediate(resolve));
    }
    console.log(largest);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(Number(stdout)).toBeGreaterThan(16);
  expect(Number(stdout)).toBeLessThan(50);
});
