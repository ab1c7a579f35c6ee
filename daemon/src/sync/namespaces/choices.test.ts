import fs from 'node:fs';
import path from 'node:path';
import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import {
  changeNamespace,
  clearNamespace,
  deleteMemory,
  setMemory,
} from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import {
  joinNamespace,
  listMembers,
  removeMember,
  shareNamespace,
} from '@reverie/shared/contract/sync/sharing';
import {
  changeLink,
  type ChosenNamespaces,
  linkDevice,
  type NewNamespaces,
  type SyncStatus,
  unlinkDevice,
} from '@reverie/shared/contract/sync/sync';
import { emptyTrash, listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRelay, type TestRelay } from '../../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { pause, says, statusOf } from '../testing/linked-devices.ts';

/** Waits until something holds, as long as a busy machine may take. */
const shortly = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: seconds(6), interval: 20 });

let relay: TestRelay;
let a: TestDaemon;
let b: TestDaemon;
let c: TestDaemon;

beforeEach(async () => {
  relay = await startRelay();
  [a, b, c] = [await startTestDaemon(), await startTestDaemon(), await startTestDaemon()];
});
afterEach(async () => {
  await Promise.all([a, b, c].map((device) => device.stop()));
  await relay.stop();
});

const set = (device: TestDaemon, [namespace, key]: readonly [string, string], value: string) =>
  device.call(setMemory, { body: { namespace, key, value } });

interface Chosen {
  namespaces?: ChosenNamespaces;
  new_namespaces?: NewNamespaces;
}
const linkFirst = (given: Chosen = {}) =>
  a.call(linkDevice, { body: { relay: relay.origin, email: 'a@example.org', name: 'a', ...given } });

async function linkNext(device: TestDaemon, given: Chosen = {}): Promise<SyncStatus> {
  const { code } = await a.call(pairDevice, {});
  return device.call(linkDevice, { body: { relay: relay.origin, code, name: 'next', ...given } });
}

const choose = (device: TestDaemon, namespace: string, sync: boolean) =>
  device.call(changeNamespace, { params: { namespace }, body: { sync } });
const takeOff = (device: TestDaemon, namespace: string) =>
  device.call(changeNamespace, { params: { namespace }, body: { sync: false, remove_from_relay: true } });

/** Waits until nothing is left to send or read on any of them. */
async function settled(...devices: TestDaemon[]): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const device of devices) {
        const { state, pending, behind, upload } = await statusOf(device);
        expect({ state, pending, behind, upload }).toEqual({
          state: 'live',
          pending: 0,
          behind: 0,
          upload: null,
        });
      }
    },
    { timeout: seconds(30), interval: 20 },
  );
}

const synced = async (device: TestDaemon) =>
  (await statusOf(device)).namespaces.map(({ namespace }) => namespace).sort();
const stays = async (device: TestDaemon) =>
  (await statusOf(device)).stays.map(({ namespace }) => namespace).sort();
const conflictsOf = async (device: TestDaemon) =>
  (await device.call(listConflicts, { query: {} })).conflicts.map(({ key, value, current }) => [
    key,
    value,
    current,
  ]);

/** Which of some words stand anywhere in the relay's database, as text or within what devices wrote. */
async function onRelay(...words: string[]): Promise<string[]> {
  let all: string;
  if (process.env['REVERIE_TEST_RELAY'] === 'two-nodes') {
    const tables = await relay.rows<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
    );
    const rows = await Promise.all(tables.map(({ name }) => relay.rows<object>(`SELECT * FROM "${name}"`)));
    const texts = rows.flat(2).flatMap((row) => Object.values(row) as unknown[]);
    all = texts
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
      .join('\n');
  } else
    all = fs
      .readdirSync(relay.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name)).toString('latin1'))
      .join('\n');
  return words.filter((word) => all.includes(word));
}

const PLANTED = ['diary', 'therapist', 'Dr-Zed'];

test('what is left out at the link never reaches the relay: neither its name nor what is done with it', async () => {
  await set(a, ['diary', 'therapist'], 'My therapist is Dr-Zed.');
  await set(a, ['diary/2026', 'more'], 'Dr-Zed said so.');
  await set(a, ['work', 'plan'], 'Ship it on Monday-xyz.');
  const status = await linkFirst({ namespaces: { except: ['diary'] } });
  expect(status).toMatchObject({
    namespaces: [{ namespace: 'work' }],
    stays: [{ namespace: 'diary', on_relay: false }, { namespace: 'diary/2026' }],
    new_namespaces: 'sync',
  });
  await linkNext(b);
  await settled(a, b);

  await set(a, ['diary', 'therapist'], 'Dr-Zed moved.');
  await set(a, ['diary/2027', 'new'], 'Dr-Zed again.');
  const items = [{ namespace: 'diary', key: 'therapist' }];
  await a.call(trashMemories, { body: { items } });
  await a.call(restoreTrash, { body: { items } });
  await a.call(renameMemory, { body: { namespace: 'diary', key: 'therapist', to: { key: 'therapist-2' } } });
  await a.call(deleteMemory, { body: { namespace: 'diary', key: 'therapist-2' } });
  await a.call(clearNamespace, { body: { namespace: 'diary/2026' } });
  const created_at = '2026-01-01T00:00:00.000Z';
  await a.call(importMemories, {
    body: {
      items: [
        { namespace: 'diary', key: 'imported', value: 'Of Dr-Zed.', created_at, updated_at: created_at },
      ],
    },
  });
  await a.call(trashMemories, { body: { items: [{ namespace: 'diary', key: 'imported' }] } });
  await a.call(emptyTrash, { body: {} });
  await set(a, ['diary', 'therapist'], 'Dr-Zed, after the clear.');
  await set(a, ['later', 'one'], 'Goes up.');
  await settled(a, b);
  expect(await synced(b)).toEqual(['later', 'work']);
  expect(await stays(a)).toEqual(['diary', 'diary/2026', 'diary/2027']);
  expect(await onRelay(...PLANTED, 'Monday-xyz')).toEqual(['Monday-xyz']);
});

test('a memory that moves between a namespace that stays and one that is synced goes up, and is deleted there', async () => {
  await set(a, ['diary', 'kept'], 'Dr-Zed in the diary.');
  await set(a, ['work', 'shared'], 'For all-xyz.');
  await linkFirst({ namespaces: { except: ['diary'] } });
  await linkNext(b);
  await settled(a, b);

  await a.call(renameMemory, {
    body: { namespace: 'work', key: 'shared', to: { namespace: 'diary', key: 'therapist' } },
  });
  await set(a, ['diary', 'therapist'], 'Dr-Zed now.');
  await settled(a, b);
  await shortly(async () => expect(await says(b, 'work')).toEqual({}));
  expect(await onRelay(...PLANTED)).toEqual([]);

  await a.call(renameMemory, {
    body: { namespace: 'diary', key: 'kept', to: { namespace: 'work', key: 'told' } },
  });
  await shortly(async () => expect(await says(b, 'work')).toEqual({ told: 'Dr-Zed in the diary.' }));
  expect(await onRelay('diary"', 'therapist')).toEqual([]);
  expect(await says(a, 'diary')).toEqual({ therapist: 'Dr-Zed now.' });
});

test('none is synced, new ones stay, and one is chosen later, also over restarts, unlinking and linking', async () => {
  await set(a, ['diary', 'therapist'], 'Dr-Zed.');
  await set(a, ['work', 'plan'], 'Monday-xyz.');
  await linkFirst({ namespaces: 'none' });
  await linkNext(b);
  await set(a, ['diary/later', 'therapist'], 'Dr-Zed.');
  await set(a, ['fresh', 'one'], 'therapist');
  await settled(a, b);
  expect(await statusOf(a)).toMatchObject({ namespaces: [], new_namespaces: 'stay', relay: relay.origin });
  expect(await stays(a)).toEqual(['diary', 'diary/later', 'fresh', 'work']);
  await a.restart();
  await set(a, ['fresh', 'two'], 'therapist');
  await settled(a, b);
  expect(await onRelay(...PLANTED, 'Monday-xyz', 'fresh')).toEqual([]);

  await choose(a, 'work', true);
  await settled(a, b);
  await shortly(async () => expect(await says(b, 'work')).toEqual({ plan: 'Monday-xyz.' }));
  await a.call(unlinkDevice, {});
  a.clock.advance(60_000);
  await set(a, ['work', 'plan'], 'Tuesday-xyz.');
  const { code } = await b.call(pairDevice, {});
  await a.call(linkDevice, { body: { relay: relay.origin, code, name: 'again' } });
  await settled(a, b);
  await shortly(async () => expect(await says(b, 'work')).toEqual({ plan: 'Tuesday-xyz.' }));
  expect([await synced(a), await stays(a)]).toEqual([['work'], ['diary', 'diary/later', 'fresh']]);
  expect(await onRelay(...PLANTED)).toEqual([]);
});

test('a further device takes down what was chosen of what the relay has; what comes later as it was said', async () => {
  for (const namespace of ['one', 'two', 'three']) await set(a, [namespace, 'k'], namespace);
  await linkFirst();
  await settled(a);
  await linkNext(b, { namespaces: { only: ['two', 'not there yet'] }, new_namespaces: 'sync' });
  await linkNext(c, { namespaces: { except: ['two'] }, new_namespaces: 'stay' });
  await settled(a, b, c);
  await shortly(async () => expect(await stays(c)).toEqual(['two']));
  expect([await synced(b), await stays(b)]).toEqual([['two'], ['one', 'three']]);
  expect(await synced(c)).toEqual(['one', 'three']);
  expect((await statusOf(c)).stays).toMatchObject([{ namespace: 'two', on_relay: true, role: 'owner' }]);
  expect(await says(c, 'two')).toEqual({});

  await set(a, ['four', 'k'], 'four');
  await set(a, ['not there yet', 'k'], 'five');
  await shortly(async () => expect(await synced(b)).toEqual(['four', 'not there yet', 'two']));
  await shortly(async () => expect(await stays(c)).toEqual(['four', 'not there yet', 'two']));
  await c.call(changeLink, { body: { new_namespaces: 'sync' } });
  await choose(c, 'two', true);
  await shortly(async () => expect(await says(c, 'two')).toEqual({ k: 'two' }));
  await set(a, ['six', 'k'], 'six');
  await shortly(async () => expect(await says(c, 'six')).toEqual({ k: 'six' }));
  expect(await stays(c)).toEqual(['four', 'not there yet']);
});

test('switched off and on again: what says the same makes no conflict, what differs is one, and nothing is lost', async () => {
  await linkFirst();
  await linkNext(b);
  for (let n = 0; n < 5; n += 1) await set(a, ['work', 'often'], `said ${n}`);
  for (const key of ['same', 'here', 'there', 'gone there', 'gone, but changed', 'old name'])
    await set(a, ['work', key], 'first');
  await settled(a, b);

  b.clock.advance(1000);
  const { unsent } = await choose(b, 'work', false);
  expect(unsent).toBe(0);
  await set(b, ['work', 'here'], 'therapist of b');
  await set(b, ['work', 'only b'], 'new of b');
  a.clock.advance(60_000);
  await set(a, ['work', 'there'], 'newer of a');
  for (let n = 5; n < 8; n += 1) await set(a, ['work', 'both'], `step ${n}`);
  await set(b, ['work', 'both'], 'step 7');
  await set(a, ['work', 'here'], 'older of a');
  b.clock.advance(120_000);
  await set(b, ['work', 'here'], 'therapist of b, newer');
  for (const key of ['gone there', 'gone, but changed'])
    await a.call(deleteMemory, { body: { namespace: 'work', key } });
  await set(b, ['work', 'gone, but changed'], 'second');
  await a.call(renameMemory, { body: { namespace: 'work', key: 'old name', to: { key: 'new name' } } });
  await settled(a, b);
  expect(await says(b, 'work')).toMatchObject({ there: 'first', 'gone there': 'first' });
  expect(await onRelay('therapist')).toEqual([]);
  await b.restart();
  expect(await stays(b)).toEqual(['work']);

  await choose(b, 'work', true);
  await settled(a, b);
  const all = {
    often: 'said 4',
    same: 'first',
    here: 'therapist of b, newer',
    there: 'newer of a',
    both: 'step 7',
    'only b': 'new of b',
    'gone, but changed': 'second',
    'new name': 'first',
  };
  await shortly(async () => expect([await says(a, 'work'), await says(b, 'work')]).toEqual([all, all]));
  const found = [['here', 'older of a', 'therapist of b, newer']];
  for (const device of [a, b])
    await shortly(async () => expect((await conflictsOf(device)).sort()).toEqual(found));
  const inTrash = async (device: TestDaemon) =>
    (await device.call(listTrash, { query: { namespace: 'work' } })).memories.map(({ key }) => key);
  expect([await inTrash(a), await inTrash(b)]).toEqual([[], ['gone there']]);

  // And in the same run: off, on, and what either says goes to the other.
  await choose(b, 'work', false);
  await choose(b, 'work', true);
  await settled(a, b);
  await set(b, ['work', 'same'], 'second');
  await set(a, ['work', 'often'], 'said 5');
  await settled(a, b);
  for (const device of [a, b])
    await shortly(async () =>
      expect(await says(device, 'work')).toEqual({ ...all, same: 'second', often: 'said 5' }),
    );
  for (const device of [a, b]) expect((await conflictsOf(device)).sort()).toEqual(found);
});

test('what had not reached the relay as it was switched off stays here alone, and is counted', async () => {
  await linkFirst();
  await set(a, ['work', 'k'], 'first');
  await settled(a);
  await pause(a, true);
  await set(a, ['work', 'k'], 'Dr-Zed');
  expect(await choose(a, 'work', false)).toMatchObject({ unsent: 1 });
  await pause(a, false);
  await settled(a);
  expect(await onRelay('Dr-Zed')).toEqual([]);
});

test('what had reached the relay before something that had not is no conflict when it is switched on again', async () => {
  await linkFirst();
  await linkNext(b);
  await set(b, ['team', 'k'], 'first');
  await settled(a, b);
  for (const device of [a, b]) device.clock.advance(1000);
  await pause(b, true);
  await set(b, ['team', 'late'], 'not sent');
  await choose(b, 'team', false);
  await pause(b, false);
  for (const device of [a, b]) device.clock.advance(1000);
  // From here on the log has nothing of what was there.
  await a.call(clearNamespace, { body: { namespace: 'team' } });
  await set(a, ['team', 'k'], 'second');
  await settled(a);

  await choose(b, 'team', true);
  await settled(a, b);
  for (const device of [a, b]) {
    await shortly(async () => expect(await says(device, 'team')).toEqual({ k: 'second', late: 'not sent' }));
    expect(await conflictsOf(device)).toEqual([]);
  }
});

test('a namespace of one’s own is taken off the relay in the same act; one that is shared is not', async () => {
  await set(a, ['diary', 'therapist'], 'Dr-Zed.');
  await set(a, ['team', 'k'], 'ours');
  await linkFirst();
  await linkNext(b);
  await c.call(linkDevice, { body: { relay: relay.origin, email: 'c@example.org', name: 'c' } });
  await settled(a, b);
  const { invite } = await a.call(shareNamespace, { body: { namespace: 'team', role: 'editor' } });
  await c.call(joinNamespace, { body: { invite, namespace: 'team' } });
  await shortly(async () => expect(await says(c, 'team')).toEqual({ k: 'ours' }));

  await expect(takeOff(a, 'team')).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(takeOff(c, 'team')).rejects.toMatchObject({
    code: 'forbidden_role',
  });
  expect(await stays(a)).toEqual([]);
  expect((await onRelay('diary', 'Dr-Zed')).length).toBeGreaterThan(0);
  await choose(a, 'diary', false);
  await takeOff(a, 'diary');
  expect((await statusOf(a)).stays).toMatchObject([{ namespace: 'diary', on_relay: false, role: null }]);
  expect(
    (await relay.rows<{ name: string }>('SELECT name FROM members')).map(({ name }) => name),
  ).not.toContain('diary');
  await shortly(async () =>
    expect((await statusOf(b)).lost).toMatchObject([{ namespace: 'diary', reason: 'deleted' }]),
  );
  expect(await says(b, 'diary')).toEqual({ therapist: 'Dr-Zed.' });
  await choose(a, 'diary', true);
  await settled(a);
  expect(await says(a, 'diary')).toEqual({ therapist: 'Dr-Zed.' });
});

test('a shared namespace that stays here: its members stand, it is not shared anew, and one leaves it', async () => {
  await set(a, ['team', 'k'], 'ours');
  await linkFirst();
  await c.call(linkDevice, { body: { relay: relay.origin, email: 'c@example.org', name: 'c' } });
  const { invite } = await a.call(shareNamespace, { body: { namespace: 'team', role: 'viewer' } });
  await c.call(joinNamespace, { body: { invite, namespace: 'of a' } });
  await shortly(async () => expect(await says(c, 'of a')).toEqual({ k: 'ours' }));
  await settled(a, c);
  await shortly(async () => expect((await statusOf(a)).namespaces).toMatchObject([{ shared: true }]));

  await choose(a, 'team', false);
  expect((await statusOf(a)).stays).toMatchObject([{ namespace: 'team', shared: true, role: 'owner' }]);
  await expect(a.call(shareNamespace, { body: { namespace: 'team', role: 'viewer' } })).rejects.toMatchObject(
    { code: 'conflict', message: expect.stringContaining('reverie sync on team') as string },
  );

  // A viewer who had it off has what the others say once it is on again; what was written here meanwhile is kept as a conflict.
  await choose(c, 'of a', false);
  await set(c, ['of a', 'k'], 'mine, Dr-Zed');
  await choose(c, 'of a', true);
  await settled(c);
  await shortly(async () => expect(await says(c, 'of a')).toEqual({ k: 'ours' }));
  expect(await conflictsOf(c)).toEqual([['k', 'mine, Dr-Zed', 'ours']]);
  expect(await onRelay('Dr-Zed')).toEqual([]);

  await choose(c, 'of a', false);
  const { members } = await c.call(listMembers, { query: { namespace: 'of a' } });
  const you = members.find(({ self }) => self)?.id ?? '';
  for (const device of [a, c]) device.clock.advance(1000);
  await c.call(removeMember, { params: { id: you }, query: { namespace: 'of a' } });
  expect((await statusOf(c)).stays).toMatchObject([{ namespace: 'of a', on_relay: false, shared: false }]);
  await c.restart();
  await settled(c);
  expect([await stays(c), await synced(c)]).toEqual([['of a'], []]);
  await shortly(async () =>
    expect((await a.call(listMembers, { query: { namespace: 'team' } })).members).toHaveLength(1),
  );
});

test('what cannot be meant is refused with the field and what is allowed', async () => {
  const link = (given: object) =>
    a.call(linkDevice, { body: { relay: relay.origin, email: 'a@example.org', ...given } });
  await expect(link({ namespaces: 'some' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(link({ namespaces: { only: [] } })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(link({ new_namespaces: 'stay' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(
    a.call(changeNamespace, { params: { namespace: 'x' }, body: { remove_from_relay: true } }),
  ).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(takeOff(a, 'x')).rejects.toMatchObject({
    code: 'not_linked',
  });
});

test('a home that is unlinked and linked again in one run says the same as the others, and so do they', async () => {
  await linkFirst();
  await linkNext(b);
  const keys = Array.from({ length: 100 }, (_, n) => `k${n}`);
  for (const key of keys) await set(b, ['work', key], 'first');
  await settled(a, b);
  await b.call(unlinkDevice, {});
  b.clock.advance(60_000);
  for (const key of keys.slice(0, 50)) await set(b, ['work', key], 'second');
  await linkNext(b);
  await settled(a, b);
  const all = Object.fromEntries(keys.map((key, n) => [key, n < 50 ? 'second' : 'first']));
  for (const device of [a, b]) await shortly(async () => expect(await says(device, 'work')).toEqual(all));
  // It had what it wrote over, and the others only had less.
  for (const device of [a, b]) expect(await conflictsOf(device)).toEqual([]);
});

test('who leaves and joins again gets what the others say now, and no conflict of what they said before', async () => {
  await linkFirst();
  await c.call(linkDevice, { body: { relay: relay.origin, email: 'c@example.org', name: 'c' } });
  for (let n = 0; n < 5; n += 1) await set(a, ['team', 'often'], `said ${n}`);
  const invite = async () =>
    (await a.call(shareNamespace, { body: { namespace: 'team', role: 'editor' } })).invite;
  await c.call(joinNamespace, { body: { invite: await invite(), namespace: 'team' } });
  await shortly(async () => expect(await says(c, 'team')).toEqual({ often: 'said 4' }));
  await set(c, ['team', 'of c'], 'mine');
  await settled(a, c);

  const { members } = await c.call(listMembers, { query: { namespace: 'team' } });
  const you = members.find(({ self }) => self)?.id ?? '';
  for (const device of [a, c]) device.clock.advance(1000);
  await c.call(removeMember, { params: { id: you }, query: { namespace: 'team' } });
  for (const device of [a, c]) device.clock.advance(60_000);
  for (let n = 5; n < 9; n += 1) await set(a, ['team', 'often'], `said ${n}`);
  await set(c, ['team', 'of c'], 'mine, while away');
  await c.call(joinNamespace, { body: { invite: await invite(), namespace: 'team' } });
  await settled(a, c);
  for (const device of [a, c])
    await shortly(async () =>
      expect(await says(device, 'team')).toEqual({ often: 'said 8', 'of c': 'mine, while away' }),
    );
  expect([await conflictsOf(a), await conflictsOf(c)]).toEqual([[], []]);
});

test('what stays here never goes into a room of others that is called the same', async () => {
  await linkFirst();
  await linkNext(b);
  await set(b, ['diary', 'therapist'], 'Dr-Zed');
  await choose(b, 'diary', false);
  await b.call(changeLink, { body: { new_namespaces: 'stay' } });
  await c.call(linkDevice, { body: { relay: relay.origin, email: 'c@example.org', name: 'c' } });
  await set(c, ['diary', 'k'], 'of c');
  await settled(c);
  const { invite } = await c.call(shareNamespace, { body: { namespace: 'diary', role: 'editor' } });
  await a.call(joinNamespace, { body: { invite, namespace: 'diary' } });
  await shortly(async () => expect(await says(a, 'diary')).toEqual({ k: 'of c' }));
  await shortly(async () => expect(await stays(b)).toEqual(['diary', 'diary-2']));

  await choose(b, 'diary', true);
  await choose(b, 'diary-2', true);
  await settled(a, b, c);
  await shortly(async () => expect(await says(b, 'diary-2')).toEqual({ k: 'of c' }));
  expect(await says(b, 'diary')).toEqual({ therapist: 'Dr-Zed' });
  expect(await says(c, 'diary')).toEqual({ k: 'of c' });
});
