import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { settleLost } from '@reverie/shared/contract/sync/lost';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { leaveRoom, listRooms } from '@reverie/shared/contract/relay/relay-rooms';
import { claimPairingCode } from '@reverie/shared/contract/relay/relay';
import { shareNamespace } from '@reverie/shared/contract/sync/sharing';
import { linkDevice, pauseSync, unlinkDevice } from '@reverie/shared/contract/sync/sync';
import { createClient } from '@reverie/shared/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestDaemon } from '../../testing.ts';
import { type LinkedPair, says, startLinkedPair, statusOf, together } from '../testing/linked-devices.ts';

let world: LinkedPair;
let a: TestDaemon;
let b: TestDaemon;

beforeEach(async () => {
  world = await startLinkedPair();
  ({ a, b } = world);
  await write(a, 'team', { plan: 'walk' });
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk' });
  await together([a, b]);
  await deleteRoom('team');
  for (const device of [a, b])
    await expect
      .poll(async () => (await statusOf(device)).lost.map(({ namespace }) => namespace))
      .toEqual(['team']);
});
afterEach(() => world.stop());

/** Writes memories into a namespace: key to value. */
async function write(device: TestDaemon, namespace: string, said: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(said))
    await device.call(setMemory, { body: { namespace, key, value } });
}
const settle = (device: TestDaemon, then: 'keep' | 'sync') =>
  device.call(settleLost, { body: { namespace: 'team', then } });
const lostOn = async (device: TestDaemon) => (await statusOf(device)).lost[0];
const syncedOn = async (device: TestDaemon) =>
  (await statusOf(device)).namespaces.map(({ namespace }) => namespace);

/** The relay as a further device of the account sees it. */
async function phone() {
  const { code } = await a.call(pairDevice, {});
  const { origin } = world.relay;
  const { key } = await createClient({ origin, key: () => undefined })(claimPairingCode, {
    body: { code, name: 'phone' },
  });
  return createClient({ origin, key: () => key });
}

async function deleteRoom(name: string): Promise<void> {
  const client = await phone();
  const { rooms } = await client(listRooms, {});
  await client(leaveRoom, { params: { id: rooms.find((room) => room.name === name)?.id ?? '' }, query: {} });
}

/** What the account's rooms are called. */
const rooms = async () => (await (await phone())(listRooms, {})).rooms.map(({ name }) => name).sort();

async function linkAnew(device: TestDaemon): Promise<void> {
  await device.call(unlinkDevice, {});
  const { code } = await a.call(pairDevice, {});
  await device.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'again' } });
  await expect.poll(async () => (await statusOf(device)).state).toBe('live');
}

test('what was kept here is still kept after unlinking and linking again, and syncing it undoes that', async () => {
  await settle(b, 'keep');
  await write(b, 'team', { diary: 'private' });
  await b.call(unlinkDevice, {});
  expect(await statusOf(b)).toMatchObject({
    relay: null,
    lost: [{ namespace: 'team', kept: true, reason: 'deleted' }],
  });
  await write(b, 'team', { more: 'private, too' });
  await write(b, 'plans', { k: 'for all devices' });
  const { code } = await a.call(pairDevice, {});
  await b.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'again' } });
  await expect.poll(() => says(a, 'plans')).toEqual({ k: 'for all devices' });
  await b.restart();
  expect(await lostOn(b)).toMatchObject({ kept: true });
  expect(await syncedOn(b)).not.toContain('team');
  expect(await rooms()).not.toContain('team');
  expect(await says(a, 'team')).toEqual({ plan: 'walk' });

  await settle(b, 'sync');
  await expect.poll(() => syncedOn(b)).toContain('team');
  await expect.poll(async () => (await lostOn(a))?.waiting).toBe(true);
  await settle(a, 'sync');
  await expect.poll(() => says(a, 'team')).toEqual({ plan: 'walk', diary: 'private', more: 'private, too' });
  for (const device of [a, b]) expect((await statusOf(device)).lost).toEqual([]);
});

test('what nobody decided about is not sent by linking again either; decided while unlinked, it goes with everything else', async () => {
  await write(b, 'team', { diary: 'private' });
  await linkAnew(b);
  expect(await lostOn(b)).toMatchObject({ namespace: 'team', kept: false });
  expect(await rooms()).not.toContain('team');

  await b.call(unlinkDevice, {});
  await settle(b, 'sync');
  expect((await statusOf(b)).lost).toEqual([]);
  const { code } = await a.call(pairDevice, {});
  await b.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'again' } });
  await expect.poll(rooms).toContain('team');
});

test('an own room of its name waits until somebody decides; kept here, the room comes under another name', async () => {
  await write(b, 'team', { diary: 'private' });
  await settle(a, 'sync');
  await write(a, 'team', { later: 'run' });
  await expect.poll(async () => (await lostOn(b))?.waiting).toBe(true);
  // Also what comes with it later, and after a restart.
  await b.restart();
  await write(a, 'other', { k: 'v' });
  await expect.poll(() => says(b, 'other')).toEqual({ k: 'v' });
  expect(await says(b, 'team')).toEqual({ plan: 'walk', diary: 'private' });
  expect(await says(a, 'team')).toEqual({ plan: 'walk', later: 'run' });
  expect(await syncedOn(b)).not.toContain('team-2');

  await settle(b, 'keep');
  await expect.poll(() => says(b, 'team-2')).toEqual({ plan: 'walk', later: 'run' });
  expect(await lostOn(b)).toMatchObject({ kept: true, waiting: false });
  expect(await says(b, 'team')).toEqual({ plan: 'walk', diary: 'private' });
  expect(await says(a, 'team')).toEqual({ plan: 'walk', later: 'run' });
});

test('a room that waits and is deleted again does not wait any more', async () => {
  await settle(a, 'sync');
  await expect.poll(async () => (await lostOn(b))?.waiting).toBe(true);
  await deleteRoom('team');
  await expect.poll(async () => (await lostOn(b))?.waiting).toBe(false);
});

test('what left sync is not shared before somebody says that it is synced again', async () => {
  await expect(a.call(shareNamespace, { body: { namespace: 'team', role: 'viewer' } })).rejects.toMatchObject(
    { status: 409, code: 'conflict' },
  );
  expect(await rooms()).not.toContain('team');
  await settle(a, 'sync');
  await expect
    .poll(() => a.call(shareNamespace, { body: { namespace: 'team', role: 'viewer' } }))
    .toMatchObject({ namespace: 'team' });
});

test('a room that was deleted and made anew while a device was away waits there, too', async () => {
  await settle(a, 'sync');
  await expect.poll(async () => (await lostOn(b))?.waiting).toBe(true);
  await settle(b, 'sync');
  await write(a, 'team', { old: 'to be deleted' });
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk', old: 'to be deleted' });
  await together([a, b]);

  await b.call(pauseSync, { body: { paused: true } });
  await deleteRoom('team');
  await expect.poll(async () => (await lostOn(a))?.namespace).toBe('team');
  await a.call(deleteMemory, { body: { namespace: 'team', key: 'old' } });
  await settle(a, 'sync');
  await expect.poll(rooms).toContain('team');
  await write(b, 'team', { diary: 'private' });
  await b.call(pauseSync, { body: { paused: false } });
  await expect.poll(async () => (await lostOn(b))?.waiting).toBe(true);
  expect(await says(a, 'team')).toEqual({ plan: 'walk' });
  expect(await says(b, 'team')).toEqual({ plan: 'walk', old: 'to be deleted', diary: 'private' });

  await settle(b, 'keep');
  await expect.poll(() => says(b, 'team-2')).toEqual({ plan: 'walk' });
  expect(await says(a, 'team')).toEqual({ plan: 'walk' });
});
