import { afterAll, beforeAll, describe } from 'vitest';
import { startPostgres, type TestPostgres } from '../../cloud/src/testing/postgres.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  process.env['REVERIE_TEST_POSTGRES'] = await postgres.database();
});
afterAll(async () => {
  delete process.env['REVERIE_TEST_POSTGRES'];
  await postgres.remove();
});

// The journeys as they are, with two nodes on Postgres in the place of the relay that they know. Not among them are those that put another
// file in the place of the relay's database, which has none here: `sync-apart`, `sync-storm` and `sync-full-disk`.
describe('two nodes, kills at every step', async () => {
  await import('./sync-killed.test.ts');
});
describe('two nodes, a dead line', async () => {
  await import('./sync-half-open.test.ts');
});
describe('two nodes, lies between', async () => {
  await import('./sync-liar.test.ts');
});
describe('two nodes, devices', async () => {
  await import('./devices.test.ts');
});
describe('two nodes, invites', async () => {
  await import('./invite.test.ts');
});
describe('two nodes, namespaces that left', async () => {
  await import('./sync-lost.test.ts');
});
