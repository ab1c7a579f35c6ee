import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createLines, type Lines } from './lines.ts';

const KEY = 'the owner key';
const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

interface Told {
  url: string;
  authorization: string | undefined;
  socket: Socket;
}

/** A server at a port that knows the key, or does not. */
async function serverAt(
  port: number,
  knows: string,
  answer: (reply: http.ServerResponse) => void = (reply) => reply.end('answered'),
): Promise<{ told: Told[]; port: number; end: () => void }> {
  const told: Told[] = [];
  const server = http.createServer((request, reply) => {
    const url = new URL(request.url ?? '', 'http://x');
    told.push({ url: url.pathname, authorization: request.headers.authorization, socket: request.socket });
    if (url.pathname === '/v1/identity') {
      const proof = createHmac('sha256', knows)
        .update(url.searchParams.get('challenge') ?? '')
        .digest('hex');
      return void reply.end(JSON.stringify({ proof }));
    }
    answer(reply);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  ends.push(end);
  return { told, port: (server.address() as AddressInfo).port, end };
}

function linesTo(port: number, over: { nonce?: () => string; now?: () => number } = {}): Lines {
  const lines = createLines({
    async prove(fetch) {
      const origin = `http://127.0.0.1:${port}`;
      const answer = await fetch(`${origin}/v1/identity?challenge=abc`);
      const { proof } = (await answer.json()) as { proof: string };
      if (proof !== createHmac('sha256', KEY).update('abc').digest('hex')) throw new Error('a stranger');
      return { origin, nonce: over.nonce?.() ?? 'one' };
    },
    nonceNow: over.nonce ?? (() => 'one'),
    now: over.now ?? (() => 0),
  });
  ends.push(() => lines.close());
  return lines;
}

const withKey = { method: 'POST', path: '/v1/memory-get', headers: { authorization: `Bearer ${KEY}` } };

test('asks for the proof first, and sends what follows over the same connection', async () => {
  const { told, port } = await serverAt(0, KEY);
  const lines = linesTo(port);
  expect(await (await lines.send(withKey)).text()).toBe('answered');
  expect(await (await lines.send({ ...withKey, body: Buffer.from('{}') })).text()).toBe('answered');
  expect(told.map(({ url }) => url)).toEqual(['/v1/identity', '/v1/memory-get', '/v1/memory-get']);
  expect(new Set(told.map(({ socket }) => socket)).size).toBe(1);
});

test('who does not know the key is sent the challenge and nothing else', async () => {
  const { told, port } = await serverAt(0, 'another key');
  await expect(linesTo(port).send(withKey)).rejects.toThrow('a stranger');
  expect(told.map(({ url, authorization }) => [url, authorization])).toEqual([['/v1/identity', undefined]]);
});

test('a stranger who takes the port of a daemon that ended is sent no key', async () => {
  const daemon = await serverAt(0, KEY);
  const lines = linesTo(daemon.port);
  await (await lines.send(withKey)).text();
  daemon.end();
  const stranger = await serverAt(daemon.port, 'another key');
  await expect(lines.send(withKey)).rejects.toThrow();
  await expect(lines.send(withKey)).rejects.toThrow('a stranger');
  await expect(lines.send({ ...withKey, method: 'GET' })).rejects.toThrow('a stranger');
  expect(stranger.told.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
});

test('a line of an earlier daemon, and one that idled, are not used again', async () => {
  const { told, port } = await serverAt(0, KEY);
  let nonce = 'one';
  let now = 0;
  const lines = linesTo(port, { nonce: () => nonce, now: () => now });
  const proofs = () => told.filter(({ url }) => url === '/v1/identity').length;
  await (await lines.send(withKey)).text();
  nonce = 'two';
  await (await lines.send(withKey)).text();
  expect(proofs()).toBe(2);
  now = 10_000;
  await (await lines.send(withKey)).text();
  expect(proofs()).toBe(3);
});

test('a redirect is not handed on: it would lead a key elsewhere', async () => {
  const { port } = await serverAt(0, KEY, (reply) => {
    reply.writeHead(307, { location: 'https://elsewhere.invalid/' }).end();
  });
  await expect(linesTo(port).send(withKey)).rejects.toThrow('redirect');
});

test('requests at the same time have a line each', async () => {
  const { told, port } = await serverAt(0, KEY);
  const lines = linesTo(port);
  const answers = await Promise.all([lines.send(withKey), lines.send(withKey), lines.send(withKey)]);
  for (const answer of answers) expect(await answer.text()).toBe('answered');
  expect(told.filter(({ url }) => url === '/v1/identity').length).toBe(3);
});

test('a WebSocket goes over the connection that proved itself', async () => {
  const { told, port } = await serverAt(0, KEY);
  const line = await linesTo(port).take();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/stream`, { agent: line.agent });
  // This server knows no WebSockets; it is asked all the same.
  await new Promise((resolve) => socket.once('unexpected-response', resolve));
  socket.on('error', () => undefined);
  socket.terminate();
  expect(told.map(({ url }) => url)).toEqual(['/v1/identity', '/v1/stream']);
  expect(new Set(told.map((one) => one.socket)).size).toBe(1);
  line.agent.destroy();
});
