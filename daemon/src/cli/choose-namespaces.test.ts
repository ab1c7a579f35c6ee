import { setMemory } from '@reverie/shared/contract/memories/memories';
import { type SyncStatus, syncStatus } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRelay, type TestRelay } from '../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { has, like, run } from './fake-terminal.ts';

let relay: TestRelay;
let daemon: TestDaemon;
beforeEach(async () => {
  relay = await startRelay();
  daemon = await startTestDaemon();
  for (const [namespace, value] of [
    ['diary', 'of today'],
    ['work', 'plan'],
    ['notes', 'n'],
  ] as const)
    await daemon.call(setMemory, { body: { namespace, key: 'k', value } });
});
afterEach(async () => {
  await daemon.stop();
  await relay.stop();
});

const reverie = (...args: string[]) => run({ home: daemon.home.folder }, ...args);
const link = (...args: string[]) => reverie('link', relay.origin, '--email', 'me@example.org', ...args);
const typing = (typed: string, ...args: string[]) =>
  run({ home: daemon.home.folder, typed }, 'link', relay.origin, '--email', 'me@example.org', ...args);

async function chosen() {
  const status: SyncStatus = await daemon.call(syncStatus, {});
  return {
    synced: status.namespaces.map(({ namespace }) => namespace).sort(),
    stays: status.stays.map(({ namespace }) => namespace),
    then: status.new_namespaces,
    relay: status.relay,
  };
}

test('where nobody can be asked, the link names what is here with its size, and links nothing', async () => {
  const refused = await link();
  expect(refused).toMatchObject({ code: 2, err: has('--all, --only work,notes, --except diary, or --none') });
  expect(refused.err).toContain('diary (1 memory, 8 bytes)');
  expect(refused.err).toContain('Who runs the relay can read what is synced');
  expect((await chosen()).relay).toBeNull();
});

test.each([
  { given: ['--all'], synced: ['diary', 'notes', 'work'], stays: [], then: 'sync' },
  { given: ['--none'], synced: [], stays: ['diary', 'notes', 'work'], then: 'stay' },
  { given: ['--only', 'work, notes'], synced: ['notes', 'work'], stays: ['diary'], then: 'stay' },
  {
    given: ['--except', 'diary', '--new', 'stay'],
    synced: ['notes', 'work'],
    stays: ['diary'],
    then: 'stay',
  },
])(
  'the options $given say what syncs, and the link says it again',
  async ({ given, synced, stays, then }) => {
    const linked = await link(...given);
    expect(linked).toMatchObject({ code: 0, out: has(`Linked to ${relay.origin}.`) });
    expect(linked.out).toMatch(
      synced.length === 0 ? /^Syncs +nothing yet$/m : new RegExp(`^Syncs +${synced[0]}`, 'm'),
    );
    expect(/^Stays here (.*)$/m.exec(linked.out)?.[1] ?? '').toBe(stays.join(', '));
    expect(linked.out).toMatch(then === 'sync' ? /^New ones +sync$/m : /^New ones +stay here$/m);
    expect(await chosen()).toEqual({ synced, stays, then, relay: relay.origin });
  },
);

test('two ways at once, and names that are none, are refused', async () => {
  expect(await link('--all', '--only', 'work')).toMatchObject({ code: 2 });
  expect(await link('--only', 'work,')).toMatchObject({ code: 2, err: has('"" is no namespace') });
  expect((await chosen()).relay).toBeNull();
});

test('a person is asked, again where the answer names nothing, and then what becomes of new ones', async () => {
  const linked = await typing('\n9\nall but 1, notes\nlater\nstay\n');
  expect(linked).toMatchObject({ code: 0, err: like(/1 {2}diary \(1 memory, 8 bytes\)/) });
  expect(linked.err).toContain('There is no "9"');
  expect(await chosen()).toEqual({
    synced: ['work'],
    stays: ['diary', 'notes'],
    then: 'stay',
    relay: relay.origin,
  });
});

test('who ends the question links nothing; the usual answer for new ones is taken by a return', async () => {
  expect(await typing('all\n')).toMatchObject({ code: 2, err: has('Nothing was linked') });
  expect((await chosen()).relay).toBeNull();
  expect(await typing('work\n\n')).toMatchObject({ code: 0 });
  expect(await chosen()).toMatchObject({ synced: ['work'], then: 'stay' });
});

test('on, off and new change it later, and the status names what stays here', async () => {
  await link('--all');
  expect((await reverie('sync', 'now')).code).toBe(0);
  const off = await reverie('sync', 'off', 'diary');
  expect(off).toMatchObject({
    code: 0,
    out: has('"diary" stays on this device.'),
    err: has('--remove-from-relay'),
  });
  expect((await reverie('sync')).out).toMatch(/^Stays here diary \(also on the relay\)/m);
  expect((await reverie('sync')).out).toContain('who runs it can read what is synced');
  expect(await reverie('sync', 'off', 'diary', '--remove-from-relay')).toMatchObject({ code: 0, err: '' });
  expect((await reverie('sync')).out).toMatch(/^Stays here diary: /m);
  expect(await reverie('sync', 'on', 'diary')).toMatchObject({ out: has('"diary" syncs on this device.') });
  expect(await reverie('sync', 'new', 'stay')).toMatchObject({ code: 0 });
  await daemon.call(setMemory, { body: { namespace: 'fresh', key: 'k', value: 'v' } });
  expect(await chosen()).toMatchObject({
    synced: ['diary', 'notes', 'work'],
    stays: ['fresh'],
    then: 'stay',
  });
  await reverie('unlink', '--yes');
  expect((await reverie('sync')).out).toContain('Stays here fresh');
});
