import { accountStoreBehaves } from '@reverie/shared/accounts/testing/account-store-behaves';
import { afterAll, beforeAll, describe } from 'vitest';
import { migrate } from '../db/postgres/migrate.ts';
import { createPool } from '../db/postgres/pool.ts';
import { createPostgresRecords } from '../db/postgres/postgres-records.ts';
import { startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { removeFrom } from '../testing/remove-from.ts';
import { createAccountStore } from './accounts.store.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

describe('accounts in Postgres', () =>
  accountStoreBehaves(async () => {
    const pool = createPool({ url: await postgres.database(), connections: 8, failed: () => undefined });
    await migrate(pool);
    const records = createPostgresRecords(pool);
    return { store: createAccountStore(records, removeFrom(records)), close: () => records.close() };
  }));
