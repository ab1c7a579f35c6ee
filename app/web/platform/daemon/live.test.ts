import type { Client } from '@reverie/shared/client';
import { expect, test } from 'vitest';
import { fakeClock } from '../../testing/fake-clock.ts';
import { liveness, startLive } from './live.ts';

/** A page that follows a stream whose sockets are in the test's hand. */
function setUp(answers: (number | Error)[] = [7]) {
  const clock = fakeClock();
  const sockets: {
    since: number;
    isClosed: boolean;
    events: Parameters<Parameters<typeof startLive>[0]['open']>[1];
  }[] = [];
  const told: unknown[] = [];
  const asked: string[] = [];
  const call = async (route: { id: string }) => {
    asked.push(route.id);
    if (route.id !== 'events') return {};
    const answer = answers.shift() ?? 7;
    if (answer instanceof Error) throw answer;
    return { newest_seq: answer, log_id: 'log_a' };
  };
  const live = startLive({
    call: call as unknown as Client,
    clock,
    random: () => 0.5,
    open: ({ since }, events) => {
      const socket = { since, isClosed: false, events };
      sockets.push(socket);
      return () => void (socket.isClosed = true);
    },
    onEvent: (event) => told.push(event.seq),
    onMissed: () => told.push('missed'),
  });
  const settled = () => new Promise((done) => setImmediate(done));
  return { clock, sockets, told, asked, live, settled };
}

const eventText = (seq: number) =>
  JSON.stringify({
    id: `evt_${seq}`,
    seq,
    type: 'memory.write',
    namespace: 'a',
    created_at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'key', id: 'k' },
    data: { before: null, after: { key: 'x' } },
  });

test('it follows from the end of the log, and resumes where it was', async () => {
  const { clock, sockets, told, asked, settled } = setUp();
  await settled();
  sockets[0]?.events.opened();
  expect(liveness.get()).toBe('live');
  sockets[0]?.events.received(eventText(12));
  sockets[0]?.events.received('not json');
  sockets[0]?.events.closed();
  expect(liveness.get()).toBe('lost');
  clock.pass(20_000);
  expect(sockets.map(({ since }) => since)).toEqual([7, 12]);
  expect(told).toEqual([12, 'missed']);
  expect(asked).toEqual(['events', 'keys_current']);
});

test('an unanswered question is asked again, at once when there is reason to; stopped, it lets go', async () => {
  const { sockets, live, settled } = setUp([new Error('down'), 9]);
  await settled();
  expect(liveness.get()).toBe('lost');
  live.retry();
  await settled();
  expect(sockets).toMatchObject([{ since: 9, isClosed: false }]);
  live.stop();
  expect(sockets).toMatchObject([{ since: 9, isClosed: true }]);
});
