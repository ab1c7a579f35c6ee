import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { joinNamespace, shareNamespace } from '@reverie/shared/contract/sync/sharing';
import { linkDevice, rebuildSync } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hurry, linkAll, startSyncWorld, type SyncWorld, type TestDevice, together } from '../devices.ts';

let world: SyncWorld;
let a: TestDevice;
let b: TestDevice;

beforeEach(async () => {
  world = await startSyncWorld();
  [a, b] = await Promise.all([world.device(), world.device()]);
  await linkAll([a, b], world.relay);
  await together([a, b]);
});
afterEach(() => world.stop());

const write = (device: TestDevice, key: string, value: string) =>
  device.call(setMemory, { body: { key, value } });
const tellTeam = (device: TestDevice, key: string, value: string) =>
  device.call(setMemory, { body: { key, value, namespace: 'team' } });

/** 500 changes of 40 keys, one in ten a deletion; `done` counts them. */
async function edit(device: TestDevice, name: string, done: (n: number) => void): Promise<void> {
  for (let n = 0; n < 500; n += 1) {
    const key = `k${(n * 7) % 40}`;
    if (n % 10 === 9) await device.call(deleteMemory, { body: { key } }).catch(allowMissing);
    else await write(device, key, `${name} ${n}`);
    done(n);
  }
}

function allowMissing(cause: unknown): void {
  expect(cause).toMatchObject({ code: 'memory_not_found' });
}

test('500 quick changes on either side while the relay is killed again and again: all replicas end the same', async () => {
  const at = { a: 0, b: 0 };
  const edits = Promise.all([edit(a, 'a', (n) => (at.a = n)), edit(b, 'b', (n) => (at.b = n))]);
  for (const least of [60, 130, 200, 270, 340, 410]) {
    await expect.poll(() => Math.min(at.a, at.b), { interval: 5 }).toBeGreaterThanOrEqual(least);
    await world.killRelay();
    await world.startRelay();
    await hurry([a, b]);
  }
  await edits;
  await hurry([a, b]);
  const all = await together([a, b]);
  // k0 to k39 without those whose last change was a deletion on both.
  expect(Object.keys(all).length).toBeGreaterThan(20);
  for (const device of [a, b]) expect(await device.call(rebuildSync, {})).toMatchObject({ differed: 0 });
  expect(await together([a, b])).toEqual(all);
});

test('a relay that is restored from before a namespace was made: its owner fills it again, who had joined is told and keeps it', async () => {
  const friend = await world.device();
  await friend.call(linkDevice, {
    body: { relay: world.relay, email: 'friend@example.org', name: 'friend' },
  });
  const backup = await world.backUpRelay();
  await tellTeam(a, 'plan', 'walk');
  await tellTeam(a, 'other', 'stays');
  const { invite } = await a.call(shareNamespace, { body: { namespace: 'team', role: 'editor' } });
  await friend.call(joinNamespace, { body: { invite, namespace: 'team' } });
  const both = { plan: 'walk', other: 'stays' };
  await expect
    .poll(async () => ({ b: await b.says('team'), friend: await friend.says('team') }))
    .toEqual({ b: both, friend: both });
  await together([a, b]);

  await world.killRelay('SIGTERM');
  await backup.putBack();
  await tellTeam(b, 'plan', 'swim');
  await world.startRelay();
  await hurry([a, b, friend]);
  const again = { plan: 'swim', other: 'stays' };
  expect(await together([a, b], 'team')).toEqual(again);
  for (const device of [a, b]) expect(await device.status()).toMatchObject({ lost: [] });
  // A further device reads it from the relay: it is there whole, not only what was written since.
  expect(await a.says('team')).toEqual(again);
  await expect
    .poll(async () => (await friend.status()).lost.map(({ namespace, reason }) => [namespace, reason]))
    .toEqual([['team', 'restored']]);
  expect(await friend.says('team')).toEqual(both);
  const anew = await a.call(shareNamespace, { body: { namespace: 'team', role: 'viewer' } });
  await friend.call(joinNamespace, { body: { invite: anew.invite, namespace: 'mine' } });
  await expect.poll(() => friend.says('mine')).toEqual(again);
});
