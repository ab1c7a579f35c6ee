import http from 'node:http';
import { readConfig } from './config.ts';
import { createHosts } from './hosts.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startRelay, type TestRelay } from './testing/relay.ts';

let relay: TestRelay | undefined;
afterEach(async () => {
  await relay?.stop();
  relay = undefined;
});

/** Starts a relay; answers its port. */
async function start(env: Record<string, string> = {}): Promise<string> {
  relay = await startRelay(env);
  return new URL(relay.origin).port;
}

/** Asks the relay by its address, under another name: `fetch` lets nobody say one. */
function ask(path: string, headers: Record<string, string>, body?: string): Promise<number> {
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const asked = http.request(`${relay?.origin}${path}`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** How an upgrade ends: the status of its refusal, or 101. */
function upgrade(path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${relay?.origin.replace('http', 'ws')}${path}`, { headers });
  return new Promise((resolve) => {
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0));
    socket.on('error', () => undefined);
  });
}

const PATHS = ['/healthz', '/metrics', '/v1/rooms', '/v1/confirm?token=x', '/i/x', '/nothing', '/'];
const linking = JSON.stringify({ email: 'me@example.org', name: 'x' });

/** Links a device, as a page of the given host would. */
const link = (host: string) =>
  ask(
    '/v1/link',
    { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    linking,
  );

describe('a name that is bound to this address anew', () => {
  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '0.0.0.0', '2130706433'])(
    '%s reaches nothing, by path or upgrade',
    async (name) => {
      const port = await start();
      const host = `${name}:${port}`;
      for (const path of PATHS) expect([path, await ask(path, { host })]).toEqual([path, 421]);
      expect(await link(host)).toBe(421);
      for (const path of ['/v1/sync', '/y/room', '/nothing'])
        expect([path, await upgrade(path, { host })]).toEqual([path, 421]);
    },
  );

  test('nor does an address that the relay does not listen at', async () => {
    const port = await start();
    for (const name of ['192.0.2.7', '127.0.0.2', '[::2]', '[::ffff:127.0.0.1]'])
      expect([name, await ask('/healthz', { host: `${name}:${port}` })]).toEqual([name, 421]);
  });
});

test('its own names are answered to, without a public address', async () => {
  const port = await start();
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    const host = `${name}:${port}`;
    for (const path of ['/healthz', '/metrics'])
      expect([host, path, await ask(path, { host })]).toEqual([host, path, 200]);
    expect(await upgrade('/v1/sync', { host })).toBe(101);
  }
  expect(await link(`127.0.0.1:${port}`)).toBe(201);
  // Through a tunnel the port is another one.
  expect(await ask('/healthz', { host: 'localhost:9000' })).toBe(200);
});

test('a relay that listens at one address answers to that, and not to the names of the loopback', () => {
  const none = { RELAY_PUBLIC_URL: undefined, RELAY_ALLOWED_HOSTS: [] };
  const refused = (origin: string, host: string) =>
    createHosts(none, () => origin).refusalOf({ headers: { host }, socket: { localAddress: '10.0.0.4' } })
      ?.code;
  const at = (origin: string, ...hosts: string[]) => hosts.map((host) => refused(origin, host));
  expect(at('http://10.0.0.4:7347', '10.0.0.4:7347', 'localhost:7347', '127.0.0.1', '[::1]:7347')).toEqual([
    ...[undefined, 'invalid_host', 'invalid_host', 'invalid_host'],
  ]);
  expect(at('http://127.0.0.1:7347', 'localhost:7347', '[::1]:7347', '10.0.0.4')).toEqual([
    ...[undefined, undefined, 'invalid_host'],
  ]);
  expect(at('http://0.0.0.0:7347', 'localhost', '10.0.0.4', '10.0.0.5')).toEqual([
    ...[undefined, undefined, 'invalid_host'],
  ]);
  // Before it listens it has no address.
  expect(at('', 'localhost')).toEqual(['invalid_host']);
});

describe('behind a proxy', () => {
  const PUBLIC = { RELAY_PUBLIC_URL: 'https://relay.example.org', RELAY_TRUST_PROXY: 'true' };
  const passed = { 'x-forwarded-for': '203.0.113.9' };

  test.each(['relay.example.org', 'Relay.example.org', 'relay.example.org:443', 'relay.example.org:8443'])(
    'the public name is answered to as %s',
    async (host) => {
      await start(PUBLIC);
      expect(await ask('/healthz', { host, ...passed })).toBe(200);
      expect(await upgrade('/v1/sync', { host, ...passed })).toBe(101);
      expect(await link(host)).toBe(201);
    },
  );

  test('other names are not, and the relay by itself still is', async () => {
    const port = await start(PUBLIC);
    for (const host of ['evil.example', 'relay.example.org.evil.example', 'xrelay.example.org'])
      expect([host, await ask('/healthz', { host, ...passed })]).toEqual([host, 421]);
    expect(await ask('/healthz', { host: `127.0.0.1:${port}` })).toBe(200);
  });

  test('the name that a proxy writes itself is answered to where it is allowed', async () => {
    await start({ ...PUBLIC, RELAY_ALLOWED_HOSTS: 'relay, Upstream:81' });
    for (const host of ['relay:7347', 'upstream'])
      expect(await ask('/healthz', { host, ...passed })).toBe(200);
    expect(await ask('/healthz', { host: 'relays:7347', ...passed })).toBe(421);
  });

  test('the metrics want a token, or loopback under a loopback name', async () => {
    const port = await start(PUBLIC);
    expect(await ask('/metrics', { host: 'relay.example.org' })).toBe(401);
    expect(await ask('/metrics', { host: `127.0.0.1:${port}`, ...passed })).toBe(401);
    expect(await ask('/metrics', { host: `127.0.0.1:${port}` })).toBe(200);
    await relay?.stop();
    const again = await start({ ...PUBLIC, RELAY_METRICS_TOKEN: 'a token of the metrics' });
    const authorization = 'Bearer a token of the metrics';
    expect(await ask('/metrics', { host: 'relay.example.org', authorization, ...passed })).toBe(200);
    expect(await ask('/metrics', { host: `127.0.0.1:${again}` })).toBe(401);
    expect(await ask('/metrics', { host: 'evil.example', authorization })).toBe(421);
  });
});

test('a relay that listens everywhere answers to the address that a connection came to', () => {
  const hosts = createHosts(
    { RELAY_PUBLIC_URL: undefined, RELAY_ALLOWED_HOSTS: [] },
    () => 'http://0.0.0.0:7347',
  );
  const asked = (host: string, localAddress: string) =>
    hosts.refusalOf({ headers: { host }, socket: { localAddress } })?.code;
  expect(asked('192.0.2.7:7347', '192.0.2.7')).toBeUndefined();
  expect(asked('192.0.2.7:7347', '::ffff:192.0.2.7')).toBeUndefined();
  expect(asked('[2001:db8::7]:7347', '2001:db8::7')).toBeUndefined();
  expect(asked('localhost:7347', '127.0.0.1')).toBeUndefined();
  expect(asked('192.0.2.8:7347', '192.0.2.7')).toBe('invalid_host');
  expect(asked('0.0.0.0:7347', '127.0.0.1')).toBe('invalid_host');
});

test('an IPv6 address to listen on may stand in brackets', () => {
  expect(readConfig({ RELAY_HOST: '[::1]' }).RELAY_HOST).toBe('::1');
  expect(() => readConfig({ RELAY_HOST: '[::]' })).toThrow(':: is reachable from other machines');
});
