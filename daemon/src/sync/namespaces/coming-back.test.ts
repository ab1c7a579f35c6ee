import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { changeNamespace, clearNamespace, setMemory } from '@reverie/shared/contract/memories/memories';
import { joinNamespace, leaveNamespace, shareNamespace } from '@reverie/shared/contract/sync/sharing';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedPair, pause, says, startLinkedPair, statusOf } from '../testing/linked-devices.ts';

let world: LinkedPair;
let a: TestDaemon;
let b: TestDaemon;
let guest: TestDaemon;

beforeEach(async () => {
  world = await startLinkedPair();
  ({ a, b } = world);
  guest = await startTestDaemon();
  const relay = world.relay.origin;
  await guest.call(linkDevice, { body: { relay, email: 'guest@example.org', name: 'guest' } });
});
afterEach(async () => {
  await guest.stop();
  await world.stop();
});

const team = { namespace: 'team' };

/** Writes a memory, a second later than all before. */
async function write(device: TestDaemon, key: string, value: string): Promise<void> {
  for (const { clock } of [world.relay, a, b, guest]) clock.advance(1000);
  await device.call(setMemory, { body: { ...team, key, value } });
  for (const { clock } of [world.relay, a, b, guest]) clock.advance(1000);
}

const lost = async (device: TestDaemon) =>
  (await device.call(listConflicts, { query: {} })).conflicts.map(({ key, value, current }) => [
    key,
    value,
    current,
  ]);

async function settled(): Promise<void> {
  for (const device of [a, b, guest])
    await expect
      .poll(async () => {
        const { state, pending, behind, upload } = await statusOf(device);
        return { state, pending, behind, upload };
      })
      .toEqual({ state: 'live', pending: 0, behind: 0, upload: null });
}

async function letIn(role: 'viewer' | 'editor'): Promise<void> {
  const { invite } = await a.call(shareNamespace, { body: { ...team, role } });
  await guest.call(joinNamespace, { body: { ...team, invite } });
  await settled();
}

const choose = (device: TestDaemon, sync: boolean) =>
  device.call(changeNamespace, { params: team, body: { sync } });

test.each(['viewer', 'editor'] as const)(
  'who left and comes again as a(n) %s brings back nothing that was overwritten meanwhile, and what they changed since',
  async (role) => {
    await write(a, 'pw', 'OLD');
    await write(a, 'plan', 'walk');
    await write(a, 'same', 'same');
    await letIn(role);
    await expect.poll(async () => Object.keys(await says(guest, 'team'))).toHaveLength(3);
    await guest.call(leaveNamespace, { body: team });
    await write(guest, 'plan', 'mine');
    await write(a, 'pw', 'new');
    await write(a, 'plan', 'run');
    await letIn(role);
    await expect.poll(() => says(guest, 'team')).toEqual({ pw: 'new', plan: 'run', same: 'same' });
    const mine = [['plan', 'mine', 'run']];
    expect(await lost(guest)).toEqual(mine);
    // Who may only read keeps it to themselves. The others may hear of it a moment later, by another node.
    const told = role === 'viewer' ? [] : mine;
    for (const device of [a, b]) await expect.poll(() => lost(device)).toEqual(told);
  },
);

test('a viewer who switches it off and on finds nothing put aside but what they changed themselves', async () => {
  await write(a, 'plan', 'walk');
  await write(a, 'other', 'one');
  await letIn('viewer');
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'walk', other: 'one' });
  await choose(guest, false);
  await write(guest, 'other', 'mine');
  await write(a, 'plan', 'run');
  await choose(guest, true);
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'run', other: 'one' });
  await settled();
  expect(await lost(guest)).toEqual([['other', 'mine', 'one']]);
});

test('what had not gone up before it was switched off is held against what the others wrote', async () => {
  await write(a, 'plan', 'walk');
  await letIn('editor');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk' });
  await pause(b, true);
  await write(b, 'plan', 'swim');
  await choose(b, false);
  await pause(b, false);
  await write(a, 'plan', 'run');
  await letInAnother();
  await choose(b, true);
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'run' });
  await expect.poll(() => lost(a)).toEqual([['plan', 'swim', 'run']]);
  await settled();
});

/** Begins the log anew with what there is now. */
async function letInAnother(): Promise<void> {
  await a.call(shareNamespace, { body: { ...team, role: 'viewer' } });
}

test('a clear before what is here has gone up leaves nothing waiting', async () => {
  await write(a, 'plan', 'walk');
  await settled();
  await choose(a, false);
  await pause(a, true);
  await write(a, 'own', 'mine');
  await choose(a, true);
  expect((await statusOf(a)).pending).toBe(2);
  await a.call(clearNamespace, { body: team });
  await pause(a, false);
  await settled();
  for (const device of [a, b]) await expect.poll(() => says(device, 'team')).toEqual({});
});
