import * as contract from '@reverie/shared/contract/dreams/dreams';
import { holdDreams } from '@reverie/shared/contract/dreams/dream-hold';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { createHold } from './jobs/hold.ts';
import { dreamed, storeAll } from './testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

test('dreams that are held wait in the queue, and go on when they need not', async () => {
  await storeAll(daemon.call, { a: 'The garage code is 4711.', b: 'the garage  code is 4711.' });
  const held = await daemon.call(holdDreams, { body: { seconds: 600, why: 'on battery, 31 %' } });
  expect([typeof held.held_until, held.why]).toEqual(['string', 'on battery, 31 %']);
  const { id } = await daemon.call(contract.startDream, { body: { namespace: 'n', strategies: ['refine'] } });
  // What is not held has begun, and often ended, by the time of the next two answers.
  for (const _ of [1, 2, 3]) {
    const { status } = await daemon.call(contract.dreamStatus, { params: { id } });
    expect(status).toBe('queued');
  }
  expect(await daemon.call(holdDreams, { body: { seconds: 0 } })).toEqual({
    held_until: null,
    why: '',
  });
  expect((await dreamed(daemon.call, id)).status).toBe('complete');
});

test('only an owner key of this machine may hold them', async () => {
  for (const scope of ['write', 'owner'] as const) {
    const { key } = daemon.addAccount(scope);
    const { status, json } = await daemon.ask({ path: '/v1/memory/dream/hold', body: { seconds: 60 }, key });
    expect([scope, status, json['code']]).toEqual([scope, 403, 'forbidden_scope']);
  }
});

test('a hold counts anew each time it is asked for, and ends by itself', () => {
  const timers: { ms: number; run: () => void; isOver: boolean }[] = [];
  let ended = 0;
  const hold = createHold({
    now: () => 1000,
    every(ms, run) {
      const timer = { ms, run, isOver: false };
      timers.push(timer);
      return { stop: () => void (timer.isOver = true) };
    },
  });
  const letGo = hold.onEnded(() => (ended += 1));
  hold.set(5000, 'a');
  expect(hold.set(9000, 'b')).toEqual({ until: 10_000, why: 'b' });
  expect(timers.map(({ ms, isOver }) => [ms, isOver])).toEqual([
    [5000, true],
    [9000, false],
  ]);
  timers[1]?.run();
  expect([hold.now(), ended, timers[1]?.isOver]).toEqual([undefined, 1, true]);
  hold.set(0, '');
  expect(ended).toBe(1);
  letGo();
  hold.set(5000, 'c');
  hold.set(0, '');
  expect(ended).toBe(1);
});
