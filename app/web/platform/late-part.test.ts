import { afterEach, expect, test } from 'vitest';
import { reach } from './api.ts';
import { orUnfetched, Unfetched } from './late-part.ts';

const missing = new TypeError('Failed to fetch dynamically imported module');
const load = orUnfetched(() => Promise.reject(missing));

afterEach(() => reach.set('up'));

test('a page that fails to load while the daemon is away is no reason for the router to reload', async () => {
  reach.set('down');
  await expect(load()).rejects.toBeInstanceOf(Unfetched);
});

test('one that is missing from a daemon that answers is left to the router, which reloads', async () => {
  await expect(load()).rejects.toBe(missing);
});
