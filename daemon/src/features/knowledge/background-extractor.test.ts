import { expect, test } from 'vitest';
import { createBackgroundExtractor } from './background-extractor.ts';

test('a batch has its time from when the thread is loaded, which takes longer than that here', async () => {
  const extractor = createBackgroundExtractor(100);
  expect(await extractor.extract([])).toEqual([]);
  expect(await extractor.extract([])).toEqual([]);
  extractor.rest();
});
