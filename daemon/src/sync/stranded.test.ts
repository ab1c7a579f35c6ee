import type { AccountId } from '@reverie/shared/accounts/caller';
import { setMemory } from '@reverie/shared/contract/memories';
import { listConflicts } from '@reverie/shared/contract/conflicts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { insertLink } from './link.store.ts';
import { findSynced, insertSynced, memoriesAfter, saveSyncedRow } from './namespaces.store.ts';
import { createOutbox } from './outbox.ts';
import { strandWrites } from './stranded.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

test('who may only read from now on, in the middle of a first upload, keeps what was not uploaded as conflicts', async () => {
  for (const key of ['a', 'b', 'c'])
    await daemon.call(setMemory, { body: { key, value: `value of ${key}`, namespace: 'team' } });
  daemon.withStore((store) => {
    const id = store.write((db) => {
      const account = db
        .prepare<[], { id: AccountId }>("SELECT id FROM accounts WHERE kind = 'machine'")
        .get()?.id;
      if (account === undefined) throw new Error('there is one');
      insertLink(db, {
        ...{ account, relay: 'http://127.0.0.1:1', email: null, device: 'here', device_name: 'here' },
        ...{ request: null, number: null, expires_at: null, confirm_by: null, linked_at: 1 },
      });
      const row = insertSynced(db, account, { name: 'team', memories: 3 });
      const [first] = memoriesAfter(db, account, { name: 'team', after: 0, limit: 1 });
      // The first one is in the outbox, and was changed since.
      saveSyncedRow(db, row.id, { upload_after: first?.id ?? 0, upload_done: 1 });
      const { key = '', ...content } = first ?? {};
      createOutbox({
        clock: daemon.clock,
        linked: () => account,
        isApplying: () => false,
        wake: () => undefined,
      }).wrote(db, { account, namespace: 'team', key }, { ...content, value: 'changed' } as never);
      return row.id;
    });
    strandWrites({ store, replicas: { incarnation: 'run', forget: () => undefined }, now: 5 }, id);
    // Their rows go when the log is read: it knows nothing of them.
    expect(store.read((db) => findSynced(db, id))).toMatchObject({
      ...{ rebuild: 1, upload_after: null, upload_total: 0, upload_done: 0 },
    });
  });
  const { conflicts } = await daemon.call(listConflicts, { query: {} });
  expect(conflicts.map(({ key, value, reason }) => [key, value, reason]).sort()).toEqual([
    ['a', 'changed', 'downgraded'],
    ['b', 'value of b', 'downgraded'],
    ['c', 'value of c', 'downgraded'],
  ]);
});
