import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { makeKey } from '@reverie/shared/accounts/key-format';
import { expect, test } from 'vitest';
import { ask, spawnDaemon, startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';
import { signUp, startBehindProxy } from '../../testing/sign-up.ts';

/** Statuses of requests, one after the other, over one connection. */
async function statusesOf(origin: string, keys: readonly string[]): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const one = (key: string) =>
    new Promise<number>((resolve, reject) => {
      const options = { agent, headers: { Authorization: `Bearer ${key}` } };
      const request = http.get(`${origin}/v1/namespaces`, options, (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode ?? 0));
      });
      request.on('error', reject);
    });
  const statuses = [];
  for (const key of keys) statuses.push(await one(key));
  agent.destroy();
  return statuses;
}

/** Writes requests over many connections without waiting for an answer; done when each was answered or cut off. */
async function flood(origin: string, keys: readonly string[]): Promise<void> {
  const EACH = 200;
  const { port, host } = new URL(origin);
  const connections = [];
  for (let at = 0; at < keys.length; at += EACH) {
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const request = (key: string, last: boolean) =>
      `GET /v1/namespaces HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    socket.write(
      keys
        .slice(at, at + EACH)
        .map((key, i) => request(key, i === EACH - 1))
        .join(''),
    );
    connections.push(once(socket.resume(), 'close'));
  }
  await Promise.all(connections);
}

test('10,000 wrong keys fill no log, store nothing, and cost the owner nothing', async () => {
  const { folder, remove } = temporaryFolder();
  const home = path.join(folder, 'home');
  const daemon = spawnDaemon(home, {
    REVERIE_LOG_LEVEL: 'info',
    REVERIE_LIMITS_WRONG_KEYS_PER_SECOND: '20',
  });
  try {
    const origin = await daemon.ready;
    const ownerKey = fs.readFileSync(path.join(home, 'owner-key'), 'utf8').trim();
    const database = path.join(home, 'reverie.db');
    const sizeOf = () => fs.statSync(database).size + fs.statSync(`${database}-wal`).size;
    const usage = async () => (await ask(origin, { path: '/v1/usage', key: ownerKey })).json['requests'];
    expect(await usage()).toMatchObject({ used: 1 });
    const before = sizeOf();
    // Half of them have the form of a key, half have not.
    const wrong = Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? makeKey('live') : `wrong-${i}`));
    await flood(origin, wrong);
    expect(await usage()).toMatchObject({ used: 2 });
    // The first of a second are looked at, then comes one answer a second; the owner's key, from the same address, is answered.
    // 21 of them may fall into two seconds.
    const seen = new Set<number>();
    await expect
      .poll(async () => {
        for (const status of await statusesOf(origin, wrong.slice(0, 21))) seen.add(status);
        return [...seen].sort();
      })
      .toEqual([401, 429]);
    expect(await usage()).toMatchObject({ used: 3 });
    // The counts of the owner's own requests are all that was written: a few pages.
    expect(sizeOf() - before).toBeLessThan(100_000);
    daemon.kill('SIGTERM');
    const { stderr } = await daemon.ended;
    const lines = stderr.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeLessThan(10);
    expect(stderr).not.toMatch(/rv_live_|wrong-/);
  } finally {
    daemon.kill('SIGKILL');
    remove();
  }
});

test('an address that floods is one of many: behind a proxy others are answered, and IPv6 wins nothing', async () => {
  const daemon = await startBehindProxy({ env: { REVERIE_LIMITS_ANONYMOUS_PER_HOUR: '3' } });
  const from = async (address: string) =>
    (await daemon.ask({ path: '/v1/healthz', key: null, headers: { 'X-Forwarded-For': address } })).status;
  try {
    expect([
      await from('10.1.1.1'),
      await from('10.1.1.1'),
      await from('10.1.1.1'),
      await from('10.1.1.1'),
    ]).toEqual([200, 200, 200, 429]);
    // What stands before the last address was written by the caller.
    expect([await from('1.2.3.4, 10.1.1.1'), await from('10.1.1.1, 10.1.1.2')]).toEqual([429, 200]);
    const six = [1, 2, 3, 4].map((n) => `2001:db8:9:9::${n}`);
    const statuses = [];
    for (const address of six) statuses.push(await from(address));
    expect(statuses).toEqual([200, 200, 200, 429]);
  } finally {
    await daemon.stop();
  }
});

test('without a proxy the header is not believed', async () => {
  const daemon = await startTestDaemon({ env: { REVERIE_LIMITS_ANONYMOUS_PER_HOUR: '2' } });
  const from = async (address: string) =>
    (await daemon.ask({ path: '/v1/healthz', key: null, headers: { 'X-Forwarded-For': address } })).status;
  try {
    expect([await from('10.1.1.1'), await from('10.1.1.2'), await from('10.1.1.3')]).toEqual([200, 200, 429]);
  } finally {
    await daemon.stop();
  }
});

test('a small account finds the same, with scores equal to the last bit, beside a big one', async () => {
  const words = [
    'amber',
    'basalt',
    'cedar',
    'delta',
    'ember',
    'fjord',
    'glacier',
    'harbour',
    'island',
    'jetty',
  ];
  const text = (seed: number) =>
    Array.from({ length: 12 }, (_, i) => words[(seed * 7 + i * i * ((seed % 5) + 1)) % 10]).join(' ');
  const items = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => ({
      key: `m${from + i}`,
      value: `${text(from + i)} ${from + i}`,
    }));
  const searched = async (daemon: TestDaemon) => {
    const { reply } = await signUp(daemon, 'small@example.org');
    const key = reply.api_key;
    const stored = await daemon.ask({ path: '/v1/memory/store-batch', key, body: { items: items(60, 0) } });
    expect(stored.status).toBe(200);
    const answers = [];
    for (const query of ['amber harbour', 'glacier', 'which island has a jetty', 'cedar ember 7'])
      for (const class_ of [undefined, 'note'])
        answers.push(
          (
            await daemon.ask({
              path: '/v1/memory-search',
              key,
              body: { query, limit: 50, ...(class_ && { class: class_ }) },
            })
          ).json,
        );
    return answers;
  };
  const [alone, crowded] = [await startBehindProxy(), await startBehindProxy()];
  try {
    const big = await crowded.ask({ path: '/v1/memory/store-batch', body: { items: items(1000, 5000) } });
    expect(big.status).toBe(200);
    const answers = await searched(alone);
    expect(await searched(crowded)).toEqual(answers);
    expect(answers.some(({ count }) => Number(count) > 10)).toBe(true);
  } finally {
    await alone.stop();
    await crowded.stop();
  }
});

test.each(['127.0.0.1', 'localhost'])(
  'at %s an upgrade of another path shows no token in the log, and what a request offers beside itself breaks nothing',
  async (name) => {
    const { folder, remove } = temporaryFolder();
    const home = path.join(folder, 'home');
    const daemon = spawnDaemon(home, { REVERIE_LOG_LEVEL: 'info', REVERIE_HOST: name });
    try {
      const origin = await daemon.ready;
      const key = fs.readFileSync(path.join(home, 'api-key'), 'utf8').trim();
      const upgraded = (at: string) =>
        ask(at, {
          path: '/v1/auth/confirm?token=verysecrettoken',
          key: null,
          headers: {
            Connection: 'Upgrade',
            Upgrade: 'websocket',
            'Sec-WebSocket-Version': '13',
            'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
          },
        });
      const refused = await upgraded(origin);
      expect([refused.status, refused.json.code]).toEqual([404, 'token_not_found']);
      expect(refused.headers['x-ratelimit-remaining']).toBeDefined();
      // On ::1 too, where the machine has it.
      const second = await upgraded(origin.replace(name, '[::1]')).catch(() => undefined);
      const all = Object.values(os.networkInterfaces()).flat();
      expect(second?.status).toBe(all.some((one) => one?.address === '::1') ? 404 : undefined);
      const stored = await ask(origin, {
        method: 'POST',
        path: '/v1/memory-set',
        key,
        headers: { Connection: 'Upgrade', Upgrade: 'h2c' },
        body: { key: 'k', value: 'of a client that offers HTTP/2' },
      });
      expect([stored.status, stored.json]).toMatchObject([200, { key: 'k' }]);
      const expecting = await ask(origin, { path: '/v1/healthz', headers: { Expect: 'wonders' } });
      expect(expecting.status).toBe(200);
      daemon.kill('SIGTERM');
      expect((await daemon.ended).stderr).not.toContain('verysecrettoken');
    } finally {
      daemon.kill('SIGKILL');
      remove();
    }
  },
);
