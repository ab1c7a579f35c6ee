import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { makeKey } from '@reverie/shared/accounts/key-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spawnDaemon } from '../../testing.ts';

const LIMIT = 20;

/** A daemon that lasts as long as the tests of a block, and refuses an address after `LIMIT` requests. */
function floodedDaemon(settings: Record<string, string> = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-flood-'));
  const home = path.join(folder, 'home');
  const flooded = { home, origin: '' };
  let daemon: ReturnType<typeof spawnDaemon>;
  beforeAll(async () => {
    daemon = spawnDaemon(home, { REVERIE_LIMITS_ANONYMOUS_PER_HOUR: String(LIMIT), ...settings });
    flooded.origin = await daemon.ready;
  });
  afterAll(async () => {
    daemon.kill('SIGTERM');
    await daemon.ended;
    fs.rmSync(folder, { recursive: true });
  });
  return flooded;
}

describe('an address that sends wrong keys', () => {
  const daemon = floodedDaemon();

  const list = (key: string | undefined, at = daemon.origin) =>
    fetch(`${at}/v1/namespaces`, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });

  test('is told 401 up to its limit, then 429 from the first line on; the owner beside it is answered', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < LIMIT + 2; n += 1) statuses.push((await list(makeKey('live'))).status);
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(401), ...Array<number>(2).fill(429)]);
    for (const refused of await Promise.all(
      ['nonsense', undefined, makeKey('bot')].map((key) => list(key)),
    )) {
      expect(refused.status).toBe(429);
      expect(refused.headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
      expect(refused.headers.get('x-request-id')).not.toBeNull();
    }
    const owner = fs.readFileSync(path.join(daemon.home, 'owner-key'), 'utf8').trim();
    expect((await list(owner)).status).toBe(200);
    // On ::1 too, where the machine has it; it is another address with a bucket of its own.
    const second = daemon.origin.replace('127.0.0.1', '[::1]');
    const there = await list(owner, second).catch(() => undefined);
    if (there) expect(there.status).toBe(200);
  });
});

describe('an address that asks for what it is refused', () => {
  const daemon = floodedDaemon({ REVERIE_CORS_ORIGINS: 'https://app.example' });

  const get = (headers: http.OutgoingHttpHeaders) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .get(`${daemon.origin}/v1/healthz`, { headers }, (reply) => resolve(reply.resume()))
        .on('error', reject);
    });

  test('by another name or from a foreign page is counted, and the page that may call can read that it shall wait', async () => {
    const page = { origin: 'https://app.example' };
    const first = await get(page);
    expect(first.headers['access-control-allow-origin']).toBe(page.origin);
    const left = Number(first.headers['x-ratelimit-remaining']);
    const asked: number[] = [];
    for (let n = 1; n <= left; n += 1) {
      const reply = await get(n % 2 === 0 ? { host: 'evil.example' } : { origin: 'https://evil.example' });
      asked.push(reply.statusCode ?? 0);
      expect(Number(reply.headers['x-ratelimit-remaining'])).toBe(left - n);
    }
    expect(new Set(asked)).toEqual(new Set([403, 421]));
    const refused = await get(page);
    expect(refused.statusCode).toBe(429);
    for (const name of ['access-control-allow-origin', 'access-control-expose-headers', 'vary'])
      expect(refused.headers[name]).toBe(first.headers[name]);
    // The foreign page reads nothing, now as before.
    expect((await get({ origin: 'https://evil.example' })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });
});
