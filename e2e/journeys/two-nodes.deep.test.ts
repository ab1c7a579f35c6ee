import { afterAll, beforeAll, describe } from 'vitest';
import { startPostgres, type TestPostgres } from '../../cloud/src/testing/postgres.ts';

// Some journeys and tests as they are, with two nodes on Postgres in the place of the relay that they know. All of them run so with
// `REVERIE_TEST_RELAY=two-nodes npx vitest run e2e/journeys/{sync,devices,invite,shared}`, where this file would be the same again.
describe.skipIf(process.env['REVERIE_TEST_RELAY'] !== undefined)('two nodes', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
    process.env['REVERIE_TEST_POSTGRES'] = await postgres.database();
  });
  afterAll(async () => {
    delete process.env['REVERIE_TEST_POSTGRES'];
    await postgres.remove();
  });

  describe('a relay that is killed again and again, and one that is restored', async () => {
    await import('./sync-storm.deep.test.ts');
  });
  describe('a relay that is another one, moved, or was restored', async () => {
    await import('./relay-replaced.test.ts');
  });
  describe('invites', async () => {
    await import('./invite.test.ts');
  });
  describe('a recovery', async () => {
    await import('../../daemon/src/sync/people/recovering.test.ts');
  });
  describe('roles, invites and owners', async () => {
    await import('../../daemon/src/sync/people/people.test.ts');
  });
});
