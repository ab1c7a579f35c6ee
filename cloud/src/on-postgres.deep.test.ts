import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from './testing/device.ts';
import { startPostgres, type TestPostgres } from './testing/postgres.ts';
import { onPostgres, startRelay } from './testing/relay.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  onPostgres.url = () => postgres.database();
});
afterAll(() => postgres.remove());

// What a relay promises its devices, it promises them on Postgres: the same tests, as they are.
describe('on Postgres, syncing', async () => {
  await import('./transport/syncing.test.ts');
});
describe('on Postgres, linking', async () => {
  await import('./linking.test.ts');
});
describe('on Postgres, files of rooms', async () => {
  await import('./files/files.test.ts');
});
describe('on Postgres, people of rooms', async () => {
  await import('./people.test.ts');
});
describe('on Postgres, shared documents', async () => {
  await import('./notes/notes.test.ts');
});

test('while Postgres is away a relay is not well, and asks to come again', async () => {
  const relay = await startRelay();
  const health = async () => (await fetch(`${relay.origin}/healthz`)).status;
  expect(await health()).toBe(200);
  await postgres.stop();
  const link = call(relay.origin, {
    method: 'POST',
    path: '/link',
    body: { email: 'a@example.org', name: 'x' },
  });
  expect(await health()).toBe(503);
  expect(await link).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  await postgres.start();
  await expect.poll(health).toBe(200);
  await relay.stop();
});
