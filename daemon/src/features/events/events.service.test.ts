import type { AccountId } from '@reverie/shared/accounts/caller';
import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { insertAccount } from '../accounts/accounts.store.ts';
import { doingsSince } from './doings.store.ts';
import { createRecorder, sweepEvents } from './events.service.ts';
import { eventsAfter } from './events.store.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

let store: Store;
let clock: FakeClock;
let account: AccountId;
beforeEach(() => {
  forgotten = [];
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  clock = createFakeClock();
  account = store.write((db) =>
    insertAccount(db, { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: clock.now() }),
  );
  const record = createRecorder({ clock, written: () => undefined });
  store.write((db) =>
    record(db, {
      account,
      actor: { kind: 'system', id: 'test' },
      origin: 'local',
      type: 'memory.delete',
      namespace: 'n',
      key: 'k',
      before: { value: 'gone' },
      after: null,
    }),
  );
});
afterEach(() => store.close());

let forgotten: number[];
const sweep = (isAwaited: boolean) =>
  sweepEvents({
    store,
    clock,
    retentionDays: 30,
    deliveries: { isAwaited: () => isAwaited, forget: (_db, _account, seq) => void forgotten.push(seq) },
  });
const ALL = {
  family: null,
  type: null,
  namespace: null,
  within: null,
  actorKind: null,
  actorId: null,
  limit: 10,
};
const events = () => store.read((db) => eventsAfter(db, { account, ...ALL }, 0));
const shown = () => events().map(({ data }) => data.before);

test('what was deleted is shown for a minute, and where a delivery of it waits, for a day and no longer', () => {
  clock.advance(MINUTE);
  sweep(false);
  expect(shown()).toEqual([{ value: 'gone' }]);
  clock.advance(1);
  sweep(true);
  expect(shown()).toEqual([{ value: 'gone' }]);
  clock.advance(DAY - MINUTE - 1);
  sweep(true);
  expect(shown()).toEqual([{ value: 'gone' }]);
  clock.advance(1);
  sweep(true);
  expect(shown()).toEqual([null]);
  expect(forgotten).toHaveLength(1);
});

test('what was deleted is shown until its words are out of the text index, too', () => {
  const hasWords = (sql: string) => store.write((db) => db.exec(sql));
  hasWords(`INSERT INTO removed_chunks (chunk, account) VALUES (1, ${account})`);
  clock.advance(MINUTE + 1);
  sweep(false);
  expect(shown()).toEqual([{ value: 'gone' }]);
  hasWords('DELETE FROM removed_chunks');
  sweep(false);
  expect(shown()).toEqual([null]);
});

test('once it was delivered it is not shown for longer than a minute, and an old event is dropped', () => {
  clock.advance(MINUTE + 1);
  sweep(false);
  expect(shown()).toEqual([null]);
  clock.advance(30 * DAY);
  sweep(false);
  expect(events()).toEqual([]);
});

test('of what was done only the newest events are read, also for a key that may see few of them', () => {
  const record = createRecorder({ clock, written: () => undefined });
  for (let at = 0; at < 3; at += 1) {
    clock.advance(1);
    store.write((db) =>
      record(db, {
        account,
        actor: { kind: 'system', id: 'test' },
        origin: 'local',
        type: 'memory.write',
        namespace: 'busy',
        key: 'k',
        before: null,
        after: { value: 'made' },
      }),
    );
  }
  const within = JSON.stringify(['n']);
  const done = (limit: number, reach: string | null) =>
    store.read((db) => doingsSince(db, { account, within: reach, since: 0, limit }));
  expect(done(4, within)).toMatchObject([{ namespace: 'n', deleted: 1 }]);
  expect(done(3, within)).toEqual([]);
  expect(done(3, null)).toMatchObject([{ namespace: 'busy', wrote: 3 }]);
});
