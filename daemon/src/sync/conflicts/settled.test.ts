import { dismissConflict, listConflicts, restoreConflict } from '@reverie/shared/contract/sync/conflicts';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import {
  changeMember,
  joinNamespace,
  listMembers,
  shareNamespace,
} from '@reverie/shared/contract/sync/sharing';
import { linkDevice, rebuildSync } from '@reverie/shared/contract/sync/sync';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../cli/fake-terminal.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import {
  type LinkedPair,
  pause,
  says,
  set,
  startLinkedPair,
  statusOf,
  together,
} from '../testing/linked-devices.ts';

let world: LinkedPair;
let a: TestDaemon;
let b: TestDaemon;
const others: TestDaemon[] = [];

beforeEach(async () => {
  world = await startLinkedPair();
  ({ a, b } = world);
  await set(a, 'first', 'here');
  await together([a, b]);
});
afterEach(async () => {
  await Promise.all(others.splice(0).map((device) => device.stop()));
  await world.stop();
});

function later(): void {
  for (const { clock } of [a, b, ...others, world.relay]) clock.advance(60_000);
}

/** What was written on two devices that did not hear each other; the first one is the older, and loses. */
async function disagree(
  write: (device: TestDaemon, text: string) => Promise<unknown>,
  [older, newer]: readonly [string, string] = ['lost', 'stands'],
): Promise<void> {
  for (const device of [a, b]) await pause(device, true);
  await write(a, older);
  later();
  await write(b, newer);
  for (const device of [a, b]) await pause(device, false);
  await together([a, b]);
}
const onKey = (key: string) => (device: TestDaemon, text: string) => set(device, key, text);

const open = async (device: TestDaemon) => (await device.call(listConflicts, { query: {} })).conflicts;
const keys = async (device: TestDaemon) => (await open(device)).map(({ key }) => key).sort();
const idOf = async (device: TestDaemon, key: string) =>
  (await open(device)).find((one) => one.key === key)?.id ?? 'none';
const dismiss = async (device: TestDaemon, key: string) =>
  device.call(dismissConflict, { params: { id: await idOf(device, key) } });
const restore = async (device: TestDaemon, key: string) =>
  device.call(restoreConflict, { params: { id: await idOf(device, key) } });
const history = async (device: TestDaemon, key: string) =>
  (await device.call(memoryHistory, { query: { key } })).versions.map(({ value }) => value);

test.each([
  ['kept what stands', dismiss, 'stands'],
  ['took the other version', restore, 'lost'],
])('once somebody %s no device asks about it any more', async (_, decide, stands) => {
  await disagree(onKey('k'));
  await disagree(onKey('l'));
  expect([await keys(a), await keys(b)]).toEqual([
    ['k', 'l'],
    ['k', 'l'],
  ]);
  later();
  await decide(b, 'k');
  expect((await together([a, b]))['k']).toBe(stands);
  expect([await keys(a), await keys(b)]).toEqual([['l'], ['l']]);
  // Also where all is made anew of what the log says.
  await a.call(rebuildSync, {});
  await a.restart();
  await together([a, b]);
  expect(await keys(a)).toEqual(['l']);
});

test('also about what was overwritten, or renamed, before somebody decided', async () => {
  await disagree(onKey('k'));
  await disagree(onKey('l'));
  later();
  await set(b, 'k', 'newest');
  await together([a, b]);
  await b.call(renameMemory, { body: { key: 'l', to: { key: 'm' } } });
  expect((await together([a, b]))['k']).toBe('newest');
  expect(await keys(a)).toContain('k');
  await dismiss(a, 'k');
  await dismiss(b, 'm');
  await together([a, b]);
  expect([await keys(a), await keys(b)]).toEqual([[], []]);
});

test('who keeps what stands takes nothing away from who edits it meanwhile', async () => {
  await disagree(onKey('k'));
  for (const device of [a, b]) await pause(device, true);
  await set(a, 'k', 'edited');
  later();
  await dismiss(b, 'k');
  for (const device of [a, b]) await pause(device, false);
  expect((await together([a, b]))['k']).toBe('edited');
  expect([await keys(a), await keys(b)]).toEqual([[], []]);
});

test('where only metadata differs, the text keeps its history', async () => {
  await set(a, 'k', 'before');
  await together([a, b]);
  later();
  await disagree((device, text) =>
    device.call(setMemory, { body: { key: 'k', value: 'same', metadata: { status: text } } }),
  );
  const before = await history(a, 'k');
  expect(before).toContain('before');
  await dismiss(b, 'k');
  await together([a, b]);
  await expect.poll(() => keys(a)).toEqual([]);
  expect(await history(a, 'k')).toEqual(before);
});

test('a device that is linked later is asked about nothing of before', async () => {
  await disagree(onKey('k'));
  later();
  const c = await startTestDaemon();
  others.push(c);
  c.clock.advance(b.clock.now() - c.clock.now());
  const { code } = await a.call(pairDevice, {});
  await c.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'later' } });
  await together([a, b, c]);
  expect([await keys(a), await keys(c)]).toEqual([['k'], []]);
  // Nor once the memory is written again, or all is made anew; of what comes after it is.
  later();
  await c.call(rebuildSync, {});
  await disagree(onKey('k'), ['lost again', 'newest']);
  await together([a, b, c]);
  expect((await open(c)).map(({ value }) => value)).toEqual(['lost again']);
  expect(await open(a)).toHaveLength(2);
});

test('who may only read sees what is open, and decides nothing', async () => {
  const team = { namespace: 'team' };
  const write = (device: TestDaemon, value: string) =>
    device.call(setMemory, { body: { ...team, key: 'plan', value } });
  const friend = await startTestDaemon();
  others.push(friend);
  await friend.call(linkDevice, {
    body: { relay: world.relay.origin, email: 'friend@example.org', name: 'friend' },
  });
  await write(a, 'walk');
  const { invite } = await a.call(shareNamespace, { body: { ...team, role: 'viewer' } });
  await friend.call(joinNamespace, { body: { ...team, invite } });
  for (const device of [b, friend]) await expect.poll(() => says(device, 'team')).toEqual({ plan: 'walk' });
  later();
  await disagree(write);
  await expect.poll(() => open(friend)).toMatchObject([{ value: 'lost', can_settle: false }]);
  await expect.poll(() => open(b)).toMatchObject([{ value: 'lost', can_settle: true }]);
  // What one cannot decide is counted apart, so that nothing asks for it in vain.
  expect(await statusOf(friend)).toMatchObject({ conflicts: 0, conflicts_of_others: 1 });
  expect(await statusOf(b)).toMatchObject({ conflicts: 1, conflicts_of_others: 0 });
  expect((await run({ home: friend.home.folder }, 'sync')).out).not.toContain('Conflicts');
  expect((await run({ home: b.home.folder }, 'sync')).out).toContain('Conflicts  1');
  for (const decide of [dismiss, restore])
    await expect(decide(friend, 'plan')).rejects.toMatchObject({ code: 'forbidden_role' });
  expect(await open(friend)).toHaveLength(1);
  await dismiss(b, 'plan');
  for (const device of [a, friend]) await expect.poll(() => open(device)).toEqual([]);
  // Somebody else who may write decides as well, for all.
  const { members } = await a.call(listMembers, { query: team });
  const id = members.find(({ email }) => email === 'friend@example.org')?.id ?? 'none';
  await a.call(changeMember, { params: { id }, body: { ...team, role: 'editor' } });
  later();
  await disagree(write, ['lost again', 'newest']);
  await expect.poll(() => open(friend)).toMatchObject([{ can_settle: true }]);
  expect(await statusOf(friend)).toMatchObject({ conflicts: 1, conflicts_of_others: 0 });
  await restore(friend, 'plan');
  for (const device of [a, b]) await expect.poll(() => open(device)).toEqual([]);
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'lost again' });
});
