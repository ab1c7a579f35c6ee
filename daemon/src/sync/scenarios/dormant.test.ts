import * as memories from '@reverie/shared/contract/memories/memories';
import * as sync from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

const rowsOfSync = () =>
  daemon.withStore((store) =>
    store.read((db) =>
      ['sync_links', 'sync_namespaces', 'sync_outbox', 'sync_sends', 'sync_updates'].map(
        (table) => db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
      ),
    ),
  );

test('a home that was never linked says that it is dormant, and keeps nothing for sync', async () => {
  await daemon.call(memories.setMemory, { body: { key: 'a', value: 'one' } });
  await daemon.call(memories.setMemory, { body: { key: 'b', value: 'two' } });
  await daemon.call(memories.deleteMemory, { body: { key: 'a' } });
  const status = await daemon.call(sync.syncStatus, {});
  expect(status).toMatchObject({
    memories: 1,
    state: 'dormant',
    daemon_live: false,
    pending: 0,
    relay: null,
  });
  expect(status.last_update).toBe(new Date(daemon.clock.now()).toISOString());
  expect(await daemon.call(sync.triggerSync, {})).toEqual({ ok: false, status: 'sync_not_active' });
  await daemon.call(memories.clearNamespace, { body: { namespace: 'default' } });
  expect(rowsOfSync()).toEqual([0, 0, 0, 0, 0]);
});

test('what needs a link says how to make one', async () => {
  for (const asked of [
    { path: '/v1/sync/link', method: 'DELETE' },
    { path: '/v1/sync/pair', method: 'POST' },
    { path: '/v1/sync/devices' },
    { path: '/v1/sync/pause', body: { paused: true } },
    { path: '/v1/sync/rebuild', method: 'POST' },
    { path: '/v1/namespaces/share', body: { namespace: 'default' } },
    { path: '/v1/namespaces/members' },
  ]) {
    const { status, json } = await daemon.ask(asked);
    expect([asked.path, status, json.code]).toEqual([asked.path, 409, 'not_linked']);
    expect(json.detail).toContain('reverie link');
  }
});

test('a relay that is not there is named, and nothing is linked', async () => {
  const body = { relay: 'http://127.0.0.1:9', email: 'me@example.org' };
  const { status, json } = await daemon.ask({ path: '/v1/sync/link', body });
  expect([status, json.code]).toEqual([503, 'relay_unreachable']);
  expect(json.detail).toContain('127.0.0.1:9');
  expect((await daemon.call(sync.syncStatus, {})).state).toBe('dormant');
  const wrong = await daemon.ask({ path: '/v1/sync/link', body: { relay: 'http://127.0.0.1:9' } });
  expect([wrong.status, wrong.json.errors?.[0]?.path]).toEqual([400, 'email']);
});

test('a relay is reached by https, or on this machine: plain http elsewhere is refused, with what to do', async () => {
  const link = (relay: string) =>
    daemon.ask({ path: '/v1/sync/link', method: 'POST', body: { relay, email: 'a@example.org' } });
  for (const relay of [
    'http://relay.invalid',
    'http://192.168.1.5:8787',
    'http://127.0.0.1.evil.invalid',
    'http://localhost.invalid:8787',
  ]) {
    const { status, json } = await link(relay);
    expect([relay, status, json.code]).toEqual([relay, 400, 'invalid_request']);
    expect(json['detail']).toContain('https');
    expect(json['detail']).toContain('ssh -L');
  }
  // Nobody listens there, which is another answer.
  for (const relay of ['https://relay.invalid', 'http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1'])
    expect([relay, (await link(relay)).json.code]).toEqual([relay, 'relay_unreachable']);
  expect(rowsOfSync()).toEqual([0, 0, 0, 0, 0]);
});
