import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../contract/problems.ts';
import { createServer } from './server.ts';
import { type ShedRefusal, shedFirst } from './shed.ts';

const flooding: ShedRefusal = {
  problem: new Problem('rate_limited', 'That is too much', { headers: { 'Retry-After': '7' } }),
  headers: { 'X-RateLimit-Remaining': '0' },
};

function createSheddingServer(holdMs: number): FastifyInstance {
  const made = createServer({ log: pino({ level: 'silent' }), earlyHeaders: () => ({}) });
  made.all('/there', async ({ body }) => {
    routed += 1;
    return { ok: true, ...(body !== undefined && { body }) };
  });
  shedFirst(made, ({ headers }) => (headers['x-flood'] === undefined ? undefined : flooding), {
    holdMs,
    mostHeld: 3,
    upgrades: ({ url }) => url === '/stream',
  });
  made.server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  return made;
}

async function listening(made: FastifyInstance): Promise<string> {
  made.server.listen(0, '127.0.0.1');
  await Promise.all([once(made.server, 'listening'), made.ready()]);
  return `http://127.0.0.1:${(made.server.address() as AddressInfo).port}`;
}

let routed = 0;
let app: FastifyInstance;
let origin = '';
beforeAll(async () => {
  app = createSheddingServer(50);
  origin = await listening(app);
});
afterAll(() => app.close());

describe('what is refused before anything is done for it', () => {
  test('is a problem like any other, and reaches no route', async () => {
    const before = routed;
    const response = await fetch(`${origin}/there`, { headers: { 'x-flood': '1' } });
    expect(response.status).toBe(429);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': '7',
      'x-ratelimit-remaining': '0',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const body = (await response.json()) as { code: string; request_id: string };
    expect(body.code).toBe('rate_limited');
    expect(body.request_id).toBe(response.headers.get('x-request-id'));
    expect(routed).toBe(before);
  });

  test('leaves the connection to the next request, whatever body came with it', async () => {
    const flood = () =>
      fetch(`${origin}/there`, { method: 'POST', headers: { 'x-flood': '1' }, body: 'x'.repeat(300_000) });
    const before = routed;
    for (let n = 0; n < 3; n += 1) expect((await flood()).status).toBe(429);
    expect((await fetch(`${origin}/there`)).status).toBe(200);
    expect(routed).toBe(before + 1);
  });

  test('has no body for HEAD', async () => {
    const response = await fetch(`${origin}/there`, { method: 'HEAD', headers: { 'x-flood': '1' } });
    expect([response.status, await response.text()]).toEqual([429, '']);
  });

  /** Writes requests in one go, and answers what came until the connection ended, or all were answered. */
  function pipelined(count: number, at = origin): Promise<{ answers: number; wasCut: boolean }> {
    const socket = net.connect(Number(new URL(at).port), '127.0.0.1');
    socket.write('GET /there HTTP/1.1\r\nHost: a\r\nX-Flood: 1\r\n\r\n'.repeat(count));
    let got = '';
    const answers = () => got.split('HTTP/1.1 429').length - 1;
    return new Promise((resolve) => {
      socket.on('data', (piece) => {
        got += piece.toString('latin1');
        if (answers() < count) return;
        socket.destroy();
        resolve({ answers: answers(), wasCut: false });
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve({ answers: answers(), wasCut: true }));
    });
  }

  test('is held back; who does not wait for the answer is cut off', async () => {
    expect(await pipelined(1)).toEqual({ answers: 1, wasCut: false });
    expect(await pipelined(20)).toEqual({ answers: 1, wasCut: true });
    expect((await fetch(`${origin}/there`)).status).toBe(200);
  });

  /** Writes bytes, and answers all that came back until the connection ended or what was awaited came. */
  function exchanged(bytes: string, awaited: string): Promise<{ got: string; isOpen: boolean }> {
    const socket = net.connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(bytes);
    let got = '';
    return new Promise((resolve) => {
      socket.on('data', (piece) => {
        got += piece.toString('latin1');
        if (awaited !== '' && got.includes(awaited)) resolve({ got, isOpen: true });
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve({ got, isOpen: false }));
    }).finally(() => socket.destroy()) as Promise<{ got: string; isOpen: boolean }>;
  }
  const head = (first: string, ...lines: string[]) => `${[first, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;

  test('ends the connection where more was sent behind a body: nothing of it would ever be answered', async () => {
    const first = `${head('POST /there HTTP/1.1', 'X-Flood: 1', 'Content-Length: 5')}hello`;
    const { got, isOpen } = await exchanged(first + head('GET /there HTTP/1.1'), '');
    expect([got.match(/HTTP\/1\.1 \d+/g), isOpen]).toEqual([['HTTP/1.1 429'], false]);
  });

  test('is refused as a request where it asks for another protocol; who may, gets it', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    const refused = await exchanged(head('GET /stream HTTP/1.1', 'X-Flood: 1', ...upgrade), '"request_id"');
    expect(refused.got).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused.got).toContain('X-RateLimit-Remaining: 0');
    expect((await exchanged(head('GET /stream HTTP/1.1', ...upgrade), '')).got).toMatch(/^HTTP\/1\.1 101 /);
  });

  test('any other request that offers another protocol, or expects what we do not know, is answered as usual', async () => {
    const sent = ['Content-Type: application/json', 'Content-Length: 7'];
    const h2c = head('POST /there HTTP/1.1', 'Connection: Upgrade', 'Upgrade: h2c', ...sent);
    expect((await exchanged(`${h2c}{"a":1}`, '}')).got).toMatch(
      /^HTTP\/1\.1 200 [^]*\{"ok":true,"body":\{"a":1\}/,
    );
    const { got } = await exchanged(head('GET /there HTTP/1.1', 'Expect: wonders'), '}');
    expect(got).toMatch(/^HTTP\/1\.1 200 [^]*x-request-id: /i);
  });

  test('is held back for a few at a time only, and for none when the server stops', async () => {
    // Held back for long: all ten come while the first are.
    const patient = createSheddingServer(3_000);
    const at = await listening(patient);
    const all = await Promise.all(Array.from({ length: 10 }, () => pipelined(1, at)));
    expect(all.filter(({ wasCut }) => !wasCut)).toHaveLength(3);
    const waiting = pipelined(1, at);
    await new Promise((resolve) => patient.server.once('request', resolve));
    await patient.close();
    expect((await waiting).answers).toBe(1);
  });
});
