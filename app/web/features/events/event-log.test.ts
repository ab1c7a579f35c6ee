import type { Client } from '@reverie/shared/client';
import type { Event, EventType } from '@reverie/shared/contract/events/events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventLog } from './event-log.ts';
import { fits, rowOf, type EventFilter } from './event-row.ts';

const ALL: EventFilter = { family: undefined, namespace: undefined, actor: undefined };

interface Given {
  seq: number;
  type?: EventType;
  namespace?: string;
  key?: string;
  actor?: Event['actor']['kind'];
}

function eventOf({
  seq,
  type = 'memory.write',
  namespace = 'a',
  key = `k${seq}`,
  actor = 'key',
}: Given): Event {
  const state = { key, value: 'v' };
  return {
    id: `evt_${seq}`,
    seq,
    type,
    namespace,
    created_at: '2026-01-01T00:00:00.000Z',
    actor: { kind: actor, id: 'x' },
    data: type === 'memory.delete' ? { before: state, after: null } : { before: null, after: state },
  };
}

interface Query {
  since?: number;
  limit: number;
  family?: string;
  namespace?: string;
}

/** A daemon with these events, which answers as `GET /events` does. */
function setUp(given: Given[], filter = ALL) {
  const events = given.map(eventOf);
  let questions = 0;
  let failure: Error | undefined;
  const call = async (_route: unknown, { query }: { query: Query }) => {
    questions += 1;
    if (failure) throw failure;
    const fitting = events.filter(
      ({ type, namespace }) =>
        (query.family === undefined || type.startsWith(`${query.family}.`)) &&
        (query.namespace === undefined || query.namespace === namespace),
    );
    const { since } = query;
    const page =
      since === undefined
        ? fitting.slice(-query.limit)
        : fitting.filter(({ seq }) => seq > since).slice(0, query.limit);
    const newest = events.at(-1)?.seq ?? 0;
    return {
      log_id: 'log',
      oldest_seq: events[0]?.seq ?? newest + 1,
      newest_seq: newest,
      reset: false,
      next: page.length === query.limit && since !== undefined ? (page.at(-1)?.seq ?? newest) : newest,
      events: page,
    };
  };
  const log = createEventLog(call as unknown as Client, filter);
  const seqs = () => log.state.get().rows.map(({ seq }) => seq);
  return {
    log,
    seqs,
    events,
    questions: () => questions,
    fail: (cause: Error | undefined) => void (failure = cause),
  };
}

const many = (count: number, more: (seq: number) => Partial<Given> = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({ seq: at + 1, ...more(at + 1) }));

test('property: under any filter, looking back to the end finds each event once, newest first', async () => {
  const some = fc.array(
    fc.record({
      gap: fc.integer({ min: 1, max: 400 }),
      type: fc.constantFrom<EventType>('memory.write', 'channel.message'),
      namespace: fc.constantFrom('a', 'b'),
      actor: fc.constantFrom('key' as const, 'job' as const),
    }),
    { maxLength: 300 },
  );
  const filter = fc.record({
    family: fc.constantFrom(undefined, 'memory' as const, 'channel' as const),
    namespace: fc.constantFrom(undefined, 'a', 'b'),
    actor: fc.constantFrom(undefined, 'key' as const, 'job' as const),
  });
  await fc.assert(
    fc.asyncProperty(some, filter, async (given, only) => {
      let seq = 0;
      const { log, seqs, events } = setUp(
        given.map(({ gap, ...rest }) => ({ ...rest, seq: (seq += gap) })),
        only,
      );
      await log.reload();
      for (let round = 0; round < 2_000 && !log.state.get().complete; round += 1) await log.older();
      const expected = events.map(rowOf).filter((row) => fits(only, row));
      expect(seqs()).toEqual(expected.map((row) => row.seq).reverse());
    }),
    { numRuns: 60 },
  );
});

test('it begins with the newest and looks back page by page', async () => {
  const { log, seqs } = setUp(many(250));
  await log.reload();
  expect([seqs().at(0), seqs().at(-1), log.state.get().complete]).toEqual([250, 151, false]);
  await log.older();
  expect([seqs().length, seqs().at(-1)]).toEqual([200, 51]);
});

test('a rare kind in a long log does not take more than some questions at once', async () => {
  const { log, seqs, questions } = setUp(
    many(20_000, (seq) => (seq === 1 ? { actor: 'job' } : {})),
    { ...ALL, actor: 'job' },
  );
  await log.reload();
  expect(questions()).toBeLessThan(250);
  for (let round = 0; round < 20 && seqs().length === 0; round += 1) await log.older();
  expect(seqs()).toEqual([1]);
});

test('what happens comes in at the top, if it fits; what it deletes is taken out of earlier events', async () => {
  const { log, seqs } = setUp(many(3), { ...ALL, namespace: 'a' });
  await log.reload();
  log.hear([
    eventOf({ seq: 4, namespace: 'b', key: 'k1', type: 'memory.delete' }),
    eventOf({ seq: 5, key: 'k2', type: 'memory.delete' }),
  ]);
  expect(seqs()).toEqual([5, 3, 2, 1]);
  expect(log.state.get().rows.map(({ key, redacted }) => [key, redacted])).toEqual([
    ['k2', false],
    ['k3', false],
    [undefined, true],
    ['k1', false],
  ]);
});

test('a cleared namespace takes all its earlier events along', async () => {
  const { log } = setUp(many(3, (seq) => ({ namespace: seq === 2 ? 'b' : 'a' })));
  await log.reload();
  log.hear([
    { ...eventOf({ seq: 4, type: 'memory.clear' }), data: { before: { count: 2 }, after: { count: 0 } } },
  ]);
  expect(log.state.get().rows.map(({ redacted }) => redacted)).toEqual([false, true, false, true]);
});

test('what happens while the list is fetched is not lost, and missed events fetch it anew', async () => {
  const { log, seqs, events } = setUp(many(2));
  const loading = log.reload();
  log.hear([eventOf({ seq: 3 })]);
  await loading;
  expect(seqs()).toEqual([3, 2, 1]);
  events.push(eventOf({ seq: 3 }), eventOf({ seq: 4 }));
  log.hear(['missed']);
  await expect.poll(seqs).toEqual([4, 3, 2, 1]);
});

test('a failure is told, and trying again helps', async () => {
  const { log, seqs, fail } = setUp(many(2));
  fail(new Error('down'));
  await log.reload();
  expect(log.state.get()).toMatchObject({ phase: 'failed', error: { message: 'down' } });
  fail(undefined);
  await log.reload();
  expect(seqs()).toEqual([2, 1]);
  expect(log.state.get()).toMatchObject({ phase: 'idle', error: undefined });
});
