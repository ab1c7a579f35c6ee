/** Floods a daemon with wrong keys, from a thread of its own: so many a second as the daemon takes, in one of three ways. */
import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { makeKey } from '../../shared/src/accounts/key-format.ts';

/**
 * `waits`: 256 connections, each sends the next key when it has its answer, as clients do. `writes on`: 16 connections that
 * wait for nothing, opened again when they are cut. `connects`: a connection for each key.
 */
export const waysToFlood = ['waits', 'writes on', 'connects'] as const;
export type WayToFlood = (typeof waysToFlood)[number];

export interface Flooded {
  sent: number;
  answered: number;
  seconds: number;
}

const CONNECTIONS: Record<WayToFlood, number> = { waits: 256, 'writes on': 16, connects: 256 };
const TICK = 1;

function flood({
  port,
  perSecond,
  way,
}: {
  port: number;
  perSecond: number;
  way: WayToFlood;
}): () => Flooded {
  // Half of them have the form of a key and are looked up, half have not.
  const requests = Array.from({ length: 200 }, (_, i) => {
    const key = i % 2 === 0 ? makeKey('live') : `wrong-${i}`;
    return `GET /v1/namespaces HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  });
  const started = performance.now();
  const free: net.Socket[] = [];
  let [open, sent, answered] = [0, 0, 0];

  function connect(): void {
    open += 1;
    const socket = net.connect(port, '127.0.0.1', () => free.push(socket));
    // Only count the answers: each begins with its status line.
    socket.on('data', (piece) => {
      answered += piece.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (way === 'waits') free.push(socket);
      if (way === 'connects') socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open -= 1;
      const at = free.indexOf(socket);
      if (at >= 0) free.splice(at, 1);
    });
  }

  const timer = setInterval(() => {
    while (open < CONNECTIONS[way]) connect();
    const due = ((performance.now() - started) / 1000) * perSecond;
    while (sent < due) {
      const socket = free.shift();
      if (!socket) break;
      socket.write(requests[sent % requests.length] ?? '');
      sent += 1;
      if (way === 'writes on') free.push(socket);
    }
  }, TICK);

  return () => {
    clearInterval(timer);
    return { sent, answered, seconds: (performance.now() - started) / 1000 };
  };
}

if (parentPort) {
  const stop = flood(workerData as Parameters<typeof flood>[0]);
  parentPort.once('message', () => parentPort?.postMessage(stop()));
}
