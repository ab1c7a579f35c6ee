import pino from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { route } from '../contract/route.ts';
import { createMount } from './mount.ts';
import { createServer } from './server.ts';

it('says in Server-Timing how long the answer of a contract route took, and of nothing else', async () => {
  const app = createServer({ log: pino({ level: 'silent' }), earlyHeaders: () => ({}) });
  const mount = createMount(app, {
    callerOf: () => 'anybody',
    once: () => {
      throw new Error('nothing here is idempotent');
    },
  });
  const hello = route({
    id: 'hello',
    method: 'GET',
    path: '/hello',
    scope: 'public',
    tag: 'system',
    summary: 'Says hello',
    status: 200,
    response: z.object({ hello: z.string() }),
    problems: [],
  });
  mount(hello, () => ({ hello: 'you' }));
  app.get('/page', () => 'a page');
  const answer = await app.inject('/v1/hello');
  expect(answer.json()).toEqual({ hello: 'you' });
  expect(answer.headers['server-timing']).toMatch(/^total;dur=\d+\.\d\d$/);
  expect((await app.inject('/page')).headers['server-timing']).toBeUndefined();
  await app.close();
});

it('refuses what no schema foresaw in plain words, once for each field, and never fails over a long address', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const app = createServer({ log, earlyHeaders: () => ({}) });
  const mount = createMount(app, {
    callerOf: () => 'anybody',
    once: () => {
      throw new Error('nothing here is idempotent');
    },
  });
  const greet = route({
    id: 'greet',
    method: 'POST',
    path: '/greet/{name}',
    scope: 'public',
    tag: 'system',
    summary: 'Greets',
    params: z.strictObject({ name: z.string() }),
    body: z.strictObject({ times: z.int().min(1), words: z.string().min(3) }),
    status: 200,
    response: z.object({}),
    problems: [],
  });
  mount(greet, () => ({}));
  const wrong = await app.inject({ method: 'POST', url: '/v1/greet/ann', payload: { times: 0, words: [] } });
  expect([wrong.statusCode, wrong.json<{ detail: string }>().detail]).toEqual([
    400,
    'times: must be at least 1; words: must be a string',
  ]);
  const long = await app.inject({ method: 'POST', url: `/v1/greet/${'x'.repeat(3000)}`, payload: {} });
  expect([long.statusCode, long.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  expect(long.body).not.toContain('xxx');
  expect(lines).toEqual([]);
  await app.close();
});
