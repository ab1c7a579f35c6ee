import { setMemory } from '@reverie/shared/contract/memories/memories';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call } from '../../../cloud/src/testing/device.ts';
import { startRelay, type TestRelay } from '../../../cloud/src/testing/relay.ts';
import { says, statusOf } from '../sync/testing/linked-devices.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { has, like, run } from './fake-terminal.ts';

let relay: TestRelay;
let ada: TestDaemon;
let ben: TestDaemon;
beforeEach(async () => {
  relay = await startRelay({});
  [ada, ben] = await Promise.all([startTestDaemon(), startTestDaemon()]);
  for (const [daemon, name] of [
    [ada, 'ada'],
    [ben, 'ben'],
  ] as const)
    await daemon.call(linkDevice, { body: { relay: relay.origin, email: `${name}@example.org`, name } });
  for (const link of relay.links())
    await call(relay.origin, {
      method: 'POST',
      path: '/auth/confirm',
      body: { token: new URL(link).searchParams.get('token') },
    });
  await ada.call(setMemory, { body: { namespace: 'project', key: 'plan', value: 'walk' } });
});
afterEach(async () => {
  await Promise.all([ada.stop(), ben.stop()]);
  await relay.stop();
});

const reverie = (daemon: TestDaemon, ...args: string[]) => run({ home: daemon.home.folder }, ...args);
const share = (...args: string[]) => reverie(ada, 'share', 'project', ...args);
const rowsOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((row) => row.split('\t'));

async function letIn(...options: string[]): Promise<void> {
  const { out } = await share(...options);
  expect(await reverie(ben, 'join', out.trim(), '--as', 'acme')).toMatchObject({ code: 0 });
  await expect.poll(() => says(ben, 'acme')).toEqual({ plan: 'walk' });
}

test('a member is named by e-mail: made an editor, a viewer again, and taken out; what became of invites is said', async () => {
  // It is synced once its room is there.
  await expect.poll(() => share('--invites')).toMatchObject({ code: 0, err: 'No invite is open.\n' });
  await letIn();
  expect(await share('--change', 'ben@example.org')).toMatchObject({ code: 2, err: has('--role viewer') });
  expect(await share('--change', 'bob@example.org', '--role', 'editor')).toMatchObject({
    code: 1,
    err: like(/in it are (ada|ben)@example\.org, (ada|ben)@example\.org/),
  });
  expect(await share('--change', 'Ben@example.org', '--role', 'editor')).toMatchObject({
    code: 0,
    out: 'ben@example.org is editor now, on all their devices.\n',
  });
  await share('--role', 'editor');
  await share();
  expect(await share('--change', 'ben@example.org', '--role', 'viewer')).toMatchObject({
    code: 0,
    out: has('viewer now, on all their devices. 1 open invite for editors stopped working'),
  });
  const members = rowsOf((await share('--members')).out);
  expect(members.map(([, email, role]) => [email, role]).sort()).toEqual([
    ['ada@example.org (you)', 'owner'],
    ['ben@example.org', 'viewer'],
  ]);
  expect(await share('--remove', 'ben@example.org')).toMatchObject({
    code: 0,
    out: has('removed; what they have stays with them. 1 open invite stopped working'),
  });
  await expect.poll(async () => (await statusOf(ben)).lost.length).toBe(1);
  expect(await share('--members', '--invites')).toMatchObject({ code: 2 });
});

test('open invites are listed and made void one by one; one that is for an address says so', async () => {
  await share('--email', 'ben@example.org', '--role', 'editor');
  await share('--days', '1');
  const rows = rowsOf((await share('--invites')).out).sort(([, a = ''], [, b = '']) => a.localeCompare(b));
  expect(rows.map(([, whom, role, left]) => [whom, role, left])).toEqual([
    ['ben@example.org', 'editor', '1'],
    ['whoever has the link', 'viewer', '1'],
  ]);
  const id = rows[1]?.[0] ?? '';
  expect(await share('--revoke', id)).toMatchObject({ code: 0, out: has('lets nobody in any more') });
  expect(await share('--revoke', id)).toMatchObject({ code: 1, err: has('no open invite') });
  expect(rowsOf((await share('--invites')).out)).toHaveLength(1);
  expect(await share('--email', 'nobody')).toMatchObject({ code: 2, err: has('email') });
});

test('a namespace that is not there is not shared: the nearest is named', async () => {
  expect(await reverie(ada, 'share', 'projcet')).toMatchObject({
    code: 1,
    err: has('There is no namespace "projcet" here; nothing was shared. The nearest is project'),
  });
  expect(await reverie(ada, 'share', 'zzzzzz')).toMatchObject({ code: 1, err: has('reverie namespaces') });
});

test('who leaves is told what is true of them; an owner hands it over, or ends it for all', async () => {
  await letIn();
  expect(await reverie(ben, 'leave', 'acme')).toMatchObject({ code: 2, err: has('--yes') });
  const left = await reverie(ben, 'leave', 'acme', '--yes');
  expect(left).toMatchObject({ code: 0, out: has('You left acme') });
  expect(left.out).not.toMatch(/invite/i);
  expect(await says(ben, 'acme')).toEqual({ plan: 'walk' });
  await letIn('--role', 'editor');
  expect(await reverie(ada, 'leave', 'project', '--yes')).toMatchObject({
    code: 1,
    err: has('--to MEMBER or --end'),
  });
  expect(await share('--owner', 'ben@example.org')).toMatchObject({ code: 2 });
  expect(await share('--owner', 'ben@example.org', '--yes')).toMatchObject({
    code: 0,
    out: 'ben@example.org owns project now; you are an editor.\n',
  });
  await expect
    .poll(async () => (await statusOf(ben)).namespaces.find((one) => one.namespace === 'acme')?.role)
    .toBe('owner');
  expect(await reverie(ben, 'leave', 'acme', '--to', 'ada@example.org', '--yes')).toMatchObject({
    code: 0,
    out: has('ada@example.org owns it now.'),
  });
  await expect
    .poll(async () => (await statusOf(ada)).namespaces.find((one) => one.namespace === 'project')?.role)
    .toBe('owner');
  expect(await reverie(ada, 'leave', 'project', '--end', '--yes')).toMatchObject({
    code: 0,
    out: has('ended for all'),
  });
  expect(await says(ada, 'project')).toEqual({ plan: 'walk' });
});
