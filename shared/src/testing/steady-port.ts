import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what the system gives to servers and connections that ask for no port of their own (from 32,768 on Linux). */
const FROM = 20_000;
const COUNT = 12_000;

/**
 * A free port of the loopback for a server that ends and comes again: the system gives it to nobody else meanwhile,
 * as it does with a port that it chose itself.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw cause;
  }
  server.close();
  await once(server, 'close');
  return true;
}
