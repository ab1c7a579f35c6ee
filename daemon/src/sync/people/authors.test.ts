import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { listEvents } from '@reverie/shared/contract/events/events';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { getMemory, listMemories, setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import * as sharing from '@reverie/shared/contract/sync/sharing';
import { linkDevice, unlinkDevice } from '@reverie/shared/contract/sync/sync';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../cli/fake-terminal.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedDevices, pause, says, startLinkedDevices } from '../testing/linked-devices.ts';

let world: LinkedDevices;
/** Anna, and Bob, who has two devices. */
let anna: TestDaemon;
let bob: TestDaemon;
let phone: TestDaemon;

const team = { namespace: 'team' };
const write = (device: TestDaemon, key: string, value: string) =>
  device.call(setMemory, { body: { ...team, key, value } });
const authorOn = async (device: TestDaemon, key: string) =>
  (await device.call(getMemory, { body: { ...team, key } })).author;
const reverie = (device: TestDaemon, ...args: string[]) => run({ home: device.home.folder }, ...args);

beforeEach(async () => {
  world = await startLinkedDevices(0);
  [anna, bob, phone] = await Promise.all([startTestDaemon(), startTestDaemon(), startTestDaemon()]);
  const relay = world.relay.origin;
  await write(anna, 'plan', 'walk');
  await anna.call(linkDevice, { body: { relay, email: 'anna@example.org', name: 'laptop' } });
  await bob.call(linkDevice, { body: { relay, email: 'bob@example.org', name: 'desk' } });
  const { invite } = await anna.call(sharing.shareNamespace, { body: { ...team, role: 'editor' } });
  await bob.call(sharing.joinNamespace, { body: { ...team, invite } });
  await expect.poll(() => says(bob, 'team')).toEqual({ plan: 'walk' });
});
afterEach(async () => {
  await Promise.all([anna.stop(), bob.stop(), phone.stop()]);
  await world.stop();
});

/** A minute passes everywhere, so that what is written next is newer. */
function later(): void {
  for (const { clock } of [anna, bob, phone, world.relay]) clock.advance(60_000);
}

async function linkPhone(): Promise<void> {
  const { code } = await bob.call(pairDevice, {});
  await phone.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'phone' } });
}

test('who wrote a memory and each of its versions is told on every device, by person and device', async () => {
  expect(await authorOn(anna, 'plan')).toMatchObject({
    person: 'anna@example.org',
    device: 'laptop',
    self: true,
  });
  expect(await authorOn(bob, 'plan')).toMatchObject({
    person: 'anna@example.org',
    device: 'laptop',
    self: false,
  });
  later();
  // A device that was linked since the others listed the rooms.
  await linkPhone();
  await expect.poll(() => says(phone, 'team')).toEqual({ plan: 'walk' });
  await write(phone, 'plan', 'run');
  for (const [device, self] of [
    [anna, false],
    [bob, true],
    [phone, true],
  ] as const) {
    await expect
      .poll(() => authorOn(device, 'plan'))
      .toMatchObject({ person: 'bob@example.org', device: 'phone', self });
    const { versions } = await device.call(memoryHistory, { query: { ...team, key: 'plan' } });
    expect(versions.map(({ value, author }) => [value, author?.person, author?.device])).toEqual([
      ['run', 'bob@example.org', 'phone'],
      ['walk', 'anna@example.org', 'laptop'],
    ]);
    const { memories } = await device.call(listMemories, { body: team });
    expect(memories[0]?.author).toMatchObject({ device: 'phone', self });
    const { results } = await device.call(searchMemories, { body: { ...team, query: 'run' } });
    expect(results[0]?.author).toMatchObject({ device: 'phone', self });
  }
});

test('events say who changed what, in the log and to people', async () => {
  later();
  await write(anna, 'plan', 'run');
  await expect.poll(() => says(bob, 'team')).toEqual({ plan: 'run' });
  const { events } = await bob.call(listEvents, { query: { type: 'memory.update' } });
  expect(events.at(-1)).toMatchObject({
    actor: { kind: 'device' },
    author: { person: 'anna@example.org', device: 'laptop', self: false },
  });
  const { out } = await reverie(bob, 'events', '--type', 'memory');
  expect(out).toContain('anna@example.org on laptop changed plan in team.');
  expect(out).not.toContain('dev_');
});

test('a conflict says whose version stands, and whose is kept', async () => {
  for (const device of [anna, bob]) await pause(device, true);
  await write(anna, 'plan', 'older');
  later();
  await write(bob, 'plan', 'newer');
  for (const device of [anna, bob]) await pause(device, false);
  for (const device of [anna, bob]) {
    await expect.poll(async () => (await device.call(listConflicts, { query: {} })).total).toBe(1);
    await expect.poll(() => says(device, 'team')).toEqual({ plan: 'newer' });
  }
  const { conflicts } = await anna.call(listConflicts, { query: {} });
  expect(conflicts).toMatchObject([
    {
      value: 'older',
      device: { name: 'laptop' },
      author: { person: 'anna@example.org', self: true },
      current_author: { person: 'bob@example.org', device: 'desk', self: false },
    },
  ]);
  expect((await reverie(anna, 'events', '--type', 'memory.merge')).out).toContain(
    'Two versions of plan in team: that of bob@example.org (desk) stands, yours (laptop) is kept in conflicts.',
  );
  expect((await reverie(bob, 'events', '--type', 'memory.merge')).out).toContain(
    'Two versions of plan in team: yours (desk) stands, that of anna@example.org (laptop) is kept in conflicts.',
  );
  const [row = ''] = (await reverie(bob, 'sync', 'conflicts')).out.split('\n');
  expect(row.split('\t').slice(1, 3)).toEqual(['team', 'plan']);
  expect(row.split('\t').slice(4)).toEqual(['laptop', 'older', 'anna@example.org on laptop', 'you on desk']);
});

test('names stay when somebody left, and without a relay; who never was told of is somebody who left', async () => {
  later();
  await write(bob, 'plan', 'run');
  await expect.poll(() => says(anna, 'team')).toEqual({ plan: 'run' });
  const { members } = await anna.call(sharing.listMembers, { query: team });
  const { id } = members.find(({ email }) => email === 'bob@example.org') ?? { id: '' };
  await anna.call(sharing.removeMember, { params: { id }, query: team });
  await expect
    .poll(() => authorOn(anna, 'plan'))
    .toMatchObject({ person: 'bob@example.org', device: 'desk' });
  const { invite } = await anna.call(sharing.shareNamespace, { body: { ...team, role: 'viewer' } });
  const late = await startTestDaemon();
  try {
    const body = { relay: world.relay.origin, email: 'late@example.org', name: 'late' };
    await late.call(linkDevice, { body });
    await late.call(sharing.joinNamespace, { body: { ...team, invite } });
    await expect.poll(() => says(late, 'team')).toEqual({ plan: 'run' });
    expect(await authorOn(late, 'plan')).toMatchObject({ person: null, device: null, self: false });
    const { out } = await reverie(late, 'history', 'plan', '-n', 'team');
    expect(out.trim().split('\t').slice(2)).toEqual(['run', 'somebody who left']);
  } finally {
    await late.stop();
  }
  await anna.call(unlinkDevice, {});
  expect(await authorOn(anna, 'plan')).toMatchObject({ person: 'bob@example.org', device: 'desk' });
});

test('a key that manages no sharing is told names of people, never their e-mail addresses', async () => {
  for (const device of [anna, bob]) await pause(device, true);
  await write(bob, 'plan', 'older');
  later();
  await write(anna, 'plan', 'newer');
  for (const device of [anna, bob]) await pause(device, false);
  await expect.poll(async () => (await anna.call(listConflicts, { query: {} })).total).toBe(1);
  const scopes = ['read', 'write'] as const;
  const keys = await Promise.all(
    scopes.map(async (scope) => (await anna.call(createKey, { body: { name: scope, scope } })).key),
  );
  // A whole log of events, the older of which come when it begins.
  const heard = keys.map((key) => {
    const texts: string[] = [];
    const socket = new WebSocket(`ws://${anna.host}/v1/stream?since=0`, {
      headers: { authorization: `Bearer ${key}` },
    });
    socket.on('message', (text: Buffer) => texts.push(text.toString('utf8')));
    return { socket, texts };
  });
  later();
  await write(bob, 'plan', 'newest');
  for (const reader of [anna, bob]) await expect.poll(() => says(reader, 'team')).toEqual({ plan: 'newest' });
  try {
    for (const key of keys) {
      const told = anna.as(key);
      const replies: unknown[] = [
        await told(getMemory, { body: { ...team, key: 'plan' } }),
        await told(listMemories, { body: team }),
        await told(searchMemories, { body: { ...team, query: 'newest' } }),
        await told(memoryHistory, { query: { ...team, key: 'plan' } }),
        await told(listEvents, { query: {} }),
        await told(listConflicts, { query: {} }),
        await told(sharing.listMembers, { query: team }),
      ];
      for (const reply of replies) {
        expect(JSON.stringify(reply)).toMatch(/"(person|email)":"bob"/);
        expect(JSON.stringify(reply)).not.toContain('@example.org');
      }
      expect(replies[0]).toMatchObject({ author: { person: 'bob', device: 'desk', self: false } });
    }
    for (const { texts } of heard) {
      await expect.poll(() => texts.join()).toContain('newest');
      // Of the version that lost, too, in what its event held before.
      expect(texts.find((text) => text.includes('memory.merge'))).toContain('"person":"bob"');
      expect(texts.join()).not.toContain('@example.org');
    }
    expect(await authorOn(anna, 'plan')).toMatchObject({ person: 'bob@example.org' });
  } finally {
    for (const { socket } of heard) socket.terminate();
  }
});
