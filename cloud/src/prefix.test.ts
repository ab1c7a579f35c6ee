import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { startRelay } from './testing/relay.ts';

test('what is asked for with the path of the public address, and without it, is the same', async () => {
  const relay = await startRelay({ RELAY_PUBLIC_URL: 'https://relay.example.org/reverie/' });
  const status = async (path: string) => (await fetch(relay.origin + path)).status;
  const paths = [
    '/readyz',
    '/reverie/readyz',
    '/reverie/readyz?x=1',
    '/reverie/v1/rooms',
    '/join/inv_1',
    '/reverie/join/inv_1',
  ];
  expect(await Promise.all(paths.map(status))).toEqual([200, 200, 200, 401, 404, 404]);
  expect(
    await Promise.all(['/reveries/readyz', '/reverie', '/reverie?x', '/reveriereadyz'].map(status)),
  ).toEqual([404, 404, 404, 404]);
  await relay.stop();
});

test('a path that the relay has itself is refused', () => {
  for (const path of ['/v1', '/join/', '/y/notes'])
    expect(() => readConfig({ RELAY_PUBLIC_URL: `https://relay.example.org${path}` })).toThrow(
      "is one of the relay's own; choose another",
    );
  expect(readConfig({ RELAY_PUBLIC_URL: 'https://relay.example.org/' })).toBeDefined();
});
