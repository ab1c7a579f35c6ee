import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../contract/problems.ts';
import { createServer } from './server.ts';
import { shedFirst } from './shed.ts';

const app = createServer({ log: pino({ level: 'silent' }), earlyHeaders: () => ({}) });
let routed = 0;
let origin = '';
beforeAll(async () => {
  app.all('/there', async () => {
    routed += 1;
    return { ok: true };
  });
  shedFirst(app, ({ headers }) =>
    headers['x-flood'] === undefined
      ? undefined
      : {
          problem: new Problem('rate_limited', 'That is too much', { headers: { 'Retry-After': '7' } }),
          headers: { 'X-RateLimit-Remaining': '0' },
        },
  );
  app.server.listen(0, '127.0.0.1');
  await Promise.all([once(app.server, 'listening'), app.ready()]);
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

describe('what is refused before anything is done for it', () => {
  test('is a problem like any other, and reaches no route', async () => {
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
    expect(routed).toBe(0);
  });

  test('leaves the connection to the next request, whatever body came with it', async () => {
    const flood = () =>
      fetch(`${origin}/there`, { method: 'POST', headers: { 'x-flood': '1' }, body: 'x'.repeat(300_000) });
    for (let n = 0; n < 3; n += 1) expect((await flood()).status).toBe(429);
    expect((await fetch(`${origin}/there`)).status).toBe(200);
    expect(routed).toBe(1);
  });

  test('has no body for HEAD', async () => {
    const response = await fetch(`${origin}/there`, { method: 'HEAD', headers: { 'x-flood': '1' } });
    expect([response.status, await response.text()]).toEqual([429, '']);
  });
});
