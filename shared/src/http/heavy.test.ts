import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Problem } from '../contract/problems.ts';
import { createHeavyRequests } from './heavy.ts';

class Response extends EventEmitter {
  destroyed = false;
  go(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function crowd(limits = { atOnce: 2, waiting: 3 }) {
  const enter = createHeavyRequests<string>(() => limits);
  const begun: string[] = [];
  const refused: string[] = [];
  return {
    begun,
    refused,
    ask(account: string, name: string): Response {
      const response = new Response();
      enter(account, response as unknown as ServerResponse).then(
        () => void begun.push(name),
        (cause: unknown) =>
          cause instanceof Problem && refused.push(`${name} ${cause.code} ${JSON.stringify(cause.headers)}`),
      );
      return response;
    },
    async settle() {
      for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    },
  };
}

test('a few of an account are answered at a time, some wait, the others are told when to come back', async () => {
  const { ask, settle, begun, refused } = crowd();
  const [first, second] = [ask('a', '1'), ask('a', '2')];
  for (const name of ['3', '4', '5', '6', '7']) ask('a', name);
  ask('b', 'of another');
  await settle();
  expect(begun).toEqual(['1', '2', 'of another']);
  expect(refused).toEqual(['6', '7'].map((name) => `${name} rate_limited {"Retry-After":"1"}`));
  first.emit('finish');
  first.emit('close');
  await settle();
  expect(begun).toEqual(['1', '2', 'of another', '3']);
  second.go();
  await settle();
  expect(begun).toEqual(['1', '2', 'of another', '3', '4']);
});

test('who goes away while it waits takes no place', async () => {
  const { ask, settle, begun } = crowd({ atOnce: 1, waiting: 2 });
  const first = ask('a', '1');
  ask('a', '2').go();
  const third = ask('a', '3');
  await settle();
  expect(begun).toEqual(['1']);
  first.go();
  await settle();
  expect(begun).toEqual(['1', '3']);
  third.go();
  ask('a', '4');
  await settle();
  expect(begun).toEqual(['1', '3', '4']);
});

test('of many that come together each begins in a turn of its own', async () => {
  const { ask, begun } = crowd({ atOnce: 50, waiting: 0 });
  for (let n = 0; n < 20; n += 1) ask(`account ${n % 5}`, String(n));
  let most = 0;
  for (let before = 0; before < 20; before = begun.length) {
    await setImmediate();
    most = Math.max(most, begun.length - before);
  }
  expect(most).toBe(1);
});

test('connections that wait are taken between two of them', async () => {
  const { ask, begun } = crowd({ atOnce: 50, waiting: 0 });
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  let taken = 0;
  let begunBefore = 0;
  server.on('connection', (socket) => {
    taken += 1;
    begunBefore = begun.length;
    socket.destroy();
  });
  const { port } = server.address() as net.AddressInfo;
  // They wait at the system until this turn is over.
  const sockets = Array.from({ length: 20 }, () =>
    net.connect(port, '127.0.0.1').on('error', () => undefined),
  );
  for (let n = 0; n < 20; n += 1) ask('a', String(n));
  while (begun.length < 20 || taken < 20) await setImmediate();
  expect(begunBefore).toBeLessThan(15);
  for (const socket of sockets) socket.destroy();
  server.close();
});
