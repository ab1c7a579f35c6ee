import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { NewEvent } from '../../db/change.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { insertAccount } from '../../features/accounts/accounts.store.ts';
import { logEnds } from '../../features/events/events.store.ts';
import { createFollowers } from './followers.ts';

const clock = createFakeClock();
let store: Store;
let account: AccountId;

beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations(), now: clock.now });
  account = store.write((db) =>
    insertAccount(db, { public_id: 'acc_one', kind: 'machine', tier: 'pro', created_at: clock.now() }),
  );
});
afterEach(() => store.close());

const event = (): NewEvent => ({
  account,
  type: 'memory.write',
  namespace: 'home',
  key: null,
  before: null,
  after: null,
  actor: { kind: 'system', id: 'test' },
  origin: 'local',
});

it('tells them in the order of the list, once the event is on disk', () => {
  const followers = createFollowers({ clock });
  const told: string[] = [];
  const events = () => store.read((db) => logEnds(db).newest);
  const before = events();
  followers.join(
    { written: () => told.push(events() === before ? 'first, too early' : 'first') },
    { written: () => told.push('second') },
  );
  store.write((db) => {
    followers.record(db, event());
    told.push('in the transaction');
  });
  expect(told).toEqual(['in the transaction', 'first', 'second']);
});

it('tells nobody of a change that is undone', () => {
  const followers = createFollowers({ clock });
  const told: string[] = [];
  followers.join({ written: () => told.push('written') });
  const before = store.read((db) => logEnds(db).newest);
  const undone = () =>
    store.write((db) => {
      followers.record(db, event());
      throw new Error('too much');
    });
  expect(undone).toThrow('too much');
  expect(told).toEqual([]);
  expect(store.read((db) => logEnds(db).newest)).toBe(before);
});

it('tells each of what was derived, in order, by the ports that it has', () => {
  const followers = createFollowers({ clock });
  const told: string[] = [];
  followers.join(
    { derived: { cleared: () => told.push('dreams'), deleted: () => told.push('dreams: deleted') } },
    { derived: { cleared: () => told.push('receipts') } },
  );
  store.write((db) => {
    followers.derived.cleared(db, { account, namespace: 'home' });
    followers.derived.deleted(db, { id: 1 });
    followers.derived.trashed(db, { id: 1 });
  });
  expect(told).toEqual(['dreams', 'receipts', 'dreams: deleted']);
});

it('refuses a write before it is known who follows, and a second list', () => {
  const followers = createFollowers({ clock });
  expect(() => store.write((db) => followers.record(db, event()))).toThrow(/before it was known/);
  followers.join();
  expect(() => followers.join()).toThrow(/once/);
});
