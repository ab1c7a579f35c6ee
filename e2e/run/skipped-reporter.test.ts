import { expect, test } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import { toldOfSkipped } from './skipped-reporter.ts';

test('a run without Chromium names the journeys that it did not make', () => {
  const skipped = [
    { file: 'e2e/journeys/today.test.ts', tests: 4 },
    { file: 'e2e/journeys/ask.test.ts', tests: 3 },
    { file: 'daemon/src/full-disk.test.ts', tests: 1 },
  ];
  expect(toldOfSkipped(skipped, false)).toEqual([
    `NOT RUN: 7 tests in 2 files, because there is no Chromium at ${CHROMIUM}:`,
    '  e2e/journeys/ask.test.ts',
    '  e2e/journeys/today.test.ts',
    'NOT RUN: 1 test in 1 file, because this machine lacks what they need:',
    '  daemon/src/full-disk.test.ts',
  ]);
  expect(toldOfSkipped(skipped.slice(0, 1), true)).toEqual([
    'NOT RUN: 4 tests in 1 file, because this machine lacks what they need:',
    '  e2e/journeys/today.test.ts',
  ]);
});

test('a whole run says nothing', () => {
  expect(toldOfSkipped([], false)).toEqual([]);
});
