import { afterEach, expect, test } from 'vitest';
import { reach } from './daemon/api.ts';
import { onceFetched } from './late-part.ts';

const missing = new TypeError('Failed to fetch dynamically imported module');

afterEach(() => reach.set('up'));

test('a page that fails to load while the daemon is away is fetched when it is back', async () => {
  const answers = [() => Promise.reject(missing), () => Promise.resolve('the page')];
  reach.set('down');
  const part = onceFetched(() => answers.shift()?.() ?? Promise.reject(missing))();
  await new Promise(setImmediate);
  expect(answers).toHaveLength(1);
  reach.set('up');
  expect(await part).toBe('the page');
});

test('one that is missing from a daemon that answers is left to the router, which reloads', async () => {
  await expect(onceFetched(() => Promise.reject(missing))()).rejects.toBe(missing);
});
