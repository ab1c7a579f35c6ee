import { deleteMemory, getMemory } from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories, pruneImported } from '@reverie/shared/contract/memories/portable';
import { listTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestDaemon } from '../../testing.ts';
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

const bring = async (device: TestDaemon, value: string, more: { restore?: boolean } = {}) => {
  const item = { key: 'k', value, source: { id: 'notes/k.md', hash: value } };
  return (await device.call(importMemories, { body: { items: [item], ...more } })).outcomes[0];
};

test('what another device deleted counts as deleted where it was imported, and comes back on both', async () => {
  await bring(a, 'one');
  await together([a, b]);
  await b.call(deleteMemory, { body: { key: 'k' } });
  expect(await together([a, b])).toEqual({});
  expect(await bring(a, 'one')).toBe('deleted_here');
  expect(await bring(a, 'one', { restore: true })).toBe('restored');
  expect(await together([a, b])).toEqual({ k: 'one' });
});

test('what another device put into the trash comes out of it on both', async () => {
  await bring(a, 'one');
  await together([a, b]);
  await b.call(trashMemories, { body: { items: [{ key: 'k' }] } });
  expect(await together([a, b])).toEqual({});
  expect(await bring(a, 'two')).toBe('deleted_here');
  expect(await bring(a, 'two', { restore: true })).toBe('restored');
  expect(await together([a, b])).toEqual({ k: 'two' });
  for (const device of [a, b]) expect((await device.call(listTrash, { query: {} })).total).toBe(0);
});

test('what another device renamed goes on with its source, under its new name', async () => {
  await bring(a, 'one');
  await together([a, b]);
  await b.call(renameMemory, { body: { key: 'k', to: { key: 'renamed' } } });
  expect(await together([a, b])).toEqual({ renamed: 'one' });
  expect(await bring(a, 'one')).toBe('unchanged');
  expect(await bring(a, 'two')).toBe('updated');
  expect(await together([a, b])).toEqual({ renamed: 'two' });
});

test('what is pruned on one device is in the trash of both, and comes back on both', async () => {
  await bring(a, 'one');
  await together([a, b]);
  await a.call(pruneImported, { body: { sources: ['notes/k.md'] } });
  expect(await together([a, b])).toEqual({});
  for (const device of [a, b]) expect((await device.call(listTrash, { query: {} })).total).toBe(1);
  expect(await bring(a, 'one')).toBe('restored');
  await together([a, b]);
  expect((await b.call(getMemory, { body: { key: 'k' } })).value).toBe('one');
});
