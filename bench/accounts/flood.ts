/** Floods a daemon with wrong keys, from a thread of its own: so many a second, over a few connections. */
import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { makeKey } from '../../shared/src/accounts/key-format.ts';

const { port, perSecond } = workerData as { port: number; perSecond: number };
const SOCKETS = 16;
const TICK = 1;
/** Requests that wait for their answer at most: a client that sends on and on without reading is another attack. */
const WAITING = 64;

let answered = 0;
const sockets = Array.from({ length: SOCKETS }, () => {
  const socket = net.connect(port, '127.0.0.1');
  // Only count the answers: each begins with its status line.
  socket.on('data', (piece) => (answered += piece.toString('latin1').split('HTTP/1.1 ').length - 1));
  socket.on('error', () => undefined);
  return socket;
});

// Half of them have the form of a key and are looked up, half have not.
const requests = Array.from({ length: 200 }, (_, i) => {
  const key = i % 2 === 0 ? makeKey('live') : `wrong-${i}`;
  return `GET /v1/namespaces HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
});

const started = performance.now();
let sent = 0;
const timer = setInterval(() => {
  const due = ((performance.now() - started) / 1000) * perSecond;
  while (sent < due && sent - answered < WAITING) {
    sockets[sent % SOCKETS]?.write(requests[sent % requests.length] ?? '');
    sent += 1;
  }
}, TICK);

parentPort?.once('message', () => {
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  parentPort?.postMessage({ answered, seconds: (performance.now() - started) / 1000 });
});
