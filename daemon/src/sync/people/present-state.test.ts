import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { changeNamespace, deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { joinNamespace, shareNamespace } from '@reverie/shared/contract/sync/sharing';
import { linkDevice, rebuildSync, syncStatus } from '@reverie/shared/contract/sync/sync';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedPair, pause, says, startLinkedPair } from '../testing/linked-devices.ts';

let world: LinkedPair;
let a: TestDaemon;
let b: TestDaemon;
let guests: TestDaemon[];
/** Until then the relay says nothing of what it has stored. */
let silence: Promise<void> | undefined;
let stored: number;

beforeEach(async () => {
  silence = undefined;
  stored = 0;
  world = await startLinkedPair((log) => ({
    ...log,
    async append(batch) {
      const done = await log.append(batch);
      stored += batch.length;
      await silence;
      return done;
    },
  }));
  ({ a, b } = world);
  guests = [];
});
afterEach(async () => {
  await Promise.all(guests.map((guest) => guest.stop()));
  await world.stop();
});

const write = (device: TestDaemon, key: string, value: string) =>
  device.call(setMemory, { body: { namespace: 'team', key, value } });

const trash = (device: TestDaemon, key: string) =>
  device.call(trashMemories, { body: { items: [{ namespace: 'team', key }] } });

/** Keys in the trash of a device. */
const trashOf = async (device: TestDaemon) =>
  (await device.call(listTrash, { query: { namespace: 'team' } })).memories.map(({ key }) => key);

/** Somebody new, who comes by an invite of the first device. */
async function guestBy(
  how: { role?: 'viewer' | 'editor'; with_history?: boolean } = {},
): Promise<TestDaemon> {
  const guest = await startTestDaemon();
  guests.push(guest);
  await guest.call(linkDevice, {
    body: { relay: world.relay.origin, email: `guest${guests.length}@example.org`, name: 'guest' },
  });
  const { invite } = await a.call(shareNamespace, { body: { namespace: 'team', ...how } });
  await guest.call(joinNamespace, { body: { invite, namespace: 'team' } });
  return guest;
}

/** Whether a text stands in any file of a device's home. */
function stands({ home }: TestDaemon, text: string): boolean {
  const files = readdirSync(home.folder, { recursive: true, withFileTypes: true });
  return files
    .filter((one) => one.isFile())
    .some((one) => readFileSync(path.join(one.parentPath, one.name)).includes(text));
}

const settled = (device: TestDaemon) =>
  expect
    .poll(async () => {
      const { state, pending, behind } = await device.call(syncStatus, {});
      return { state, pending, behind };
    })
    .toEqual({ state: 'live', pending: 0, behind: 0 });

test('who is invited gets what there is now: nothing overwritten, deleted or trashed before is on their disk', async () => {
  await write(a, 'pw', 'OLDSECRET');
  await write(a, 'pw', 'it moved to the vault');
  await write(a, 'gone', 'DELETEDSECRET');
  await a.call(deleteMemory, { body: { namespace: 'team', key: 'gone' } });
  await write(a, 'old plan', 'TRASHEDSECRET');
  await trash(a, 'old plan');
  await write(a, 'plan', 'walk');
  await expect.poll(() => says(b, 'team')).toEqual({ pw: 'it moved to the vault', plan: 'walk' });
  const guest = await guestBy({ role: 'editor' });
  await expect.poll(() => says(guest, 'team')).toEqual({ pw: 'it moved to the vault', plan: 'walk' });
  await settled(guest);
  expect(await trashOf(guest)).toEqual([]);
  const { versions } = await guest.call(memoryHistory, { query: { namespace: 'team', key: 'pw' } });
  expect(versions.map(({ value }) => value)).toEqual(['it moved to the vault']);
  expect((await guest.call(listConflicts, { query: {} })).conflicts).toEqual([]);
  for (const text of ['OLDSECRET', 'DELETEDSECRET', 'TRASHEDSECRET']) expect(stands(guest, text)).toBe(false);
  // What the owner has stays as it was, on each of their devices, and can be brought back for all.
  for (const own of [a, b]) await expect.poll(() => trashOf(own)).toEqual(['old plan']);
  const { versions: own } = await a.call(memoryHistory, { query: { namespace: 'team', key: 'pw' } });
  expect(own.map(({ value }) => value)).toEqual(['it moved to the vault', 'OLDSECRET']);
  await b.call(restoreTrash, { body: { items: [{ namespace: 'team', key: 'old plan' }] } });
  for (const device of [a, b, guest])
    await expect.poll(() => says(device, 'team')).toMatchObject({ 'old plan': 'TRASHEDSECRET' });
});

test('who is invited with its history gets what the log keeps of before, too', async () => {
  await write(a, 'plan', 'FIRST');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'FIRST' });
  await write(a, 'plan', 'SECOND');
  const guest = await guestBy({ with_history: true });
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'SECOND' });
  const { versions } = await guest.call(memoryHistory, { query: { namespace: 'team', key: 'plan' } });
  expect(versions.map(({ value }) => value)).toEqual(['SECOND', 'FIRST']);
});

test('each one who is invited gets what there is then, also after others wrote', async () => {
  await write(a, 'plan', 'FIRST');
  const one = await guestBy({ role: 'editor' });
  await expect.poll(() => says(one, 'team')).toEqual({ plan: 'FIRST' });
  await write(one, 'plan', 'SECOND');
  await expect.poll(() => says(a, 'team')).toEqual({ plan: 'SECOND' });
  await write(a, 'plan', 'THIRD');
  const two = await guestBy();
  await expect.poll(() => says(two, 'team')).toEqual({ plan: 'THIRD' });
  for (const text of ['FIRST', 'SECOND']) expect(stands(two, text)).toBe(false);
  await write(one, 'plan', 'FOURTH');
  for (const device of [a, b, one, two])
    await expect.poll(() => says(device, 'team')).toEqual({ plan: 'FOURTH' });
});

test('a guest who comes again reads on from where they were, and nothing of before', async () => {
  await write(a, 'plan', 'OLDSECRET');
  await write(a, 'plan', 'walk');
  const guest = await guestBy({ role: 'editor' });
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'walk' });
  await guest.restart();
  await write(a, 'second', 'two');
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'walk', second: 'two' });
  await write(guest, 'third', 'three');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk', second: 'two', third: 'three' });
  expect(stands(guest, 'OLDSECRET')).toBe(false);
});

test('an owner’s device that was away says what it wrote meanwhile, and keeps what it had in the trash', async () => {
  await write(a, 'plan', 'walk');
  await write(a, 'put away', 'AWAY');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk', 'put away': 'AWAY' });
  await pause(b, true);
  await write(b, 'from b', 'written away');
  await trash(b, 'put away');
  await write(a, 'plan', 'run');
  const guest = await guestBy({ role: 'editor' });
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'run', 'put away': 'AWAY' });
  await pause(b, false);
  for (const device of [a, b, guest])
    await expect.poll(() => says(device, 'team')).toEqual({ plan: 'run', 'from b': 'written away' });
});

test('what had lost on an owner’s device before others heard of it stays there, as a conflict', async () => {
  await write(a, 'plan', 'walk');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk' });
  await pause(b, true);
  for (const { clock } of [a, b, world.relay]) clock.advance(1000);
  await write(b, 'plan', 'LOSTSECRET');
  for (const { clock } of [a, b, world.relay]) clock.advance(1000);
  await write(a, 'plan', 'run');
  const guest = await guestBy({ role: 'editor' });
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'run' });
  await pause(b, false);
  for (const device of [a, b, guest]) await settled(device);
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'run' });
  const lost = async (device: TestDaemon) =>
    (await device.call(listConflicts, { query: {} })).conflicts.map(({ value }) => value);
  expect(await Promise.all([a, b, guest].map(lost))).toEqual([[], ['LOSTSECRET'], []]);
  expect(stands(guest, 'LOSTSECRET')).toBe(false);
});

test('what was written and thrown away on one device alone stays there, also beside another memory of that key', async () => {
  const sync = (is: boolean) =>
    b.call(changeNamespace, { params: { namespace: 'team' }, body: { sync: is } });
  const later = () => {
    for (const { clock } of [a, b, world.relay]) clock.advance(1000);
  };
  await write(a, 'plan', 'walk');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk' });
  await sync(false);
  await trash(b, 'plan');
  later();
  await write(b, 'plan', 'OWNSECRET');
  await pause(b, true);
  await sync(true);
  later();
  await trash(b, 'plan');
  const guest = await guestBy();
  await pause(b, false);
  for (const device of [a, b, guest]) await settled(device);
  for (const device of [a, b, guest]) await expect.poll(() => says(device, 'team')).toEqual({ plan: 'walk' });
  expect(stands(guest, 'OWNSECRET')).toBe(false);
});

test('what was changed and thrown away on one device alone goes into the trash of others as they knew it', async () => {
  await write(a, 'plan', 'walk');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk' });
  await pause(b, true);
  for (const { clock } of [a, b, world.relay]) clock.advance(1000);
  await write(b, 'plan', 'OWNSECRET');
  await trash(b, 'plan');
  const guest = await guestBy();
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'walk' });
  await pause(b, false);
  for (const device of [a, b, guest]) await expect.poll(() => trashOf(device)).toEqual(['plan']);
  for (const device of [a, b, guest]) expect(await says(device, 'team')).toEqual({});
  for (const device of [a, guest]) expect(stands(device, 'OWNSECRET')).toBe(false);
  await b.call(restoreTrash, { body: { items: [{ namespace: 'team', key: 'plan' }] } });
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'walk' });
  const { versions } = await b.call(memoryHistory, { query: { namespace: 'team', key: 'plan' } });
  expect(versions.map(({ value }) => value)).toContain('OWNSECRET');
});

test('what was written over on one device that is away comes to nobody who is invited meanwhile, also the second time', async () => {
  await write(a, 'plan', 'walk');
  await expect.poll(() => says(b, 'team')).toEqual({ plan: 'walk' });
  await guestBy();
  await pause(b, true);
  await write(b, 'plan', 'OWNSECRET');
  await b.restart();
  await write(b, 'plan', 'run');
  // In the room nothing was written since the invite before.
  const guest = await guestBy();
  await pause(b, false);
  await expect.poll(() => says(guest, 'team')).toEqual({ plan: 'run' });
  expect(stands(guest, 'OWNSECRET')).toBe(false);
});

test('what the relay had, though its word was lost, is nothing new after an invite: nobody is asked about it', async () => {
  // A third device of theirs: with two that agree the relay lets go of what was said before.
  const c = await startTestDaemon();
  guests.push(c);
  const { code } = await a.call(pairDevice, {});
  await c.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'c' } });
  await write(a, 'other', 'thing');
  for (const device of [b, c]) await expect.poll(() => says(device, 'team')).toEqual({ other: 'thing' });
  await settled(a);
  const { promise, resolve: speak } = Promise.withResolvers<void>();
  silence = promise;
  const before = stored;
  await write(b, 'plan', 'walk');
  await expect.poll(() => stored).toBe(before + 1);
  await pause(b, true);
  speak();
  await expect.poll(() => says(a, 'team')).toEqual({ other: 'thing', plan: 'walk' });
  await a.call(deleteMemory, { body: { namespace: 'team', key: 'plan' } });
  await write(a, 'plan', 'run');
  await settled(a);
  const guest = await guestBy();
  await expect.poll(() => says(guest, 'team')).toEqual({ other: 'thing', plan: 'run' });
  await pause(b, false);
  await settled(b);
  await expect.poll(() => says(b, 'team')).toEqual({ other: 'thing', plan: 'run' });
  await settled(guest);
  for (const device of [a, b, c, guest])
    expect(await device.call(listConflicts, { query: { namespace: 'team', limit: 10 } })).toMatchObject({
      conflicts: [],
    });
  expect(stands(guest, 'walk')).toBe(false);
});

test('two memories of one key in the trash, one of them here alone, stay two', async () => {
  await write(a, 'other', 'thing');
  await guestBy();
  await expect.poll(() => says(b, 'team')).toEqual({ other: 'thing' });
  await pause(b, true);
  for (const device of [a, b]) {
    await write(device, 'plan', 'walk');
    if (device === a) await settled(a);
    await trash(device, 'plan');
    for (const { clock } of [a, b, world.relay]) clock.advance(1000);
  }
  await pause(b, false);
  await expect.poll(() => trashOf(b)).toEqual(['plan', 'plan']);
  expect(await b.call(rebuildSync, {})).toMatchObject({ differed: 0 });
  expect(await trashOf(b)).toEqual(['plan', 'plan']);
});

test('to share while sync is paused is refused with what to do, and nobody is invited', async () => {
  await write(a, 'plan', 'walk');
  await settled(a);
  await pause(a, true);
  await expect(a.call(shareNamespace, { body: { namespace: 'team' } })).rejects.toMatchObject({
    code: 'relay_unreachable',
    message: expect.stringContaining('sync is paused here (`reverie sync resume` goes on)') as string,
  });
});
