import { listDreams } from '@reverie/shared/contract/dreams';
import { setMemory } from '@reverie/shared/contract/memories';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { lastTime } from './schedule.ts';
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

test('a night that was slept through is made up for in the morning, not in the afternoon, and once', async () => {
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
