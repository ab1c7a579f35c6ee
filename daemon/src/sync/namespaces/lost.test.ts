import { createClient } from '@reverie/shared/client';
import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { type LostNamespace, settleLost } from '@reverie/shared/contract/sync/lost';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { claimPairingCode } from '@reverie/shared/contract/relay/relay';
import { leaveRoom, listRooms } from '@reverie/shared/contract/relay/relay-rooms';
import {
  joinNamespace,
  listMembers,
  removeMember,
  shareNamespace,
} from '@reverie/shared/contract/sync/sharing';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { has, run } from '../../cli/fake-terminal.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedPair, says, startLinkedPair, statusOf, together } from '../testing/linked-devices.ts';

let world: LinkedPair;
/** Two devices of one account, and one of somebody else. */
let a: TestDaemon;
let b: TestDaemon;
let friend: TestDaemon;

beforeEach(async () => {
  world = await startLinkedPair();
  friend = await startTestDaemon();
  ({ a, b } = world);
  await friend.call(linkDevice, {
    body: { relay: world.relay.origin, email: 'friend@example.org', name: 'friend' },
  });
});
afterEach(async () => {
  await friend.stop();
  await world.stop();
});

const write = (device: TestDaemon, key: string, value: string) =>
  device.call(setMemory, { body: { namespace: 'team', key, value } });

/** What the status says of the namespace that left sync, once it says so. */
async function lostOn(device: TestDaemon): Promise<LostNamespace> {
  await expect.poll(async () => (await statusOf(device)).lost.length).toBe(1);
  const status = await statusOf(device);
  expect(status.namespaces.map(({ namespace }) => namespace)).not.toContain('team');
  const [lost] = status.lost;
  if (!lost) throw new Error('it was there');
  return lost;
}

/** Lets the friend in, who has read it then. */
async function invite(role: 'viewer' | 'editor'): Promise<void> {
  const made = await a.call(shareNamespace, { body: { namespace: 'team', role } });
  await friend.call(joinNamespace, { body: { invite: made.invite, namespace: 'team' } });
}

async function removeFriend(): Promise<void> {
  const { members } = await a.call(listMembers, { query: { namespace: 'team' } });
  const id = members.find(({ self }) => !self)?.id ?? '';
  await a.call(removeMember, { params: { id }, query: { namespace: 'team' } });
}

/** Deletes the room as a further device of the account may. */
async function deleteRoom(): Promise<void> {
  const { code } = await a.call(pairDevice, {});
  const { origin } = world.relay;
  const phone = await createClient({ origin, key: () => undefined })(claimPairingCode, {
    body: { code, name: 'phone' },
  });
  const client = createClient({ origin, key: () => phone.key });
  const { rooms } = await client(listRooms, {});
  await client(leaveRoom, { params: { id: rooms.find(({ name }) => name === 'team')?.id ?? '' }, query: {} });
}

test('a room that was deleted on another device: which, since when, why, and what can be done, also after a restart; its memories stay', async () => {
  await write(a, 'plan', 'walk');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk' });
  await together([a, b]);
  await deleteRoom();
  for (const device of [a, b]) {
    const lost = await lostOn(device);
    expect(lost).toMatchObject({
      namespace: 'team',
      role: 'owner',
      reason: 'deleted',
      kept: false,
      unsent: 0,
    });
    expect(lost.since).toBe(new Date(device.clock.now()).toISOString());
    expect(lost.advice).toContain('still here');
    expect(await says(device, 'team')).toEqual({ plan: 'walk' });
  }
  await a.restart();
  expect(await lostOn(a)).toMatchObject({ reason: 'deleted', kept: false });

  const told = await run({ home: a.home.folder }, 'sync');
  expect(told).toMatchObject({ code: 1, out: has('Left sync  "team"') });
  expect(told.out).toContain('reverie sync again "team"');
  expect(told.out).not.toContain('reverie join');

  // What is written meanwhile stays here: half of a namespace in a new room would be a trap.
  await write(a, 'later', 'here only');
  expect(await run({ home: a.home.folder }, 'sync', 'keep', 'team')).toMatchObject({ code: 0 });
  expect(await run({ home: a.home.folder }, 'sync')).toMatchObject({ code: 0, out: has('kept here') });
  expect(await lostOn(a)).toMatchObject({ kept: true });
  expect(await says(b, 'team')).toEqual({ plan: 'walk' });

  await a.call(settleLost, { body: { namespace: 'team', then: 'sync' } });
  // The other device decides for itself: until then the new room waits there.
  await expect.poll(async () => (await lostOn(b)).waiting).toBe(true);
  expect((await lostOn(b)).advice).toContain('Another device of yours');
  expect(await says(b, 'team')).toEqual({ plan: 'walk' });
  await b.call(settleLost, { body: { namespace: 'team', then: 'sync' } });
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk', later: 'here only' });
  for (const device of [a, b]) expect((await statusOf(device)).lost).toEqual([]);
  await write(b, 'plan', 'swim');
  await expect.poll(() => says(a, 'team')).toEqual({ plan: 'swim', later: 'here only' });
});

test('a member who was removed keeps what was read, is told so, and comes back into the same namespace by a new invite', async () => {
  await write(a, 'plan', 'walk');
  await invite('editor');
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
  await removeFriend();
  expect(await lostOn(friend)).toMatchObject({ role: 'editor', reason: 'ended' });
  await write(a, 'secret', 'not for the friend');
  friend.clock.advance(1000);
  await write(friend, 'plan', 'run');
  expect(await says(friend, 'team')).toEqual({ plan: 'run' });

  await invite('editor');
  const both = { plan: 'run', secret: 'not for the friend' };
  for (const device of [friend, a, b]) await expect.poll(() => says(device, 'team')).toEqual(both);
  expect((await statusOf(friend)).lost).toEqual([]);
});

test('who comes back to read only has what the others say, and a copy of each change that nobody got', async () => {
  await write(a, 'plan', 'walk');
  await write(a, 'other', 'unchanged');
  await invite('editor');
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk', other: 'unchanged' });
  await removeFriend();
  await lostOn(friend);
  await write(friend, 'plan', 'run');

  await invite('viewer');
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk', other: 'unchanged' });
  const putAside = async () => {
    const { conflicts } = await friend.call(listConflicts, { query: {} });
    return conflicts.map(({ key, value, reason }) => [key, value, reason]);
  };
  await expect.poll(putAside).toEqual([['plan', 'run', 'downgraded']]);
  await expect.poll(async () => (await statusOf(friend)).state).toBe('live');
  expect(await says(a, 'team')).toEqual({ plan: 'walk', other: 'unchanged' });
  // Once the others say the same there is nothing to ask.
  await write(a, 'plan', 'run');
  await expect.poll(putAside).toEqual([]);
});

test('the room of somebody else never goes together with what another room left here', async () => {
  await write(a, 'plan', 'walk');
  await invite('editor');
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
  await deleteRoom();
  await lostOn(friend);
  await write(friend, 'diary', 'private');
  await lostOn(a);
  await a.call(settleLost, { body: { namespace: 'team', then: 'sync' } });
  await invite('viewer');
  await expect.poll(() => says(friend, 'team-2')).toEqual({ plan: 'walk' });
  expect(await says(friend, 'team')).toEqual({ plan: 'walk', diary: 'private' });
  expect(await lostOn(friend)).toMatchObject({ namespace: 'team' });
  expect(await says(a, 'team')).toEqual({ plan: 'walk' });
});

test('who leaves keeps it here, and nothing of it goes anywhere after that', async () => {
  await write(a, 'plan', 'walk');
  await invite('editor');
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
  const { members } = await friend.call(listMembers, { query: { namespace: 'team' } });
  const id = members.find(({ self }) => self)?.id ?? '';
  await friend.call(removeMember, { params: { id }, query: { namespace: 'team' } });
  await write(friend, 'plan', 'run');
  expect(await lostOn(friend)).toMatchObject({ reason: 'left', kept: true });
  await expect(
    friend.call(settleLost, { body: { namespace: 'default', then: 'keep' } }),
  ).rejects.toMatchObject({ status: 404 });
});

test('what is kept here goes into no room of the same name, whoever makes it', async () => {
  await write(a, 'plan', 'walk');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk' });
  await together([a, b]);
  await deleteRoom();
  await lostOn(a);
  await lostOn(b);
  await b.call(settleLost, { body: { namespace: 'team', then: 'keep' } });
  await write(b, 'diary', 'private');
  await a.call(settleLost, { body: { namespace: 'team', then: 'sync' } });
  await invite('viewer');
  // The room is here under another name, once it is here at all.
  await expect.poll(() => says(b, 'team-2')).toEqual({ plan: 'walk' });
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
  await write(a, 'later', 'run');
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk', later: 'run' });
  expect(await says(b, 'team')).toEqual({ plan: 'walk', diary: 'private' });
  expect(await lostOn(b)).toMatchObject({ kept: true });
});

test('a second invite of a room that is here already leaves it under the name that it has here', async () => {
  await write(a, 'plan', 'walk');
  await invite('editor');
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
  await deleteRoom();
  await lostOn(friend);
  await write(friend, 'diary', 'private');
  await friend.call(settleLost, { body: { namespace: 'team', then: 'keep' } });
  await lostOn(a);
  await a.call(settleLost, { body: { namespace: 'team', then: 'sync' } });
  await invite('viewer');
  await expect.poll(() => says(friend, 'team-2')).toEqual({ plan: 'walk' });
  const again = await a.call(shareNamespace, { body: { namespace: 'team', role: 'editor' } });
  expect(await friend.call(joinNamespace, { body: { invite: again.invite } })).toMatchObject({
    namespace: 'team-2',
    role: 'editor',
  });
  await friend.call(setMemory, { body: { namespace: 'team-2', key: 'mine', value: 'swim' } });
  await expect.poll(() => says(a, 'team')).toEqual({ plan: 'walk', mine: 'swim' });
  expect(await says(friend, 'team')).toEqual({ plan: 'walk', diary: 'private' });
});

test('a room that was made anew stays apart from what is here under its name, and whoever joins it is told so before and after', async () => {
  await write(a, 'plan', 'walk');
  await invite('editor');
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
  await deleteRoom();
  expect(await lostOn(friend)).toMatchObject({
    reason: 'ended',
    advice: has('If it was made anew, it comes under another name'),
  });
  await lostOn(a);
  await a.call(settleLost, { body: { namespace: 'team', then: 'sync' } });
  const anew = await a.call(shareNamespace, { body: { namespace: 'team', role: 'viewer' } });
  const join = (as: string) => run({ home: friend.home.folder }, 'join', anew.invite, '--as', as);
  expect(await join('team')).toMatchObject({
    code: 0,
    out: has('the namespace is "team-2" here'),
    err: has('another one than "team", which stays here'),
  });
});

test('a name that is taken is refused with one that is free, and how to give it', async () => {
  await write(a, 'plan', 'walk');
  await write(friend, 'diary', 'private');
  const { invite: link } = await a.call(shareNamespace, { body: { namespace: 'team', role: 'viewer' } });
  const join = (as: string) => run({ home: friend.home.folder }, 'join', link, '--as', as);
  expect(await join('team')).toMatchObject({
    code: 1,
    err: has('such as "team-2". `reverie join --as NAME`'),
  });
  expect(await join('team-2')).toMatchObject({ code: 0, err: '' });
  await expect.poll(() => says(friend, 'team-2')).toEqual({ plan: 'walk' });
  expect(await says(friend, 'team')).toEqual({ diary: 'private' });
});
