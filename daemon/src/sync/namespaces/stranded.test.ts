import type { AccountId } from '@reverie/shared/accounts/caller';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WriteDb } from '../../db/open-store.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { insertLink } from '../link.store.ts';
import { findSynced, insertSynced, memoriesAfter, saveSyncedRow } from './namespaces.store.ts';
import { createOutbox } from '../replica/outbox.ts';
import { listLost } from './lost.store.ts';
import { roomGone, strandWrites } from './stranded.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

function linkHere(db: WriteDb): AccountId {
  const account = db
    .prepare<[], { id: AccountId }>("SELECT id FROM accounts WHERE kind = 'machine'")
    .get()?.id;
  if (account === undefined) throw new Error('there is one');
  insertLink(db, {
    account,
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
  return account;
}

test.each([
  // Nothing of the first two was read yet: the room was made a moment ago, or is read anew.
  ['an own one that was seen in another log is made again', { role: 'owner', seen_in: 'then' }, 'made again'],
  ['an own one that was seen in this log', { role: 'owner', seen_in: 'now' }, 'deleted'],
  ['an own one, read in this log', { role: 'owner', seen_in: 'now', log_id: 'now' }, 'deleted'],
  ['an own one that is seen since the restore', { role: 'owner', seen_in: 'now', log_id: 'then' }, 'deleted'],
  ['an own one of an unknown log', { role: 'owner', seen_in: '' }, 'unsure'],
  ['an own one of before epochs', { role: 'owner', seen_in: '', log_id: 'before-epochs' }, 'unsure'],
  ["somebody else's, seen in another log", { role: 'editor', seen_in: 'then' }, 'restored'],
  ["somebody else's, seen in this log", { role: 'viewer', seen_in: 'now' }, 'ended'],
  ["somebody else's of an unknown log", { role: 'editor', seen_in: '' }, 'unsure'],
] as const)('a room that is gone: %s', (_what, seen, became) => {
  daemon.withStore((store) => {
    const { account, id } = store.write((db) => {
      const account = linkHere(db);
      const { id } = insertSynced(db, account, { name: 'team', memories: 0 });
      saveSyncedRow(db, id, { room: 'room', ...seen });
      return { account, id };
    });
    roomGone({ store, replicas: { forget: () => undefined }, now: 5 }, id, 'now');
    const row = store.read((db) => findSynced(db, id));
    const lost = store.read((db) => listLost(db, account));
    expect(row ? 'made again' : lost[0]?.reason).toBe(became);
    if (row) expect([row.room, lost]).toEqual([null, []]);
  });
});

test('who may only read from now on, in the middle of a first upload, keeps what was not uploaded as conflicts', async () => {
  for (const key of ['a', 'b', 'c'])
    await daemon.call(setMemory, { body: { key, value: `value of ${key}`, namespace: 'team' } });
  daemon.withStore((store) => {
    const id = store.write((db) => {
      const account = linkHere(db);
      const author = { account, actor: { kind: 'key', id: 'k' }, origin: 'local' } as const;
      const row = insertSynced(db, account, { name: 'team', memories: 3 });
      const [first] = memoriesAfter(db, account, { name: 'team', after: 0, limit: 1 });
      // The first one is in the outbox, and was changed since.
      saveSyncedRow(db, row.id, { upload_after: first?.id ?? 0, upload_done: 1 });
      const { key = '', ...content } = first ?? {};
      createOutbox({
        clock: daemon.clock,
        linked: () => account,
        wake: () => undefined,
      }).wrote(db, { author, namespace: 'team', key }, { ...content, value: 'changed' } as never);
      return row.id;
    });
    strandWrites({ store, replicas: { incarnation: 'run', forget: () => undefined }, now: 5 }, id);
    // Their rows go when the log is read: it knows nothing of them.
    expect(store.read((db) => findSynced(db, id))).toMatchObject({
      rebuild: 1,
      upload_after: null,
      upload_total: 0,
      upload_done: 0,
    });
  });
  const { conflicts } = await daemon.call(listConflicts, { query: {} });
  expect(conflicts.map(({ key, value, reason }) => [key, value, reason]).sort()).toEqual([
    ['a', 'changed', 'downgraded'],
    ['b', 'value of b', 'downgraded'],
    ['c', 'value of c', 'downgraded'],
  ]);
});
