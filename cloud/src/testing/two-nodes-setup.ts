import { startPostgres } from './postgres.ts';

/**
 * With `REVERIE_TEST_RELAY=two-nodes`, a Postgres for a run of tests: each relay that they start is two nodes on it, behind a load balancer.
 * `REVERIE_TEST_RELAY=two-nodes npx vitest run e2e/journeys/sync`. `vitest.config.ts` names it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { REVERIE_TEST_RELAY: kind } = process.env;
  if (kind !== 'two-nodes')
    throw new Error(`REVERIE_TEST_RELAY is ${String(kind)}; two-nodes is what there is`);
  const postgres = await startPostgres();
  process.env['REVERIE_TEST_POSTGRES'] = await postgres.database();
  return () => postgres.remove();
}
