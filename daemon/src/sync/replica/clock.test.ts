import { usage } from '@reverie/shared/contract/accounts/accounts';
import {
  clearNamespace,
  deleteMemory,
  listMemories,
  setMemory,
} from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestDaemon } from '../../testing.ts';
import {
  type LinkedPair,
  pause,
  set,
  startLinkedPair,
  statusOf,
  together,
} from '../testing/linked-devices.ts';

let world: LinkedPair;
let ahead: TestDaemon;
let right: TestDaemon;
const HOURS = 3 * 3_600_000;

beforeEach(async () => {
  world = await startLinkedPair();
  ({ a: ahead, b: right } = world);
  await together(world.devices);
});
afterEach(() => world.stop());

const stampsOf = (device: TestDaemon) =>
  device.withStore((store) =>
    store.read((db) => db.prepare<[], { clock: number }>('SELECT clock FROM sync_links').get()?.clock ?? 0),
  );

test('what was written by a clock that is hours ahead is stamped anew and taken, and newer changes of others win over it', async () => {
  await set(right, 'both', 'first');
  await set(right, 'gone', 'first');
  await together(world.devices);
  await pause(ahead, true);
  ahead.clock.advance(HOURS);
  await set(ahead, 'alone', 'one');
  await set(ahead, 'alone', 'two');
  await set(ahead, 'both', 'from the future');
  await ahead.call(deleteMemory, { body: { key: 'gone' } });
  await pause(ahead, false);
  expect(await together(world.devices)).toEqual({ alone: 'two', both: 'from the future' });
  // Its clock does not go on from where it was: who writes now is newer.
  world.relay.clock.advance(60_000);
  right.clock.advance(60_000);
  await set(right, 'both', 'later');
  expect((await together(world.devices))['both']).toBe('later');
  expect(stampsOf(ahead)).toBeLessThan((world.relay.clock.now() + 600_000) * 1024);

  const status = await statusOf(ahead);
  expect(status.error).toMatchObject({ code: 'clock_ahead' });
  expect(status.error?.message).toContain('179 minutes ahead');
  expect(status.error?.advice).toContain('Set the clock');
  expect((await statusOf(right)).error).toBeUndefined();
});

test('what another device wrote is counted where it was written alone', async () => {
  const stores = async () => (await right.call(usage, {})).stores.used;
  const before = await stores();
  await set(ahead, 'theirs', 'one');
  await set(ahead, 'theirs', 'two');
  await together(world.devices);
  expect(await stores()).toBe(before);
  await set(right, 'own', 'one');
  expect(await stores()).toBe(before + 1);
});

test('a clear by such a clock covers what was before it, and nothing after it', async () => {
  await set(right, 'before', 'x');
  await together(world.devices);
  await pause(ahead, true);
  ahead.clock.advance(HOURS);
  await ahead.call(clearNamespace, { body: { namespace: 'default' } });
  await set(ahead, 'after', 'of the one');
  await pause(ahead, false);
  expect(await together(world.devices)).toEqual({ after: 'of the one' });
  world.relay.clock.advance(1000);
  right.clock.advance(1000);
  await set(right, 'after, too', 'of the other');
  expect(await together(world.devices)).toEqual({ after: 'of the one', 'after, too': 'of the other' });
  expect((await world.relay.updates.state(roomOf(right)))?.clearedBefore.ms).toBeLessThanOrEqual(
    world.relay.clock.now(),
  );
});

test('a clock that goes wrong while the link is open is corrected, and what was refused meanwhile is sent again', async () => {
  ahead.clock.advance(HOURS);
  await set(ahead, 'k', 'written before the relay told its time again');
  expect(await together(world.devices)).toEqual({ k: 'written before the relay told its time again' });
  await set(ahead, 'k', 'and after it');
  expect(await together(world.devices)).toEqual({ k: 'and after it' });
});

test('a relay whose clock is set back takes what was stamped by the one before', async () => {
  world.relay.clock.advance(-60_000);
  ahead.clock.advance(600_000);
  for (const key of ['one', 'two', 'three']) {
    await set(ahead, key, 'x');
    ahead.clock.advance(10);
  }
  expect(await together(world.devices)).toEqual({ one: 'x', two: 'x', three: 'x' });
});

function roomOf(device: TestDaemon): string {
  return device.withStore(
    (store) =>
      store.read((db) => db.prepare<[], { room: string }>('SELECT room FROM sync_namespaces').get()?.room) ??
      '',
  );
}

test.each([-10, 10])(
  'a clock that is %d minutes off: what was written last here and there, and all replicas the same',
  async (minutes) => {
    const [a, b] = world.devices;
    if (!a || !b) throw new Error('there are two');
    b.clock.advance(minutes * 60_000);
    await together([a, b]);
    for (let n = 0; n < 20; n += 1) {
      a.clock.advance(1000);
      b.clock.advance(1000);
      await a.call(setMemory, { body: { key: `k${n % 5}`, value: `a ${n}` } });
      await b.call(setMemory, { body: { key: `k${n % 5}`, value: `b ${n}` } });
      await b.call(setMemory, { body: { key: `of b ${n}`, value: 'b' } });
    }
    const all = await together([a, b]);
    expect(Object.keys(all).length).toBe(25);
    // Who has read the other's change writes after it, whatever its clock says.
    await a.call(setMemory, { body: { key: 'k0', value: 'the last of a' } });
    expect((await together([a, b]))['k0']).toBe('the last of a');
    await b.call(setMemory, { body: { key: 'k0', value: 'the last of b' } });
    expect((await together([a, b]))['k0']).toBe('the last of b');
  },
);

test('once its clock is known to be ahead, what it writes is dated by the relay, and is not the newest for hours', async () => {
  ahead.clock.advance(HOURS);
  await set(ahead, 'before', 'so that the relay says it');
  await together(world.devices);
  await set(ahead, 'theirs', 'of the clock that is ahead');
  await together(world.devices);
  world.relay.clock.advance(60_000);
  right.clock.advance(60_000);
  await set(right, 'own', 'later');
  await together(world.devices);
  for (const device of [right, ahead]) {
    const { memories } = await device.call(listMemories, { body: { order: 'updated' } });
    const keys = memories.map(({ key }) => key).filter((key) => key !== 'before');
    expect(keys).toEqual(['own', 'theirs']);
    const theirs = memories.find(({ key }) => key === 'theirs');
    expect(Date.parse(theirs?.created_at ?? '')).toBeLessThanOrEqual(world.relay.clock.now());
  }
});
