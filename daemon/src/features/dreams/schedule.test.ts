import { listDreams } from '@reverie/shared/contract/dreams/dreams';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { createLog } from '../../platform/log.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { insertAccount } from '../accounts/accounts.store.ts';
import { lastTime, startSchedule } from './schedule.ts';
import { dreamed, storeAll } from './testing.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;

test('the last time of day is today, or yesterday', () => {
  const at = new Date(2031, 4, 14, 12, 0).getTime();
  expect(lastTime(at, '12:00')).toBe(at);
  expect(lastTime(at, '11:59')).toBe(at - 60_000);
  expect(lastTime(at, '12:01')).toBe(new Date(2031, 4, 13, 12, 1).getTime());
});

let daemon: TestDaemon;
afterEach(() => daemon.stop());
beforeEach(async () => {
  daemon = await startTestDaemon({ env: { REVERIE_DREAM_SCHEDULE: '03:30' } });
});

/** Moves on to the next 03:30, and a minute more. */
function night(): void {
  daemon.clock.advance(lastTime(daemon.clock.now(), '03:30') + DAY - daemon.clock.now() + 60_000);
}
const jobs = async () => {
  const { jobs: all } = await daemon.call(listDreams, { query: {} });
  return Promise.all(all.map(({ id }) => dreamed(daemon.call, id)));
};

test('each changed namespace dreams once a night', async () => {
  await storeAll(daemon.call, { a: 'The tram leaves at nine.' });
  await daemon.call(setMemory, { body: { key: 'b', value: 'The garage code is 4711.', namespace: 'm' } });
  night();
  daemon.clock.advance(HOUR);
  const first = await jobs();
  expect(first.map(({ namespace, trigger, status }) => [namespace, trigger, status]).sort()).toEqual([
    ['m', 'schedule', 'complete'],
    ['n', 'schedule', 'complete'],
  ]);
  night();
  expect(await jobs()).toHaveLength(2);
  await storeAll(daemon.call, { a: 'The tram leaves at ten.' });
  night();
  expect((await jobs()).map(({ namespace }) => namespace)).toEqual(['n', 'n', 'm']);
});

test('a restart in the same night, and a change after it, begin no second dream', async () => {
  await storeAll(daemon.call, { a: 'The tram leaves at nine.' });
  night();
  const { length } = await jobs();
  await daemon.restart();
  daemon.clock.advance(60_000);
  expect(await jobs()).toHaveLength(length);
  await storeAll(daemon.call, { b: 'The tram leaves at ten.' });
  daemon.clock.advance(8 * HOUR);
  expect(await jobs()).toHaveLength(length);
});

test.each([
  ['in the morning is made up for', 6 * HOUR, 1],
  ['in the afternoon is not', 6 * HOUR + 60_000, 0],
])('a night that was slept through %s', (_, late, times) => {
  const store = openStore({ file: ':memory:', migrations: loadMigrations() });
  const clock = createFakeClock();
  store.write((db) => {
    const row = { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: 0 } as const;
    db.prepare<[number, number]>(
      "INSERT INTO namespaces (account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (?, 'n', 1, 1, 1, 1, ?)",
    ).run(insertAccount(db, row), clock.now());
  });
  // As a machine that wakes up: nothing ran from before the night until then.
  clock.advance(lastTime(clock.now(), '03:30') + DAY + late - 30_000 - clock.now());
  const started: string[] = [];
  const stop = startSchedule({
    store,
    clock,
    log: createLog('silent'),
    at: '03:30',
    start: (_account, namespace) => void started.push(namespace),
  });
  clock.advance(30_000);
  expect(started).toEqual(Array(times).fill('n'));
  // Once: the memory is no newer than that dream, and the night is over.
  clock.advance(HOUR);
  expect(started).toHaveLength(times);
  stop();
  store.close();
});
