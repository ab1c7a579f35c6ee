import net, { type AddressInfo, type Socket } from 'node:net';

/** A line of TCP to a server that can go dead without being closed, as mobile networks and sleeping machines leave them. */
export interface Line {
  origin: string;
  /** From now on nothing goes this way on the connections that are open, and neither side hears of it. */
  mute(way: 'up' | 'down' | 'both'): void;
  stop(): Promise<void>;
}

export async function startLine(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<{ near: Socket; far: Socket; up: boolean; down: boolean }>();
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    const pair = { near, far, up: true, down: true };
    pairs.add(pair);
    near.on('data', (data) => pair.up && far.write(data));
    far.on('data', (data) => pair.down && near.write(data));
    near.on('close', () => {
      if (pair.up) far.destroy();
      pairs.delete(pair);
    });
    far.on('close', () => pair.down && near.destroy());
    for (const socket of [near, far]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mute(way) {
      for (const pair of pairs) {
        if (way !== 'down') pair.up = false;
        if (way !== 'up') pair.down = false;
      }
    },
    async stop() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
