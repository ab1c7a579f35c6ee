import net, { type AddressInfo, type Socket } from 'node:net';

/** A line of TCP to a server that can go dead without being closed, as mobile networks and sleeping machines leave them. */
export interface TcpLine {
  origin: string;
  /**
   * From now on nothing goes this way on the connections that are open, and neither side hears of it. New ones are
   * taken, and hear nothing until `mend`.
   */
  mute(way: 'up' | 'down' | 'both'): void;
  /** New connections go through again, those that wait first. */
  mend(): void;
  stop(): Promise<void>;
}

export async function startLine(target: string): Promise<TcpLine> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<{ near: Socket; far: Socket; up: boolean; down: boolean }>();
  let waiting: Socket[] | undefined;
  const server = net.createServer((near) => {
    near.on('error', () => undefined);
    if (waiting) waiting.push(near);
    else join(near);
  });

  function join(near: Socket): void {
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
    far.on('error', () => undefined);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mute(way) {
      waiting ??= [];
      for (const pair of pairs) {
        if (way !== 'down') pair.up = false;
        if (way !== 'up') pair.down = false;
      }
    },
    mend() {
      const come = waiting ?? [];
      waiting = undefined;
      for (const near of come) if (!near.destroyed) join(near);
    },
    async stop() {
      for (const near of waiting ?? []) near.destroy();
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
