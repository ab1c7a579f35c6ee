import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

test('what a device wrote through another node is known, though this one believes that it has all of it', async () => {
  const url = await postgres.database();
  const pools = [1, 2].map(() => createPool({ url, connections: 2, failed: () => undefined }));
  const [one, two] = await Promise.all(
    pools.map(async (pool) => {
      const { logId } = await migrate(pool);
      return createPostgresLog(pool, () => logId);
    }),
  );
  const write = (...ns: number[]) =>
    ns.map((n) => ({
      room: 'a',
      epoch: 0,
      device: 'd',
      incarnation: 'i',
      entry: { kind: 'update' as const, n, at: 1, bucket: 0, enc: true, body: new Uint8Array([n]) },
    }));
  await one?.open('a');
  await one?.append(write(1));
  await two?.append(write(2, 3));
  const outcomes = await one?.append(write(2, 3, 4));
  expect(outcomes?.map((outcome) => outcome.kind)).toEqual(['known', 'known', 'stored']);
  const { entries = [] } = (await two?.since('a', 0, { entries: 10, bytes: 1000 })) ?? {};
  expect(entries.map(({ seq, n }) => [seq, n])).toEqual([1, 2, 3, 4].map((n) => [n, n]));
  await Promise.all(pools.map((pool) => pool.close()));
});
