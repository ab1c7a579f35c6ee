import type { AccountId } from '@reverie/shared/accounts/caller';
import { acceptInsight } from '@reverie/shared/contract/dreams/dreams';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { listTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { proposeIn } from '../../features/dreams/testing.ts';
import { tram, VALUES } from '../../features/dreams/testing/merging.ts';
import { createRecorder } from '../../features/events/events.service.ts';
import { findMemory } from '../../features/memories/memories.store.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { insertLink } from '../link.store.ts';
import { insertSynced, saveSyncedRow } from '../namespaces/namespaces.store.ts';
import { says } from '../testing/linked-devices.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

/** Links the daemon to a relay that is not there; the namespace may only be read from now on. */
async function readOnly(name: string): Promise<void> {
  daemon.withStore((store) =>
    store.write((db) => {
      const account = db
        .prepare<[], { id: AccountId }>("SELECT id FROM accounts WHERE kind = 'machine'")
        .get();
      if (!account) throw new Error('there is one');
      insertLink(db, {
        account: account.id,
        relay: 'http://127.0.0.1:1',
        email: null,
        device: 'here',
        device_name: 'here',
        request: null,
        number: null,
        expires_at: null,
        confirm_by: null,
        linked_at: 1,
      });
      const row = insertSynced(db, account.id, { name, memories: 0 });
      saveSyncedRow(db, row.id, { role: 'viewer', room: 'rm' });
    }),
  );
  // As it is linked from now on.
  await daemon.restart();
}

test('what expires in a namespace that may only be read goes here, and holds up nothing else that expires', async () => {
  const expires_at = new Date(daemon.clock.now() + 60_000).toISOString();
  for (const namespace of ['team', 'default'])
    await daemon.call(setMemory, { body: { key: 'k', value: 'v', namespace, expires_at } });
  await readOnly('team');
  expect([await says(daemon, 'team'), await says(daemon)]).toEqual([{ k: 'v' }, { k: 'v' }]);
  await expect(
    daemon.call(setMemory, { body: { key: 'k', value: 'w', namespace: 'team' } }),
  ).rejects.toThrow();
  daemon.clock.advance(60_000);
  expect([await says(daemon, 'team'), await says(daemon)]).toEqual([{}, {}]);
});

test('so does what was in the trash for long enough', async () => {
  for (const namespace of ['team', 'default'])
    await daemon.call(setMemory, { body: { key: 'k', value: 'v', namespace } });
  const items = ['team', 'default'].map((namespace) => ({ namespace, key: 'k' }));
  await daemon.call(trashMemories, { body: { items } });
  await readOnly('team');
  daemon.clock.advance(31 * 24 * 3_600_000);
  expect(await daemon.call(listTrash, { query: {} })).toMatchObject({ memories: [], total: 0 });
});

test('so does what an accepted insight rests on, and the insight says that it is gone', async () => {
  const expires_at = new Date(daemon.clock.now() + 60_000).toISOString();
  for (const [key, value] of Object.entries(VALUES))
    await daemon.call(setMemory, { body: { key, value, namespace: 'n', expires_at } });
  await daemon.call(setMemory, { body: { key: 'other', value: 'v', expires_at } });
  const record = createRecorder({ clock: daemon.clock, written: () => undefined });
  const id = proposeIn(
    { ...daemon, find: findMemory, record },
    {
      strategy: 'connect',
      title: 'The tram',
      body: 'It leaves.',
      content: 'It leaves.',
      evidence: tram,
      confidence: 0.9,
    },
  );
  await daemon.call(acceptInsight, { params: { id } });
  await readOnly('n');
  daemon.clock.advance(60_000);
  expect(Object.keys(await says(daemon, 'n'))).toEqual([`dream:${id}`]);
  expect(await says(daemon)).toEqual({});
  const kept = await daemon.call(getMemory, { body: { key: `dream:${id}`, namespace: 'n' } });
  expect(kept.metadata).toMatchObject({ stale: ['c'] });
});
