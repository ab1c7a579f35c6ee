import { setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import * as sync from '@reverie/shared/contract/sync/sync';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSyncWorld, type SyncWorld, type TestDevice, together } from '../devices.ts';

let world: SyncWorld;
let a: TestDevice;
let b: TestDevice;

const set = (device: TestDevice, key: string, value: string) =>
  device.call(setMemory, { body: { key, value } });

/** Links the first device by e-mail and the second one by a code. */
async function linkBoth(): Promise<void> {
  await a.call(sync.linkDevice, { body: { relay: world.relay, email: 'me@example.org', name: 'a' } });
  const { code } = await a.call(pairDevice, {});
  await b.call(sync.linkDevice, { body: { relay: world.relay, code, name: 'b' } });
}

beforeEach(async () => {
  world = await startSyncWorld({ running: 'own-process' });
  [a, b] = [await world.device(), await world.device()];
});
afterEach(() => world.stop());

test('nothing that was acknowledged is lost when daemons and the relay are killed in the middle', async () => {
  await linkBoth();
  await together([a, b]);
  const expected: Record<string, string> = {};
  for (let round = 0; round < 3; round += 1) {
    for (const [name, device] of [
      ['a', a],
      ['b', b],
    ] as const) {
      const items = Array.from({ length: 40 }, (_, i) => ({
        key: `${name} ${round} ${i}`,
        value: `value ${i} of round ${round}`,
      }));
      for (const item of items.slice(0, 20)) await set(device, item.key, item.value);
      await device.call(storeBatch, { body: { items: items.slice(20) } });
      for (const { key, value } of items) expected[key] = value;
    }
    if (round === 0) await world.killRelay();
    await a.kill();
    if (round === 1) await world.killRelay();
    await a.start();
    await b.kill();
    if (round < 2) await world.startRelay();
    await b.start();
  }
  for (const device of [a, b]) await device.call(sync.triggerSync, {});
  expect(await together([a, b])).toEqual(expected);
  // A device that comes now reads the same.
  const c = await world.device();
  const { code } = await a.call(pairDevice, {});
  await c.call(sync.linkDevice, { body: { relay: world.relay, code, name: 'c' } });
  expect(await together([a, b, c])).toEqual(expected);
});
