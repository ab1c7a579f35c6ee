import fs from 'node:fs';
import path from 'node:path';
import { listConflicts } from '@reverie/shared/contract/conflicts';
import { pairDevice } from '@reverie/shared/contract/devices';
import {
  changeNamespace,
  clearNamespace,
  deleteMemory,
  listMemories,
  renameMemory,
  setMemory,
} from '@reverie/shared/contract/memories';
import { joinNamespace, listMembers, removeMember, shareNamespace } from '@reverie/shared/contract/sharing';
import { changeLink, linkDevice, type SyncStatus, unlinkDevice } from '@reverie/shared/contract/sync';
import { restoreTrashed, trashMemory } from '@reverie/shared/contract/trash';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRelay, type TestRelay } from '../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { says, statusOf } from './testing/linked-devices.ts';

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

const set = (device: TestDaemon, namespace: string, key: string, value: string) =>
  device.call(setMemory, { body: { namespace, key, value } });

type Chosen = Parameters<typeof linkFirst>[0];
const linkFirst = (given: { namespaces?: unknown; new_namespaces?: 'sync' | 'stay' } = {}) =>
  a.call(linkDevice, { body: { relay: relay.origin, email: 'a@example.org', name: 'a', ...given } as never });

async function linkNext(device: TestDaemon, given: Chosen = {}): Promise<SyncStatus> {
  const { code } = await a.call(pairDevice, {});
  return device.call(linkDevice, { body: { relay: relay.origin, code, name: 'next', ...given } as never });
}

const choose = (device: TestDaemon, namespace: string, sync: boolean, more: { remove_from_relay?: true } = {}) =>
  device.call(changeNamespace, { params: { namespace }, body: { sync, ...more } });

/** Waits until nothing is left to send or read on any of them. */
async function settled(...devices: TestDaemon[]): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const device of devices) {
        const { state, pending, behind, upload } = await statusOf(device);
        expect({ state, pending, behind, upload }).toEqual({ state: 'live', pending: 0, behind: 0, upload: null });
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
  (await device.call(listConflicts, { query: {} })).conflicts.map(({ key, value, current }) => [key, value, current]);

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
  await set(a, 'diary', 'therapist', 'My therapist is Dr-Zed.');
  await set(a, 'diary/2026', 'more', 'Dr-Zed said so.');
  await set(a, 'work', 'plan', 'Ship it on Monday-xyz.');
  const status = await linkFirst({ namespaces: { except: ['diary'] } });
  expect(status).toMatchObject({
    namespaces: [{ namespace: 'work' }],
    stays: [{ namespace: 'diary', on_relay: false }, { namespace: 'diary/2026' }],
    new_namespaces: 'sync',
  });
  await linkNext(b);
  await settled(a, b);

  await set(a, 'diary', 'therapist', 'Dr-Zed moved.');
  await set(a, 'diary/2027', 'new', 'Dr-Zed again.');
  await a.call(trashMemory, { body: { namespace: 'diary', key: 'therapist' } });
  await a.call(restoreTrashed, { body: { namespace: 'diary', key: 'therapist' } });
  await a.call(renameMemory, { body: { namespace: 'diary', key: 'therapist', to: { key: 'therapist-2' } } });
  await a.call(deleteMemory, { body: { namespace: 'diary', key: 'therapist-2' } });
  await a.call(clearNamespace, { body: { namespace: 'diary/2026' } });
  await set(a, 'diary', 'therapist', 'Dr-Zed, after the clear.');
  await set(a, 'later', 'one', 'Goes up.');
  await settled(a, b);
  expect(await synced(b)).toEqual(['later', 'work']);
  expect(await stays(a)).toEqual(['diary', 'diary/2026', 'diary/2027']);
  expect(await onRelay(...PLANTED, 'Monday-xyz')).toEqual(['Monday-xyz']);
});
