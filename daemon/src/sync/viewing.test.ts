import type { AccountId } from '@reverie/shared/accounts/caller';
import { setMemory } from '@reverie/shared/contract/memories';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { insertLink } from './link.store.ts';
import { insertSynced, saveSyncedRow } from './namespaces.store.ts';
import { says } from './testing/linked-devices.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

test('what expires in a namespace that may only be read goes here, and holds up nothing else that expires', async () => {
  const expires_at = new Date(daemon.clock.now() + 60_000).toISOString();
  for (const namespace of ['team', 'default'])
    await daemon.call(setMemory, { body: { key: 'k', value: 'v', namespace, expires_at } });
  daemon.withStore((store) =>
    store.write((db) => {
      const account = db
        .prepare<[], { id: AccountId }>("SELECT id FROM accounts WHERE kind = 'machine'")
        .get();
      if (!account) throw new Error('there is one');
      insertLink(db, {
        ...{ account: account.id, relay: 'http://127.0.0.1:1', email: null },
        ...{ device: 'here', device_name: 'here', request: null, number: null, expires_at: null },
        ...{ confirm_by: null, linked_at: 1 },
      });
      const row = insertSynced(db, account.id, { name: 'team', memories: 0 });
      saveSyncedRow(db, row.id, { role: 'viewer', room: 'rm' });
    }),
  );
  // As it is linked from now on.
  await daemon.restart();
  expect([await says(daemon, 'team'), await says(daemon)]).toEqual([{ k: 'v' }, { k: 'v' }]);
  await expect(
    daemon.call(setMemory, { body: { key: 'k', value: 'w', namespace: 'team' } }),
  ).rejects.toThrow();
  daemon.clock.advance(60_000);
  expect([await says(daemon, 'team'), await says(daemon)]).toEqual([{}, {}]);
});
