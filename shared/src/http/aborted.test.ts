import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createServer } from './server.ts';

const lines: { level: number; msg: string }[] = [];
const log = pino(
  { level: 'trace' },
  new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)) as (typeof lines)[number]);
      done();
    },
  }),
);
const app = createServer({ log, earlyHeaders: () => ({}) });
afterEach(() => app.close());

test('a client that goes away in the middle of its body is nothing to be told as an error, and a bug is', async () => {
  app.post('/there', async () => ({ ok: true }));
  app.get('/broken', async () => {
    throw Object.assign(new Error('a connection of ours broke'), { code: 'ECONNRESET' });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    'POST /there HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":',
  );
  await new Promise((resolve) => app.server.getConnections(resolve));
  await once(app.server, 'request');
  socket.resetAndDestroy();
  await expect.poll(() => lines.map(({ msg }) => msg).join()).toMatch(/went away|failed/);
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  // What breaks on our side stays one, whatever its code.
  const broken = await fetch(`http://127.0.0.1:${port}/broken`);
  expect(broken.status).toBe(500);
  expect(lines.filter(({ level }) => level >= 50)).toHaveLength(1);
});
