import { listEvents } from '@reverie/shared/contract/events/events';
import { clearNamespace, deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import * as sync from '@reverie/shared/contract/sync/sync';
import { listDevices, pairDevice, removeDevice } from '@reverie/shared/contract/sync/devices';
import * as sharing from '@reverie/shared/contract/sync/sharing';
import { listConflicts, restoreConflict } from '@reverie/shared/contract/sync/conflicts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../daemon/src/cli/fake-terminal.ts';
import { startSyncWorld, type SyncWorld, type TestDevice, together } from '../devices.ts';

let world: SyncWorld;
let a: TestDevice;
let b: TestDevice;

const set = (device: TestDevice, key: string, value: string) =>
  device.call(setMemory, { body: { key, value } });
const tellTeam = (device: TestDevice, value: string) =>
  device.call(setMemory, { body: { key: 'plan', value, namespace: 'team' } });
const remove = (device: TestDevice, key: string) => device.call(deleteMemory, { body: { key } });
const pause = (device: TestDevice, paused: boolean) => device.call(sync.pauseSync, { body: { paused } });

/** Links the first device by e-mail and the second one by a code. */
async function linkBoth(): Promise<void> {
  await a.call(sync.linkDevice, { body: { relay: world.relay, email: 'me@example.org', name: 'a' } });
  const { code } = await a.call(pairDevice, {});
  await b.call(sync.linkDevice, { body: { relay: world.relay, code, name: 'b' } });
}

beforeEach(async () => {
  world = await startSyncWorld();
  [a, b] = [await world.device(), await world.device()];
});
afterEach(() => world.stop());

test('two homes become one: what each had, and what each writes from then on', async () => {
  await set(a, 'from a', 'one');
  await set(a, 'both', 'older');
  await set(b, 'from b', 'two');
  await set(b, 'both', 'newer');
  await linkBoth();
  expect(await together([a, b])).toEqual({ 'from a': 'one', 'from b': 'two', both: 'newer' });

  // The version that lost is kept, and can come back.
  const { conflicts } = await a.call(listConflicts, { query: {} });
  expect(conflicts.map(({ key, value, current, reason }) => [key, value, current, reason])).toEqual([
    ['both', 'older', 'newer', 'lost'],
  ]);
  await a.call(restoreConflict, { params: { id: conflicts[0]?.id ?? '' } });
  expect((await together([a, b]))['both']).toBe('older');

  await set(a, 'new', 'of a');
  await remove(b, 'from a');
  expect(await together([a, b])).toEqual({ 'from b': 'two', both: 'older', new: 'of a' });
  const { events } = await b.call(listEvents, { query: { limit: 1000 } });
  const written = events.filter(({ type }) => type === 'memory.write').at(-1);
  expect([written?.data.after?.['key'], written?.actor.kind]).toEqual(['new', 'device']);

  const status = await a.status();
  expect(status.peers.map(({ name }) => name)).toEqual(['b']);
  expect(status).toMatchObject({ daemon_live: true, upload: null, download: null, quarantined: 0 });
  expect(await a.call(sync.rebuildSync, {})).toEqual({ memories: 3, differed: 0 });
  expect(await a.call(sync.triggerSync, {})).toEqual({ ok: true, status: 'synced' });
});

test('changes on both sides while they are apart: newest wins, an overwrite beats a deletion, a clear is for all before it', async () => {
  await set(a, 'k', 'first');
  await set(a, 'gone', 'first');
  await set(a, 'kept', 'first');
  await linkBoth();
  await together([a, b]);

  await pause(a, true);
  await pause(b, true);
  expect(await a.call(sync.triggerSync, {})).toEqual({ ok: false, status: 'sync_not_active' });
  await set(b, 'kept', 'overwritten');
  await set(a, 'k', 'older');
  await set(b, 'k', 'newer');
  await remove(a, 'gone');
  await remove(a, 'kept');
  expect(await a.status()).toMatchObject({ state: 'dormant', paused: true, pending: 3 });
  await pause(a, false);
  await pause(b, false);
  expect(await together([a, b])).toEqual({ k: 'newer', kept: 'overwritten' });

  await pause(b, true);
  await set(b, 'before the clear', 'written apart');
  await a.call(clearNamespace, { body: { namespace: 'default' } });
  await set(a, 'after the clear', 'stays');
  await pause(b, false);
  expect(await together([a, b])).toEqual({ 'after the clear': 'stays' });
});

test('a removed device is told so and keeps what it has; unlinking keeps it, too', async () => {
  await linkBoth();
  await set(a, 'k', 'v');
  await together([a, b]);
  const { devices } = await a.call(listDevices, {});
  expect(devices.map(({ name, self, status }) => [name, self, status]).sort()).toEqual([
    ['a', true, 'active'],
    ['b', false, 'active'],
  ]);
  await a.call(removeDevice, { params: { id: devices.find(({ self }) => !self)?.id ?? '' } });
  await expect.poll(async () => (await b.status()).state).toBe('unauthorized');
  await set(b, 'later', 'not sent');
  expect(await b.status()).toMatchObject({ pending: 1, daemon_live: false, error: { code: 'revoked' } });
  expect(await b.call(sync.unlinkDevice, {})).toMatchObject({ success: true, unsent: 1 });
  expect(await b.says('default')).toEqual({ k: 'v', later: 'not sent' });
  expect((await b.status()).state).toBe('dormant');
});

test('somebody else joins a namespace: a viewer reads, is refused to write, and leaves with what was read', async () => {
  await a.call(sync.linkDevice, { body: { relay: world.relay, email: 'me@example.org', name: 'a' } });
  await b.call(sync.linkDevice, { body: { relay: world.relay, email: 'you@example.org', name: 'b' } });
  await tellTeam(a, 'the first one');
  const { invite } = await a.call(sharing.shareNamespace, { body: { namespace: 'team', role: 'viewer' } });
  const joined = await b.call(sharing.joinNamespace, { body: { invite, namespace: 'from me' } });
  expect(joined).toEqual({ success: true, namespace: 'from me', role: 'viewer' });
  await expect.poll(() => b.says('from me')).toEqual({ plan: 'the first one' });
  await expect(
    b.call(setMemory, { body: { key: 'plan', value: 'mine', namespace: 'from me' } }),
  ).rejects.toMatchObject({
    status: 403,
    code: 'forbidden_role',
  });
  await set(b, 'own', 'private');
  await tellTeam(a, 'the second one');
  await expect.poll(() => b.says('from me')).toEqual({ plan: 'the second one' });
  expect(await a.says('default')).toEqual({});

  const { members } = await a.call(sharing.listMembers, { query: { namespace: 'team' } });
  expect(members.map(({ email, role, self }) => [email, role, self])).toEqual([
    ['me@example.org', 'owner', true],
    ['you@example.org', 'viewer', false],
  ]);
  const you = members.find(({ self }) => !self)?.id ?? '';
  await a.call(sharing.removeMember, { params: { id: you }, query: { namespace: 'team' } });
  await expect
    .poll(async () => (await b.status()).namespaces.map(({ namespace }) => namespace))
    .toEqual(['default']);
  expect(await b.says('from me')).toEqual({ plan: 'the second one' });
});

test('the command that share prints is the one that joins', async () => {
  await a.call(sync.linkDevice, { body: { relay: world.relay, email: 'me@example.org', name: 'a' } });
  await b.call(sync.linkDevice, { body: { relay: world.relay, email: 'you@example.org', name: 'b' } });
  await tellTeam(a, 'we meet on Monday');
  const shared = await run({ home: a.folder }, 'share', 'team');
  const told = /`reverie join "(.+)"`/.exec(shared.err)?.[1];
  expect(`${told ?? shared.err}\n`).toBe(shared.out);
  expect((await run({ home: b.folder }, 'join', told ?? '', '--as', 'theirs')).code).toBe(0);
  await expect.poll(() => b.says('theirs')).toEqual({ plan: 'we meet on Monday' });
});

test('what happens to be called like a namespace of others is not sent to them; who links anew goes on with theirs', async () => {
  await a.call(sync.linkDevice, { body: { relay: world.relay, email: 'me@example.org', name: 'a' } });
  await b.call(sync.linkDevice, { body: { relay: world.relay, email: 'you@example.org', name: 'b' } });
  await tellTeam(a, 'for all of us');
  const { invite } = await a.call(sharing.shareNamespace, { body: { namespace: 'team', role: 'editor' } });
  await b.call(sharing.joinNamespace, { body: { invite, namespace: 'team' } });
  await expect.poll(() => b.says('team')).toEqual({ plan: 'for all of us' });

  // Another machine of the one who joined has notes of its own under that name.
  const c = await world.device();
  await c.call(setMemory, { body: { key: 'diary', value: 'private', namespace: 'team' } });
  const { code } = await b.call(pairDevice, {});
  await c.call(sync.linkDevice, { body: { relay: world.relay, code, name: 'c' } });
  await expect.poll(() => c.says('team-2')).toEqual({ plan: 'for all of us' });
  await expect.poll(() => b.says('team-2')).toEqual({ diary: 'private' });
  expect(await c.says('team')).toEqual({ diary: 'private' });
  await tellTeam(a, 'changed');
  await expect.poll(() => c.says('team-2')).toEqual({ plan: 'changed' });
  expect(await a.says('team')).toEqual({ plan: 'changed' });

  await b.call(sync.unlinkDevice, {});
  const again = await c.call(pairDevice, {});
  await b.call(sync.linkDevice, { body: { relay: world.relay, code: again.code, name: 'b' } });
  await tellTeam(a, 'changed again');
  await expect.poll(() => b.says('team')).toEqual({ plan: 'changed again' });
  expect(await a.says('team')).toEqual({ plan: 'changed again' });
});
