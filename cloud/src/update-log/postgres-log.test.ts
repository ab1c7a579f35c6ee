import { afterAll, beforeAll, describe } from 'vitest';
import { migrate } from '../db/postgres/migrate.ts';
import { createPool } from '../db/postgres/pool.ts';
import { startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { createPostgresLog } from './postgres-log.store.ts';
import { updateLogBehaves } from './testing/update-log-behaves.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

describe('a log in Postgres', () =>
  updateLogBehaves(async () => {
    const pool = createPool({ url: await postgres.database(), connections: 4, failed: () => undefined });
    const { logId } = await migrate(pool);
    return { log: createPostgresLog(pool, () => logId), close: () => pool.close() };
  }));
