import { steadyPort } from '@reverie/shared/testing/steady-port';
import { type Balancer, startBalancer } from './balancer.ts';
import { type RelayProcess, spawnRelay, temporaryHome } from './process.ts';

/** A node in a process of its own. */
export interface TestNode {
  origin: string;
  process: RelayProcess;
  kill(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Nodes of one relay, each in a process of its own, behind a load balancer. */
export interface TestNodes {
  origin: string;
  balancer: Balancer;
  nodes: TestNode[];
  /** One more; the balancer knows it when it is ready. */
  start(env?: Record<string, string>, namespace?: string): Promise<TestNode>;
  stop(): Promise<void>;
}

export async function startNodes(
  count: number,
  url: string,
  env: Record<string, string> = {},
): Promise<TestNodes> {
  const { home, remove } = temporaryHome();
  const balancer = await startBalancer(await steadyPort());
  const nodes: TestNode[] = [];
  const tell = () => balancer.nodes(nodes.map(({ origin }) => origin));

  async function start(more: Record<string, string> = {}, namespace?: string): Promise<TestNode> {
    const given = { RELAY_DATABASE_URL: url, RELAY_LOG_LEVEL: 'warn', RELAY_POLL_MS: '300' };
    const process = spawnRelay(home, { ...given, ...env, ...more }, namespace);
    const node: TestNode = {
      origin: await process.ready,
      process,
      async kill(signal = 'SIGKILL') {
        // A balancer that asks whether a node is ready sends nobody to one that stops.
        nodes.splice(nodes.indexOf(node), 1);
        tell();
        process.child.kill(signal);
        return process.ended;
      },
    };
    nodes.push(node);
    tell();
    return node;
  }

  await Promise.all(Array.from({ length: count }, () => start()));
  return {
    origin: balancer.origin,
    balancer,
    nodes,
    start,
    async stop() {
      await Promise.all([...nodes].map((node) => node.kill()));
      await balancer.stop();
      remove();
    },
  };
}
