import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { clearNamespace, setMemory } from '@reverie/shared/contract/memories/memories';
import * as sharing from '@reverie/shared/contract/sync/sharing';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { has, run } from '../../cli/fake-terminal.ts';
import { call } from '../../../../cloud/src/testing/device.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedDevices, pause, says, startLinkedDevices, statusOf } from '../testing/linked-devices.ts';

let world: LinkedDevices;
/** Somebody with a namespace, and somebody else, who has two devices. */
let owner: TestDaemon;
let friend: TestDaemon;
let phone: TestDaemon;

beforeEach(async () => {
  world = await startLinkedDevices(1);
  [owner] = world.devices as [TestDaemon];
  [friend, phone] = await Promise.all([startTestDaemon(), startTestDaemon()]);
  const relay = world.relay.origin;
  await friend.call(linkDevice, { body: { relay, email: 'friend@example.org', name: 'friend' } });
  const { code } = await friend.call(pairDevice, {});
  await phone.call(linkDevice, { body: { relay, code, name: 'phone' } });
  await write(owner, 'plan', 'walk');
});
afterEach(async () => {
  await Promise.all([friend.stop(), phone.stop()]);
  await world.stop();
});

const team = { namespace: 'team' };
const write = (device: TestDaemon, key: string, value: string) =>
  device.call(setMemory, { body: { ...team, key, value } });

async function invite(role: 'viewer' | 'editor', more: { email?: string } = {}): Promise<string> {
  return (await owner.call(sharing.shareNamespace, { body: { ...team, role, ...more } })).invite;
}
async function letIn(role: 'viewer' | 'editor'): Promise<void> {
  const link = await invite(role);
  await friend.call(sharing.joinNamespace, { body: { ...team, invite: link } });
  for (const device of [friend, phone])
    await expect.poll(() => says(device, 'team')).toEqual({ plan: 'walk' });
}
async function idOf(email: string, asking = owner): Promise<string> {
  const { members } = await asking.call(sharing.listMembers, { query: team });
  return members.find((member) => member.email === email)?.id ?? 'acc_nobody';
}
const friendId = () => idOf('friend@example.org');
const change = async (role: 'viewer' | 'editor', by = owner) =>
  by.call(sharing.changeMember, { params: { id: await friendId() }, body: { ...team, role } });
const roleOn = async (device: TestDaemon) =>
  (await statusOf(device)).namespaces.find(({ namespace }) => namespace === 'team')?.role;

/** Presses the buttons in all mails. */
async function confirm(): Promise<void> {
  for (const link of world.relay.links())
    await call(world.relay.origin, {
      method: 'POST',
      path: '/auth/confirm',
      body: { token: new URL(link).searchParams.get('token') },
    });
}

describe('a role', () => {
  test('that changes holds at once on every device of the member, without another invite', async () => {
    await letIn('viewer');
    await expect(write(friend, 'plan', 'run')).rejects.toMatchObject({ code: 'forbidden_role' });
    expect(await change('editor')).toMatchObject({ role: 'editor', invites_ended: 0 });
    for (const device of [friend, phone]) await expect.poll(() => roleOn(device)).toBe('editor');
    await write(phone, 'plan', 'run');
    await expect.poll(() => says(owner, 'team')).toEqual({ plan: 'run' });

    await invite('editor');
    expect(await change('viewer')).toMatchObject({ role: 'viewer', invites_ended: 1 });
    for (const device of [friend, phone]) await expect.poll(() => roleOn(device)).toBe('viewer');
    await expect(change('editor', friend)).rejects.toMatchObject({ code: 'forbidden_role' });
    await expect(
      owner.call(sharing.changeMember, { params: { id: 'acc_1' }, body: { ...team, role: 'viewer' } }),
    ).rejects.toMatchObject({ code: 'member_not_found' });
    const own = await idOf('me@example.org');
    await expect(
      owner.call(sharing.changeMember, { params: { id: own }, body: { ...team, role: 'viewer' } }),
    ).rejects.toMatchObject({ code: 'forbidden_role' });
  });

  test('that was lowered while a device was away keeps what it had not sent, and says so', async () => {
    await letIn('editor');
    await pause(friend, true);
    await write(friend, 'mine', 'not sent');
    await change('viewer');
    await expect.poll(() => roleOn(phone)).toBe('viewer');
    await pause(friend, false);
    await expect.poll(() => roleOn(friend)).toBe('viewer');
    await expect
      .poll(async () => {
        const { conflicts } = await friend.call(listConflicts, { query: {} });
        return conflicts.map(({ key, value, reason }) => [key, value, reason]);
      })
      .toEqual([['mine', 'not sent', 'downgraded']]);
    await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
    expect(await statusOf(friend)).toMatchObject({ pending: 0 });
  });

  test('that was lowered while a device was away has again what was cleared there and not sent', async () => {
    await letIn('editor');
    await pause(friend, true);
    await friend.call(clearNamespace, { body: team });
    await change('viewer');
    await pause(friend, false);
    await expect.poll(() => roleOn(friend)).toBe('viewer');
    await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
    await write(owner, 'plan', 'swim');
    await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'swim' });
  });
});

describe('leaving', () => {
  const leave = (device: TestDaemon, more: { owner?: string; end?: true } = {}) =>
    device.call(sharing.leaveNamespace, { body: { ...team, ...more } });

  test('keeps the memories, on all devices of who leaves; open invites go on', async () => {
    await letIn('editor');
    const link = await invite('viewer');
    expect(await leave(friend)).toMatchObject({ namespace: 'team', became: 'left' });
    expect((await statusOf(friend)).lost).toMatchObject([{ namespace: 'team', reason: 'left', kept: true }]);
    await expect.poll(async () => (await statusOf(phone)).lost.length).toBe(1);
    for (const device of [friend, phone]) expect(await says(device, 'team')).toEqual({ plan: 'walk' });
    await write(owner, 'plan', 'swim');
    expect(await says(friend, 'team')).toEqual({ plan: 'walk' });
    await expect(leave(friend)).rejects.toMatchObject({ code: 'namespace_not_synced' });
    expect(await friend.call(sharing.joinNamespace, { body: { ...team, invite: link } })).toMatchObject({
      role: 'viewer',
    });
  });

  test('works where the namespace is not synced: while paused, and where its room waits', async () => {
    await letIn('editor');
    await pause(friend, true);
    expect(await leave(friend)).toMatchObject({ became: 'left' });
    expect((await statusOf(friend)).lost).toMatchObject([{ reason: 'left', kept: true }]);
    await pause(friend, false);
    await expect.poll(async () => (await statusOf(friend)).state).toBe('live');

    // The phone was told by the relay, and keeps its own; then the account is let in again by the other device.
    await expect.poll(async () => (await statusOf(phone)).lost.length).toBe(1);
    const link = await invite('viewer');
    await friend.call(sharing.joinNamespace, { body: { ...team, invite: link } });
    await expect.poll(async () => (await statusOf(phone)).lost[0]?.waiting).toBe(true);
    expect(await leave(phone)).toMatchObject({ became: 'left' });
    await expect.poll(async () => (await statusOf(friend)).lost.length).toBe(1);
    const { members } = await owner.call(sharing.listMembers, { query: team });
    expect(members.map(({ email }) => email)).toEqual(['me@example.org']);
  });

  test('an owner says what becomes of it: handed over as they go, or ended for all', async () => {
    await letIn('viewer');
    await confirm();
    await expect(leave(owner)).rejects.toMatchObject({ code: 'forbidden_role' });
    await expect(leave(owner, { owner: 'acc_1' })).rejects.toMatchObject({ code: 'member_not_found' });
    await expect(leave(friend, { end: true })).rejects.toMatchObject({ code: 'forbidden_role' });
    expect(await roleOn(owner)).toBe('owner');
    expect(await leave(owner, { owner: await friendId() })).toMatchObject({ became: 'handed_over' });
    for (const device of [friend, phone]) await expect.poll(() => roleOn(device)).toBe('owner');
    await write(phone, 'plan', 'run');
    await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'run' });
    expect(await says(owner, 'team')).toEqual({ plan: 'walk' });
    expect(await leave(friend, { end: true })).toMatchObject({ became: 'ended' });
    await expect.poll(async () => (await statusOf(phone)).lost.length).toBe(1);
    expect(await says(phone, 'team')).toEqual({ plan: 'run' });
  });
});

describe('invites', () => {
  const open = async () => (await owner.call(sharing.listInvites, { query: team })).invites;
  const join = (link: string) => friend.call(sharing.joinNamespace, { body: { ...team, invite: link } });

  test('are listed while they work, and made void one by one', async () => {
    const [first, second] = [await invite('viewer'), await invite('editor')];
    const listed = (await open()).toSorted((a, b) => a.role.localeCompare(b.role));
    expect(listed).toMatchObject([
      { role: 'editor', uses_left: 1, email: null },
      { role: 'viewer', uses_left: 1, email: null },
    ]);
    const id = listed[0]?.id ?? '';
    const revoke = () => owner.call(sharing.revokeInvite, { params: { id }, query: team });
    await revoke();
    await expect(revoke()).rejects.toMatchObject({ code: 'invite_invalid' });
    await expect(join(second)).rejects.toMatchObject({ code: 'invite_invalid' });
    await join(first);
    expect(await open()).toEqual([]);
    await expect(friend.call(sharing.listInvites, { query: team })).rejects.toMatchObject({
      code: 'forbidden_role',
    });
    await invite('viewer');
    const removed = await owner.call(sharing.removeMember, {
      params: { id: await friendId() },
      query: team,
    });
    expect(removed.invites_ended).toBe(1);
    expect(await open()).toEqual([]);
  });

  test('that are for an address let in who has confirmed it, and say so to others', async () => {
    const [theirs, others] = [
      await invite('viewer', { email: 'friend@example.org' }),
      await invite('viewer', { email: 'else@example.org' }),
    ];
    expect((await open()).map(({ email }) => email).sort()).toEqual([
      'else@example.org',
      'friend@example.org',
    ]);
    await expect(join(theirs)).rejects.toMatchObject({
      code: 'invite_invalid',
      message: expect.stringContaining('has not confirmed it') as string,
    });
    await confirm();
    await expect(join(others)).rejects.toMatchObject({
      code: 'invite_invalid',
      message: expect.stringContaining('for one e-mail address') as string,
    });
    expect(await join(theirs)).toMatchObject({ role: 'viewer' });
  });

  test('are made to what there is only: a name that was mistyped makes no room', async () => {
    await expect(
      owner.call(sharing.shareNamespace, { body: { namespace: 'teem', role: 'viewer' } }),
    ).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect(await world.relay.rows("SELECT name FROM members WHERE name = 'teem'")).toEqual([]);
  });
});

test('a namespace that is handed over is the new owner’s, who invites; the old one writes on', async () => {
  await letIn('viewer');
  const handOver = async (by: TestDaemon, member: string) =>
    by.call(sharing.handOverNamespace, { body: { ...team, member } });
  const link = await invite('viewer');
  await expect(handOver(owner, await friendId())).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('has not confirmed') as string,
  });
  await confirm();
  await expect(handOver(friend, await friendId())).rejects.toMatchObject({ code: 'forbidden_role' });
  expect(await handOver(owner, await friendId())).toMatchObject({ invites_ended: 1 });
  for (const device of [friend, phone]) await expect.poll(() => roleOn(device)).toBe('owner');
  await expect.poll(() => roleOn(owner)).toBe('editor');
  // They were not asked, so each of their devices says so, and how it is given back; nobody else's does.
  for (const device of [friend, phone]) {
    await expect
      .poll(async () => (await statusOf(device)).handed_over)
      .toMatchObject([{ namespace: 'team', email: 'me@example.org' }]);
    expect(await run({ home: device.home.folder }, 'sync')).toMatchObject({
      code: 0,
      out: has('`reverie share team --owner me@example.org` gives it back'),
    });
  }
  expect((await statusOf(owner)).handed_over).toEqual([]);
  await handOver(friend, await idOf('me@example.org'));
  await expect.poll(async () => (await statusOf(phone)).handed_over).toEqual([]);
  await expect
    .poll(async () => (await statusOf(owner)).handed_over)
    .toMatchObject([{ namespace: 'team', email: 'friend@example.org' }]);
  await handOver(owner, await friendId());
  await expect.poll(() => roleOn(owner)).toBe('editor');
  await write(owner, 'plan', 'run');
  await expect.poll(() => says(phone, 'team')).toEqual({ plan: 'run' });
  await expect(invite('viewer')).rejects.toMatchObject({ code: 'forbidden_role' });

  const third = await startTestDaemon();
  try {
    const relay = world.relay.origin;
    await third.call(linkDevice, { body: { relay, email: 'third@example.org', name: 'third' } });
    await expect(
      third.call(sharing.joinNamespace, { body: { ...team, invite: link } }),
    ).rejects.toMatchObject({ code: 'invite_invalid' });
    const theirs = await friend.call(sharing.shareNamespace, { body: { ...team, role: 'viewer' } });
    await third.call(sharing.joinNamespace, { body: { ...team, invite: theirs.invite } });
    await expect.poll(() => says(third, 'team')).toEqual({ plan: 'run' });
    // Who owned it before can be taken out as anybody.
    const id = await idOf('me@example.org', friend);
    await friend.call(sharing.removeMember, { params: { id }, query: team });
    await expect.poll(async () => (await statusOf(owner)).lost.length).toBe(1);
    expect((await statusOf(owner)).lost).toMatchObject([{ role: 'editor', reason: 'ended' }]);
  } finally {
    await third.stop();
  }
});

test('links of open invites go with a device that is cut off, which the command says', async () => {
  const { code } = await owner.call(pairDevice, {});
  const lost = await startTestDaemon();
  try {
    await lost.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'lost' } });
    const link = await invite('editor');
    await invite('viewer', { email: 'friend@example.org' });
    const id = (await statusOf(lost)).device?.id ?? '';
    expect(await run({ home: owner.home.folder }, 'devices', 'remove', id)).toMatchObject({
      code: 0,
      out: has('Removed. 1 open invite stopped working'),
    });
    await expect(
      friend.call(sharing.joinNamespace, { body: { ...team, invite: link } }),
    ).rejects.toMatchObject({ code: 'invite_invalid' });
    expect((await owner.call(sharing.listInvites, { query: team })).invites).toMatchObject([
      { email: 'friend@example.org' },
    ]);
  } finally {
    await lost.stop();
  }
});
