import { afterAll, beforeAll, describe } from 'vitest';
import { startPostgres, type TestPostgres } from './testing/postgres.ts';
import { onPostgres } from './testing/relay.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  onPostgres.url = () => postgres.database();
});
afterAll(() => postgres.remove());

// What a relay promises its devices, it promises them on Postgres: the same tests, as they are.
describe('on Postgres, syncing', async () => {
  await import('./syncing.test.ts');
});
describe('on Postgres, linking', async () => {
  await import('./linking.test.ts');
});
describe('on Postgres, shared documents', async () => {
  await import('./notes/notes.test.ts');
});
