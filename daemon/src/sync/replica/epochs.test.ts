import { clearNamespace, deleteMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { isGrown } from './upkeep.ts';
import { type LinkedPair, pause, says, set, startLinkedPair, together } from '../testing/linked-devices.ts';

let world: LinkedPair;
let a: TestDaemon;
let b: TestDaemon;

beforeEach(async () => {
  world = await startLinkedPair();
  ({ a, b } = world);
});
afterEach(() => world.stop());

interface Row {
  id: number;
  room: string;
  epoch: number;
}
const rowOf = (device: TestDaemon): Row =>
  device.withStore((store) =>
    store.read((db) =>
      db.prepare<[], Row>("SELECT id, room, epoch FROM sync_namespaces WHERE name = 'default'").get(),
    ),
  ) ?? { id: 0, room: '', epoch: 0 };
const documentBytes = (device: TestDaemon) =>
  device.withStore((store) =>
    store.read(
      (db) =>
        db.prepare<[], { bytes: number }>('SELECT sum(length(body)) AS bytes FROM sync_updates').get()
          ?.bytes ?? 0,
    ),
  );
const epochOnRelay = async () => (await world.relay.updates.state(rowOf(a).room))?.epoch;

/** Fills the documents with what is not there any more. */
async function wear(): Promise<void> {
  const items = Array.from({ length: 1500 }, (_, n) => ({ key: `worn ${n}`, value: `value ${n}` }));
  for (let from = 0; from < items.length; from += 500)
    await a.call(storeBatch, { body: { items: items.slice(from, from + 500) } });
  await together([a, b]);
  await a.call(clearNamespace, { body: { namespace: 'default' } });
  // The other one has to hear of the clear first, or what it writes is older.
  await together([a, b]);
  await set(a, 'kept', 'one');
  await set(b, 'kept, too', 'two');
  await together([a, b]);
}

/** Lets the rounds of upkeep come until devices have begun an epoch; answers which. */
async function untilEpoch(devices: readonly TestDaemon[]): Promise<number> {
  await expect
    .poll(
      async () => {
        for (const device of devices) device.clock.advance(31_000);
        const epoch = await epochOnRelay();
        return epoch !== 0 && devices.every((device) => rowOf(device).epoch === epoch);
      },
      { interval: 100 },
    )
    .toBe(true);
  return (await epochOnRelay()) ?? 0;
}

test('documents that are mostly what is gone begin anew: the content stays, the relay lets go what was before, who comes later reads the same', async () => {
  await wear();
  const before = documentBytes(a);
  const bytes = (await world.relay.updates.state(rowOf(a).room))?.bytes ?? 0;
  const epoch = await untilEpoch([a, b]);
  const content = { kept: 'one', 'kept, too': 'two' };
  expect(await together([a, b])).toEqual(content);
  expect(documentBytes(a)).toBeLessThan(before / 20);
  await expect
    .poll(async () => (await world.relay.updates.state(rowOf(a).room))?.bytes ?? 0)
    .toBeLessThan(bytes / 2);

  await set(a, 'kept', 'changed');
  await set(b, 'new', 'three');
  expect(await together([a, b])).toEqual({ kept: 'changed', 'kept, too': 'two', new: 'three' });
  const late = await startTestDaemon();
  world.devices.push(late);
  await set(late, 'of its own', 'four');
  const { code } = await a.call(pairDevice, {});
  await late.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'late' } });
  expect(await together([a, b, late])).toEqual({
    kept: 'changed',
    'kept, too': 'two',
    new: 'three',
    'of its own': 'four',
  });
  for (const device of [a, b, late]) expect(rowOf(device).epoch).toBe(epoch);
});

test('who was away with changes says them again in the new epoch: what it had not seen stays', async () => {
  await set(a, 'seen, then deleted there', 'x');
  await set(a, 'overwritten here', 'x');
  await set(a, 'overwritten there, deleted here', 'x');
  await together([a, b]);
  await pause(b, true);
  await set(b, 'overwritten here', 'by b');
  await set(b, 'new', 'by b');
  await b.call(deleteMemory, { body: { key: 'overwritten there, deleted here' } });
  // Its bytes are written anew meanwhile, so that nothing of what was deleted is left in them.
  b.clock.advance(61_000);
  await set(b, 'after that', 'by b');

  await set(a, 'overwritten there, deleted here', 'by a');
  await a.call(deleteMemory, { body: { key: 'seen, then deleted there' } });
  await expect.poll(() => says(a)).not.toHaveProperty('seen, then deleted there');
  await world.relay.updates.advanceEpoch(rowOf(a).room, { from: 0, to: 1 });
  await a.restart();
  await expect.poll(() => rowOf(a).epoch).toBe(1);
  await set(a, 'in the new epoch', 'by a');
  await pause(b, false);
  expect(await together([a, b])).toEqual({
    'overwritten here': 'by b',
    new: 'by b',
    'after that': 'by b',
    'overwritten there, deleted here': 'by a',
    'in the new epoch': 'by a',
  });
  expect(rowOf(b).epoch).toBe(1);
});

test('a new epoch is worth its while where most of the documents is gone, and not where they are small', () => {
  expect(isGrown({ documents: 127 * 1024, memories: 0, count: 0 })).toBe(false);
  expect(isGrown({ documents: 200 * 1024, memories: 0, count: 0 })).toBe(true);
  // 100,000 memories as they were written once, and 50 times.
  expect(isGrown({ documents: 49e6, memories: 30e6, count: 100_000 })).toBe(false);
  expect(isGrown({ documents: 150e6, memories: 30e6, count: 100_000 })).toBe(true);
});
