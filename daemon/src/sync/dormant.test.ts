import * as memories from '@reverie/shared/contract/memories';
import * as sync from '@reverie/shared/contract/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';

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
