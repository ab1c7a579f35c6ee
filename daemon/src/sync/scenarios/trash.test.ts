import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { clearNamespace, setMemory } from '@reverie/shared/contract/memories/memories';
import { linkDevice, pauseSync, rebuildSync } from '@reverie/shared/contract/sync/sync';
import { emptyTrash, listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedDevices, startLinkedDevices, together } from '../testing/linked-devices.ts';

let world: LinkedDevices;
let a: TestDaemon;
let b: TestDaemon;
beforeEach(async () => {
  world = await startLinkedDevices(2);
  const [first, second] = world.devices;
  if (!first || !second) throw new Error('there are two');
  [a, b] = [first, second];
});
afterEach(() => world.stop());

const namespace = 'default';
const body = { items: [{ key: 'k', namespace }] };
const set = (device: TestDaemon, value: string) => device.call(setMemory, { body: { key: 'k', value } });
const trash = (device: TestDaemon) => device.call(trashMemories, { body });
const restore = (device: TestDaemon) => device.call(restoreTrash, { body });
const pause = (device: TestDaemon, paused: boolean) => device.call(pauseSync, { body: { paused } });
const history = async (device: TestDaemon) =>
  (await device.call(memoryHistory, { query: { key: 'k' } })).versions.map(({ value }) => value);
const inTrash = async (device: TestDaemon) =>
  (await device.call(listTrash, { query: {} })).memories.map(({ value, trashed_at }) => [value, trashed_at]);

/** Both say the same, also of the trash; answers what is there. */
async function agree(): Promise<{ memories: Record<string, string>; trash: string[][] }> {
  const memories = await together([a, b]);
  await expect.poll(async () => inTrash(b)).toEqual(await inTrash(a));
  return { memories, trash: await inTrash(a) };
}

test('what is moved to the trash is there on the other device, and comes back on both with its history', async () => {
  await set(a, 'one');
  await together([a, b]);
  await set(a, 'two');
  await together([a, b]);
  await trash(a);
  const at = new Date(a.clock.now()).toISOString();
  expect(await agree()).toEqual({ memories: {}, trash: [['two', at]] });
  expect(await b.call(rebuildSync, {})).toEqual({ memories: 0, differed: 0 });
  await restore(b);
  expect(await agree()).toEqual({ memories: { k: 'two' }, trash: [] });
  expect([await history(a), await history(b)]).toEqual([
    ['two', 'one'],
    ['two', 'one'],
  ]);
});

test('what another device wrote meanwhile, without having seen that, brings it back with what it says now', async () => {
  await set(a, 'one');
  await together([a, b]);
  await pause(b, true);
  await set(b, 'edited by b');
  a.clock.advance(5000);
  await trash(a);
  await pause(b, false);
  expect(await agree()).toEqual({ memories: { k: 'edited by b' }, trash: [] });
  expect(await history(a)).toEqual(['edited by b', 'one']);
});

test('where both move it, it is there once', async () => {
  await set(a, 'one');
  await together([a, b]);
  await Promise.all([pause(a, true), pause(b, true)]);
  await trash(a);
  b.clock.advance(1000);
  await trash(b);
  await Promise.all([pause(a, false), pause(b, false)]);
  const at = new Date(b.clock.now()).toISOString();
  await together([a, b]);
  await expect.poll(async () => [await inTrash(a), await inTrash(b)]).toEqual([[['one', at]], [['one', at]]]);
});

test('its key may be written again at once: the old one is in the trash of both', async () => {
  await set(a, 'one');
  await together([a, b]);
  await pause(a, true);
  await trash(a);
  a.clock.advance(1000);
  await set(a, 'another one');
  await pause(a, false);
  const said = await agree();
  expect([said.memories, said.trash.map(([value]) => value)]).toEqual([{ k: 'another one' }, ['one']]);
});

test('what is in the trash of a home when it is linked goes there on the others, also of a namespace that holds nothing else', async () => {
  const c = await startTestDaemon();
  const at = [
    ['old', namespace],
    ['again', namespace],
    ['alone', 'other'],
  ] as const;
  for (const [key, where] of at) {
    await c.call(setMemory, { body: { key, value: `${key} of c`, namespace: where } });
    await c.call(trashMemories, { body: { items: [{ key, namespace: where }] } });
    c.clock.advance(1000);
  }
  await c.call(setMemory, { body: { key: 'again', value: 'again, and not in the trash' } });
  const { code } = await a.call(pairDevice, {});
  await c.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'third' } });
  await expect
    .poll(async () => (await inTrash(a)).map(([value]) => value), { timeout: seconds(20) })
    .toEqual(['alone of c', 'old of c']);
  expect(await together([a, c])).toEqual({ again: 'again, and not in the trash' });
  expect(await c.call(rebuildSync, {})).toMatchObject({ differed: 0 });
  expect((await inTrash(c)).map(([value]) => value)).toEqual(['alone of c', 'again of c', 'old of c']);
  await c.stop();
});

test.each([
  ['emptied', (device: TestDaemon) => device.call(emptyTrash, { body: {} })],
  ['cleared', (device: TestDaemon) => device.call(clearNamespace, { body: { namespace } })],
])('what is deleted from it for good, %s on one device, is gone on both', async (_, empty) => {
  await set(a, 'one');
  await trash(a);
  expect((await agree()).trash).toHaveLength(1);
  await empty(b);
  expect(await agree()).toEqual({ memories: {}, trash: [] });
});
