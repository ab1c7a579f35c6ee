import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { makeCertificates, type TestCertificates } from '@reverie/shared/testing/certificates';
import { linkByEmail } from '@reverie/shared/contract/relay/relay';
import { openConnection } from './connection.ts';
import { relayClient } from './relay-client.ts';
import { fetchOver, refuseUnlessCertificates, relayAgent, unreachable } from './relay-agent.ts';

let certificates: TestCertificates;
let ca: string;

interface Server {
  port: number;
  stop: () => Promise<unknown>;
}
const servers: Server[] = [];
const tunnels = new Set<net.Socket>();

/** A server that answers with how it was asked, and takes WebSockets. */
async function serve(host: string, days?: number): Promise<number> {
  const server = https.createServer(certificates.issue(host, days), (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url === '/moved') return response.writeHead(302, { location: '/' }).end();
      const body = Buffer.concat(parts).toString();
      return response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ body, method: request.method, key: request.headers.authorization }));
    });
  });
  const wss = new WebSocketServer({ server });
  wss.on('connection', (socket) => socket.close(4503, 'reached'));
  return listen(server);
}

/** A proxy that notes what it was asked to reach, and reaches this machine for every name. */
async function serveProxy(): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer();
  server.on('connect', ({ url = '' }, near: net.Socket) => {
    asked.push(url);
    const far = net.connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      near.pipe(far);
      far.pipe(near);
    });
    for (const one of [near, far]) {
      one.on('error', () => undefined);
      tunnels.add(one);
    }
  });
  return { port: await listen(server), asked };
}

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  servers.push({ port, stop });
  return port;
}

beforeAll(() => {
  certificates = makeCertificates();
  ca = fs.readFileSync(certificates.authority, 'utf8');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const socket of tunnels) socket.destroy();
  tunnels.clear();
  await Promise.all(servers.splice(0).map(({ stop }) => stop()));
});
afterAll(() => certificates.remove());

const ask = (relay: string, known: string | null, given = '/') =>
  fetchOver(relayAgent({ relay, ca: known }))(`${relay}${given}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer key' },
    body: '{"a":1}',
  });

/** How the line to a relay ends. */
const ending = (relay: string, known: string | null) =>
  new Promise<{ code: string; detail: string }>((closed) => {
    openConnection({
      relay,
      ca: known,
      key: 'key',
      opened: () => undefined,
      message: () => undefined,
      closed,
    });
  });

test('a relay with an authority of its own is reached with that, over HTTP and the line', async () => {
  const relay = `https://localhost:${await serve('localhost')}`;
  const reply = await ask(relay, ca);
  expect(reply.status).toBe(201);
  expect(await reply.json()).toEqual({ body: '{"a":1}', method: 'POST', key: 'Bearer key' });
  expect(await ending(relay, ca)).toMatchObject({ code: 'later', detail: 'reached' });
  await expect(ask(relay, ca, '/moved')).rejects.toThrow('redirect');
});

test.each([
  {
    what: 'nobody trusts',
    host: 'localhost',
    days: 9,
    isKnown: false,
    words: '… --ca FILE`, or start Reverie with',
  },
  {
    what: 'is for another name',
    host: 'elsewhere.test',
    days: 9,
    isKnown: true,
    words: '(DNS:elsewhere.test)',
  },
  {
    what: 'is over',
    host: 'localhost',
    days: -1,
    isKnown: true,
    words: 'Who runs the relay has to renew it',
  },
])('of a certificate that $what it is said so, and what to do', async ({ host, days, isKnown, words }) => {
  const relay = `https://localhost:${await serve(host, days)}`;
  const known = isKnown ? ca : null;
  const { code, detail } = await ending(relay, known);
  expect(code).toBe('certificate');
  expect(detail).toContain(words);
  expect(detail).toContain(`The certificate of ${relay}`);
  const asked = relayClient({ relay, ca: known })(linkByEmail, {
    body: { email: 'me@example.org', name: 'x' },
  });
  await expect(asked).rejects.toMatchObject({ code: 'relay_unreachable', message: detail });
});

test('HTTP and the line go through the proxy of the environment, but for NO_PROXY and this machine', async () => {
  const port = await serve('relay.test');
  const proxy = await serveProxy();
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
  const relay = `https://relay.test:${port}`;
  expect((await ask(relay, ca)).status).toBe(201);
  expect(await ending(relay, ca)).toMatchObject({ detail: 'reached' });
  expect(proxy.asked).toEqual([`relay.test:${port}`, `relay.test:${port}`]);

  const here = `https://localhost:${await serve('localhost')}`;
  expect((await ask(here, ca)).status).toBe(201);
  vi.stubEnv('NO_PROXY', 'other.test,.test');
  // Where no proxy reaches it, nobody knows the name.
  await expect(ask(relay, ca)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(proxy.asked).toHaveLength(2);
});

test('what is no certificate is refused where it is given', () => {
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  expect(() => refuseUnlessCertificates(broken)).toThrow('ca has a certificate that cannot be read');
  expect(() => refuseUnlessCertificates(ca)).not.toThrow();
});

test('a proxy that is not there is named', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
  const cause = await ask('https://relay.test', null).catch((caught: unknown) => caught);
  expect(unreachable('https://relay.test', cause)).toContain('through the proxy of HTTPS_PROXY');
  expect(unreachable('https://localhost:1', cause)).not.toContain('proxy');
});
