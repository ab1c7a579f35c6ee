import { expect, test } from 'vitest';
import { progressWords } from './progress-words.ts';

const formatCount = (count: number) => count.toLocaleString('en');

test.each([
  [null, ''],
  [0, ', a few seconds left'],
  [5, ', a few seconds left'],
  [37, ', about 40 s left'],
  [90, ', about 90 s left'],
  [91, ', about 2 min left'],
  [5400, ', about 90 min left'],
  [7300, ', about 2 h left'],
])('%s s left are told%s', (seconds_left, said) => {
  const progress = { done: 12_400, total: 100_000, percent: 12, seconds_left };
  expect(progressWords('upload', progress, formatCount)).toBe(
    `Uploading 12,400 of 100,000 memories, 12 %${said}`,
  );
  expect(progressWords('download', progress, formatCount)).toBe(`Downloading, 12 %${said}`);
});
