import net, { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from './server.ts';

const servers = [
  { graceMs: 100, bytesPerSecond: 1000 },
  { graceMs: 400, bytesPerSecond: 100 },
].map((pace) =>
  createServer({
    log: pino({ level: 'silent' }),
    earlyHeaders: () => ({}),
    bodies: { ...pace, everyMs: 20 },
  }),
);
let [port, patient] = [0, 0];
beforeAll(async () => {
  for (const app of servers) {
    app.post('/there', async ({ body }) => ({ ok: true, body }));
    app.get('/open', (_request, reply) => {
      reply.hijack();
      reply.raw.write('HTTP/1.1 200 OK\r\n\r\n');
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
  }
  [port = 0, patient = 0] = servers.map(({ server }) => (server.address() as AddressInfo).port);
});
afterAll(async () => {
  for (const app of servers) {
    app.server.closeAllConnections();
    await app.close();
  }
});

const head = (line: string, ...lines: string[]) => `${[line, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;

/** A connection that was written to, and what it has been answered so far. */
function opened(bytes: string, at = port) {
  const socket = net.connect(at, '127.0.0.1');
  // What it was cut with may be an error of the socket: it is closed then, too.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const said = { socket, got: '', closed };
  socket.on('data', (piece) => (said.got += piece.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  return said;
}

const json = 'Content-Type: application/json';

test.each([
  { name: 'that stops', lines: ['Content-Length: 1000'], first: '{"a":', drip: '' },
  { name: 'that drips', lines: ['Content-Length: 100000'], first: '{"a":', drip: ' ' },
  { name: 'of chunks', lines: ['Transfer-Encoding: chunked'], first: '1\r\n{\r\n', drip: '1\r\n \r\n' },
])('a body $name and never ends is cut with a 408', async ({ lines, first, drip }) => {
  const one = opened(head('POST /there HTTP/1.1', json, ...lines) + first);
  const timer = setInterval(() => one.socket.writable && one.socket.write(drip), 15);
  await one.closed;
  clearInterval(timer);
  expect(one.got).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(one.got).toContain('"request_id"');
});

test('what a connection sent before gives a later body no more time', async () => {
  const much = JSON.stringify({ text: 'x'.repeat(100_000) });
  const one = opened(head('POST /there HTTP/1.1', json, `Content-Length: ${much.length}`) + much);
  await expect.poll(() => one.got).toContain('xxx');
  // By what the first one had, it would have a hundred seconds.
  const from = performance.now();
  one.socket.write(head('POST /there HTTP/1.1', json, 'Content-Length: 1000') + '{"a":');
  await one.closed;
  expect(one.got).toMatch(/HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(performance.now() - from).toBeLessThan(50_000);
});

test('what comes slowly and goes on is read to its end, and an answer without a body stays open', async () => {
  const stream = opened(head('GET /open HTTP/1.1'), patient);
  const body = JSON.stringify({ text: 'x'.repeat(2000) });
  const slow = opened(
    head('POST /there HTTP/1.1', json, `Content-Length: ${body.length}`, 'Connection: close') +
      body.slice(0, 200),
    patient,
  );
  // 200 bytes each 150 ms are thirteen times what is asked for, so that a timer may be late, and take three times the grace.
  let sent = 200;
  const timer = setInterval(() => {
    slow.socket.write(body.slice(sent, (sent += 200)));
    if (sent >= body.length) clearInterval(timer);
  }, 150);
  await slow.closed;
  expect(slow.got).toMatch(/^HTTP\/1\.1 200 /);
  expect(slow.got).toContain('xxxx');
  expect(stream.socket.destroyed).toBe(false);
  stream.socket.destroy();
});
