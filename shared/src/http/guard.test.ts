import net, { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guard } from './guard.ts';
import { createServer } from './server.ts';

const HOST = '127.0.0.1:7337';
const app = createServer({ log: pino({ level: 'silent' }), earlyHeaders: () => ({}) });
let served = 0;

beforeAll(async () => {
  guard(app, {
    hosts: () => [HOST, 'localhost:7337', '[::1]:7337'],
    ownOrigins: () => [`http://${HOST}`, 'http://localhost:7337'],
    corsOrigins: ['https://app.example'],
  });
  app.route({ method: ['GET', 'POST'], url: '/data', handler: () => ({ served: (served += 1) }) });
  await app.ready();
});
afterAll(() => app.close());

const ask = async (
  headers: Record<string, string>,
  method: 'GET' | 'POST' | 'OPTIONS' = 'GET',
  url = '/data',
) => {
  const before = served;
  const reply = await app.inject({ method, url, headers: { host: HOST, ...headers } });
  return { status: reply.statusCode, headers: reply.headers, wasServed: served > before };
};

describe('guard', () => {
  test.each([HOST, 'localhost:7337', 'LocalHost:7337', '[::1]:7337'])('serves the name %s', async (host) => {
    expect(await ask({ host })).toMatchObject({ status: 200, wasServed: true });
  });

  test.each([
    'localhost',
    '127.0.0.1',
    'localhost:7338',
    'localhost:7337.evil.example',
    'evil.example:7337',
    'xlocalhost:7337',
    '[::1]',
    '2130706433:7337',
    '127.1:7337',
    '0x7f.1:7337',
  ])('refuses the name %s, on every path', async (host) => {
    for (const url of ['/data', '/nothing', '/'])
      expect(await ask({ host }, 'GET', url)).toMatchObject({ status: 421, wasServed: false });
  });

  test.each([
    'https://evil.example',
    'null',
    'file://',
    'http://localhost:7338',
    'https://localhost:7337',
    'http://localhost:7337.evil.example',
    'https://app.example:8443',
    'https://sub.app.example',
    '*',
  ])('refuses pages of %s, even to look', async (origin) => {
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const answer = await ask({ origin }, method);
      expect(answer).toMatchObject({ status: 403, wasServed: false });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test('serves its own page without CORS, and a configured one with it', async () => {
    const own = await ask({ origin: `http://${HOST}` }, 'POST');
    expect(own).toMatchObject({ status: 200, wasServed: true });
    expect(own.headers).not.toHaveProperty('access-control-allow-origin');
    const foreign = await ask({ origin: 'https://app.example' }, 'POST');
    expect(foreign.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(foreign.headers.vary).toContain('Origin');
    expect(await ask({ origin: 'https://app.example' }, 'OPTIONS')).toMatchObject({
      status: 204,
      wasServed: false,
    });
  });

  test('programs, which send no Origin, are served; cross-site navigation may look and not change', async () => {
    expect(await ask({}, 'POST')).toMatchObject({ status: 200 });
    expect(await ask({ 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 200 });
    expect(await ask({ 'sec-fetch-site': 'cross-site' }, 'POST')).toMatchObject({
      status: 403,
      wasServed: false,
    });
    expect(await ask({ 'sec-fetch-site': 'same-origin', origin: `http://${HOST}` }, 'POST')).toMatchObject({
      status: 200,
    });
  });
});

describe('a request that names two hosts', () => {
  /** The status of a request as its bytes are written. */
  async function statusOf(head: string): Promise<number> {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(`${head}\r\nConnection: close\r\n\r\n`);
    let answer = '';
    for await (const piece of socket) answer += String(piece);
    return Number(answer.split(' ')[1]);
  }

  test.each([
    ['by two headers', `GET /data HTTP/1.1\r\nHost: ${HOST}\r\nHost: evil.example`],
    ['by two headers, ours last', `GET /data HTTP/1.1\r\nHost: evil.example\r\nHost: ${HOST}`],
    ['by two headers that say the same', `GET /data HTTP/1.1\r\nHost: ${HOST}\r\nhost: ${HOST}`],
    ['in its address', `GET http://evil.example/data HTTP/1.1\r\nHost: ${HOST}`],
    ['in its address, by its port', `GET http://127.0.0.1:7338/data HTTP/1.1\r\nHost: ${HOST}`],
    ['behind what looks like ours', `GET http://${HOST}@evil.example/data HTTP/1.1\r\nHost: ${HOST}`],
    ['in an address of another kind', `GET ftp://${HOST}/data HTTP/1.1\r\nHost: ${HOST}`],
    ['in an address that is none', `GET http://[/data HTTP/1.1\r\nHost: ${HOST}`],
    ['in its header alone', `GET http://${HOST}/data HTTP/1.1\r\nHost: localhost:7337`],
  ])('is refused: %s', async (_, head) => expect(await statusOf(head)).toBe(400));

  test.each([
    ['once', `GET /data HTTP/1.1\r\nHost: ${HOST}`],
    ['twice, and ours', `GET http://${HOST}/data HTTP/1.1\r\nHost: ${HOST}`],
    ['twice, in other letters', 'GET HTTP://LOCALHOST:7337/data HTTP/1.1\r\nHost: localhost:7337'],
  ])('one is served that names it %s', async (_, head) => expect(await statusOf(head)).toBe(200));
});
