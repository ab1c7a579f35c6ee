import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { setInterval as every } from 'node:timers/promises';
import { type Linked, openRoom, signUp } from './testing/device.ts';
import { type Cable, createNetwork, type Network, whyNoNetwork } from './testing/network.ts';
import { startNodes, type TestNode, type TestNodes } from './testing/nodes.ts';
import { startPostgres, type TestPostgres } from './testing/postgres.ts';
import { expectAllThere, more, startWriters } from './testing/steady-writers.ts';

const why = whyNoNetwork();
if (why !== undefined) console.warn(`SKIPPED: this machine lets no test make a network: ${why}`);

describe.skipIf(why !== undefined)('the network between a node and Postgres', () => {
  let network: Network;
  let postgres: TestPostgres;
  let nodes: TestNodes;
  let machines: { node: TestNode; line: Cable }[];
  let first: Linked;
  let room: string;
  let asking: AbortController;

  /** A node on a machine of its own, with a line of its own to the machine of Postgres. */
  async function startNode(url: string, at: Parameters<Network['cable']>[1]) {
    const machine = network.machine();
    const line = network.cable(machine, at);
    const node = await nodes.start(
      {
        RELAY_DATABASE_URL: Object.assign(new URL(url), { hostname: line.far }).href,
        RELAY_HOST: machine.address,
        RELAY_ALLOW_PLAIN_HTTP: 'true',
        RELAY_PUBLIC_URL: nodes.origin,
      },
      machine.namespace,
    );
    return { node, line };
  }

  const isReady = async ({ origin }: TestNode) => {
    const headers = { host: new URL(nodes.origin).host };
    const answer = await fetch(`${origin}/readyz`, { headers, signal: AbortSignal.timeout(1000) });
    return answer.status === 200;
  };

  /** As load balancers do: who is not ready is sent nobody. */
  async function askWhoIsReady(): Promise<void> {
    for await (const _ of every(200, undefined, { signal: asking.signal })) {
      const ready = await Promise.all(nodes.nodes.map((node) => isReady(node).catch(() => false)));
      nodes.balancer.nodes(nodes.nodes.filter((_, n) => ready[n]).map(({ origin }) => origin));
    }
  }

  beforeEach(async () => {
    network = createNetwork();
    const machine = network.machine();
    postgres = await startPostgres({
      namespace: machine.namespace,
      host: machine.address,
      settings: { listen_addresses: '*' },
    });
    const url = await postgres.database();
    nodes = await startNodes(0, url);
    machines = [await startNode(url, machine), await startNode(url, machine)];
    asking = new AbortController();
    askWhoIsReady().catch(() => undefined);
    first = await signUp(nodes.origin, 'a@example.org');
    room = await openRoom(nodes.origin, first, 'default');
  });
  afterEach(async () => {
    asking.abort();
    await nodes.stop();
    await postgres.remove();
    network.remove();
  });

  test('is cut under load, in both directions and in one: clients move to the other node, nothing acknowledged is lost or there twice', async () => {
    const writers = await startWriters(nodes.origin, 6, { first, room });
    await more(writers, 100);
    // Half of the writers are at the first, and all of them at the second when its turn comes.
    for (const [n, way] of (['both', 'answers'] as const).entries()) {
      const { node, line } = machines[n] ?? {};
      if (!node || !line) throw new Error('there are two');
      for (const writer of writers) writer.longestWait();
      line.cut(way);
      await expect.poll(() => isReady(node), { interval: 50 }).toBe(false);
      // All of them go on while it still is cut off.
      await more(writers, 100);
      const waits = writers.map((writer) => Math.round(writer.longestWait()));
      console.log(`cut (${way}): the longest wait of each writer, ms: ${waits.join(', ')}`);
      expect(Math.max(...waits)).toBeLessThan(seconds(2));
      expect(await isReady(node)).toBe(false);
      line.mend();
      await expect.poll(() => isReady(node), { interval: 50 }).toBe(true);
      await more(writers, 50);
    }
    await expectAllThere(nodes.origin, writers, { first, room });
  });
});
