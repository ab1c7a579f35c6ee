import net, { type AddressInfo, type Socket } from 'node:net';

/** A load balancer that knows nothing of what it carries: each connection goes to the next node that takes one. */
export interface Balancer {
  origin: string;
  /** The nodes from now on; connections that are open stay where they are. */
  nodes(origins: readonly string[]): void;
  /** From now on nothing passes, in either direction, and neither side hears of it. */
  mute(): void;
  /** New connections pass again; those that were muted are dead. */
  mend(): void;
  stop(): Promise<void>;
}

/** `port`: 0 picks a free one. */
export async function startBalancer(port = 0): Promise<Balancer> {
  let nodes: readonly string[] = [];
  let turn = 0;
  const open = new Set<Socket>();
  const muted = new WeakSet<Socket>();
  let isMuted = false;
  const server = net.createServer((near) => {
    open.add(near);
    near.on('error', () => undefined);
    near.on('close', () => open.delete(near));
    pass(near, nodes.length);
  });

  function pass(near: Socket, left: number): void {
    const node = nodes[(turn += 1) % nodes.length];
    if (left === 0 || node === undefined) return void near.destroy();
    const { hostname, port: at } = new URL(node);
    const far = net.connect(Number(at), hostname);
    let isThere = false;
    far.on('connect', () => {
      isThere = true;
      near.on('data', (data) => !muted.has(near) && far.write(data));
      far.on('data', (data) => !muted.has(near) && near.write(data));
      if (isMuted) muted.add(near);
    });
    far.on('error', () => undefined);
    far.on('close', () => {
      if (muted.has(near)) return;
      if (isThere) near.destroy();
      else pass(near, left - 1);
    });
    near.on('close', () => !muted.has(near) && far.destroy());
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nodes: (origins) => (nodes = origins),
    mute() {
      isMuted = true;
      for (const near of open) muted.add(near);
    },
    mend: () => (isMuted = false),
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
