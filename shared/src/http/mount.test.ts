import { once } from 'node:events';
import http from 'node:http';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import pino from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { route } from '../contract/route.ts';
import { createMount } from './mount.ts';
import { createServer } from './server.ts';

const WARN = 40;

it('tells a handler that its client has gone away, and logs no error', async () => {
  const lines: { level: number }[] = [];
  const sink = new Writable({
    write(line: Buffer, _, done) {
      lines.push(JSON.parse(line.toString()) as { level: number });
      done();
    },
  });
  const app = createServer({ log: pino({ level: 'debug' }, sink), earlyHeaders: () => ({}) });
  const mount = createMount(app, {
    callerOf: () => 'anybody',
    once: () => {
      throw new Error('nothing here is idempotent');
    },
  });
  const wait = route({
    id: 'wait',
    method: 'GET',
    path: '/wait',
    scope: 'public',
    tag: 'system',
    summary: 'Waits',
    status: 200,
    response: z.object({ gone: z.boolean() }),
    problems: [],
  });
  const asked = Promise.withResolvers<AbortSignal>();
  mount(wait, async ({ gone }) => {
    asked.resolve(gone);
    if (!gone.aborted) await once(gone, 'abort');
    return { gone: true };
  });
  const sent = Promise.withResolvers<void>();
  app.addHook('onSend', async () => sent.resolve());
  const client = http.get(`${await app.listen({ port: 0 })}/v1/wait`).on('error', () => undefined);
  const gone = await asked.promise;
  expect(gone.aborted).toBe(false);
  client.destroy();
  await sent.promise;
  // What is written to a connection that is gone fails in the next turn, if it fails.
  await setImmediate();
  expect(gone.aborted).toBe(true);
  expect(lines.filter(({ level }) => level >= WARN)).toEqual([]);
  await app.close();
});

it('asks who calls a public route only where its handler does', async () => {
  const app = createServer({ log: pino({ level: 'silent' }), earlyHeaders: () => ({}) });
  const mount = createMount(app, {
    callerOf: (): string => {
      throw new Error('nobody is known');
    },
    once: () => {
      throw new Error('nothing here is idempotent');
    },
  });
  const answering = (id: string) =>
    route({
      id,
      method: 'GET',
      path: `/${id}`,
      scope: 'public',
      tag: 'system',
      summary: 'Answers',
      status: 200,
      response: z.object({ caller: z.string() }),
      problems: [],
    });
  mount(answering('careless'), () => ({ caller: 'anybody' }));
  mount(answering('curious'), ({ caller }) => ({ caller }));
  expect((await app.inject('/v1/careless')).json()).toEqual({ caller: 'anybody' });
  expect((await app.inject('/v1/curious')).statusCode).toBe(500);
  await app.close();
});
