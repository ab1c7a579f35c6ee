import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { systemClock } from '@reverie/shared/time/clock';
import { readConfig } from '../config.ts';
import { openPostgres } from '../db/postgres/postgres-storage.ts';
import { buildRelay } from '../relay.ts';
import { startBalancer } from './balancer.ts';
import { databaseOf } from './home-database.ts';

/**
 * Two nodes and a load balancer in one process, which stands in the place of a relay for tests that know of one only: it takes the same
 * settings, and says the same when it is ready. The database of a home is one of `REVERIE_TEST_POSTGRES`.
 */
async function main(): Promise<void> {
  const { REVERIE_TEST_POSTGRES: server = '', ...env } = process.env;
  const config = readConfig(env);
  const url = await databaseOf(server, config.RELAY_HOME);
  const balancer = await startBalancer(config.RELAY_PORT);
  const log = pino({ level: config.RELAY_LOG_LEVEL }, pino.destination({ dest: 2, sync: true }));

  async function startNode() {
    const storage = await openPostgres({ url, sessionUrl: url, connections: 6, pollMs: 1000 }, log);
    const own = { ...config, RELAY_PUBLIC_URL: config.RELAY_PUBLIC_URL ?? balancer.origin };
    const leave = (why: string) => log.error({ why }, 'a node has to leave');
    const relay = await buildRelay({ config: own, storage, clock: systemClock, log, leave });
    await relay.http.listen({ host: '127.0.0.1', port: 0 });
    const origin = `http://127.0.0.1:${(relay.http.server.address() as AddressInfo).port}`;
    relay.listensAt(origin);
    await relay.startBackground();
    return { origin, stop: () => relay.stop().then(() => storage.close()) };
  }

  const nodes = await Promise.all([startNode(), startNode()]);
  balancer.nodes(nodes.map(({ origin }) => origin));
  process.on('SIGTERM', () => {
    Promise.all(nodes.map((node) => node.stop()))
      .then(() => process.exit(0))
      .catch((err: unknown) => {
        log.fatal({ err }, 'the stop failed');
        process.exit(1);
      });
  });
  process.stdout.write(`Reverie relay is ready at ${balancer.origin}\n`);
}

await main();
