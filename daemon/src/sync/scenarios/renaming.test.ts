import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { pauseSync } from '@reverie/shared/contract/sync/sync';
import { bucketOf } from '@reverie/shared/document/register';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestDaemon } from '../../testing.ts';
import { type LinkedDevices, says, startLinkedDevices, together } from '../testing/linked-devices.ts';

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

const set = (device: TestDaemon, key: string, value: string) =>
  device.call(setMemory, { body: { key, value } });
const rename = (device: TestDaemon, key: string, to: string) =>
  device.call(renameMemory, { body: { key, to: { key: to } } });
const pause = (device: TestDaemon, paused: boolean) => device.call(pauseSync, { body: { paused } });
const history = async (device: TestDaemon, key: string) =>
  (await device.call(memoryHistory, { query: { key } })).versions.map(({ value }) => value);

/** A key of the same bucket as another one, or of another one. */
function keyBeside(key: string, isSame: boolean): string {
  for (let n = 0; ; n += 1) if ((bucketOf(`n${n}`) === bucketOf(key)) === isSame) return `n${n}`;
}

test.each([true, false])(
  'a renamed memory has its history on the other device, too (same bucket: %s)',
  async (isSame) => {
    const to = keyBeside('k', isSame);
    for (const value of ['one', 'two', 'three']) {
      await set(a, 'k', value);
      await together([a, b]);
    }
    await pause(a, true);
    // What stands before it in the outbox must not put the deletion of the old key first.
    await set(a, keyBeside('k', true), 'another');
    await set(a, 'k', 'four');
    if (isSame) await a.call(deleteMemory, { body: { key: to } });
    await rename(a, 'k', to);
    await set(a, to, 'five');
    await pause(a, false);
    const said = await together([a, b]);
    expect(said[to]).toBe('five');
    expect(said).not.toHaveProperty('k');
    expect(await history(a, to)).toEqual(['five', 'four', 'three', 'two', 'one']);
    // What was overwritten before it was told is on the device that wrote it only.
    expect(await history(b, to)).toEqual(['five', 'four', 'three', 'two', 'one']);
  },
);

test('renamed several times while nobody listens it keeps its history, too', async () => {
  await set(a, 'k', 'one');
  await together([a, b]);
  await pause(a, true);
  await set(a, 'k', 'two');
  await rename(a, 'k', 'l');
  await rename(a, 'l', 'm');
  await set(a, 'k', 'another memory');
  await pause(a, false);
  expect(await together([a, b])).toEqual({ k: 'another memory', m: 'two' });
  expect([await history(a, 'm'), await history(b, 'm')]).toEqual([
    ['two', 'one'],
    ['two', 'one'],
  ]);
});

test('deleted before it was told, nothing that it said waits to be sent under any of its keys', async () => {
  await pause(a, true);
  await set(a, 'k', 'kookaburra');
  await rename(a, 'k', 'l');
  await rename(a, 'l', 'm');
  await set(a, 'k', 'another memory');
  await a.call(deleteMemory, { body: { key: 'm' } });
  const waiting = a.withStore((store) =>
    store.read((db) => JSON.stringify(db.prepare('SELECT key, content FROM sync_outbox').all())),
  );
  expect(waiting).not.toContain('kookaburra');
  expect(waiting).toContain('another memory');
  await pause(a, false);
  expect(await together([a, b])).toEqual({ k: 'another memory' });
});

test('what another device writes under the old key meanwhile is said under the new one', async () => {
  await set(a, 'k', 'one');
  await together([a, b]);
  await pause(b, true);
  await set(b, 'k', 'edited by b');
  await rename(a, 'k', 'new');
  await pause(b, false);
  for (const device of [a, b]) await expect.poll(() => says(device)).toEqual({ new: 'edited by b' });
});
