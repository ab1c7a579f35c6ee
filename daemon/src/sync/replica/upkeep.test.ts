import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { insertAccount } from '../../features/accounts/accounts.store.ts';
import { insertLink } from '../link.store.ts';
import { findSynced, insertSynced, saveSyncedRow } from '../namespaces/namespaces.store.ts';
import { createUpkeep } from './upkeep.ts';

const clock = createFakeClock();
const MINUTE = 60_000;
let store: Store;
let namespaceId: number;
beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  store.write((db) => {
    const account: AccountId = insertAccount(db, {
      public_id: 'acc',
      kind: 'machine',
      tier: 'machine',
      created_at: 1,
    });
    insertLink(db, {
      account,
      relay: 'http://relay',
      email: null,
      device: 'here',
      device_name: 'here',
      request: null,
      number: null,
      expires_at: null,
      confirm_by: null,
      linked_at: 1,
    });
    namespaceId = insertSynced(db, account, { name: 'default', memories: 0 }).id;
  });
});
afterEach(() => store.close());

const calm = {
  isSettled: () => false,
  askEpoch: () => undefined,
  resent: new Map<number, number>(),
  isFull: () => false,
  logBytes: async () => 0,
  readAgain: () => undefined,
};
const idle = {
  rest: () => undefined,
  tidy: () => undefined,
  inspect: () => false,
  gaps: () => [],
  forget: () => undefined,
  readAnew: () => undefined,
};

test('in a log that is full an epoch is asked for, where it makes room, once a day, though nothing is settled', async () => {
  let bytes = 0;
  let isFull = true;
  let asked = 0;
  const upkeep = createUpkeep({
    store,
    clock,
    log: pino({ level: 'silent' }),
    replicas: idle,
    on: { ...calm, isFull: () => isFull, logBytes: async () => bytes, askEpoch: () => (asked += 1) },
  });
  const pass = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      clock.advance(60 * MINUTE);
      await upkeep.round();
    }
  };
  // As much as an empty namespace may take.
  bytes = 128 * 1024;
  await pass(1);
  expect(asked).toBe(0);
  bytes = 10 * 1024 * 1024;
  await pass(20);
  expect(asked).toBe(0);
  await pass(4);
  expect(asked).toBe(1);
  await pass(48);
  expect(asked).toBe(3);
  isFull = false;
  await pass(48);
  expect(asked).toBe(3);
  // Who may only read makes none.
  isFull = true;
  store.write((db) => saveSyncedRow(db, namespaceId, { role: 'viewer' }));
  await pass(48);
  expect(asked).toBe(3);
});

test('an update that is missing for good is asked for again and again, but more and more seldom', async () => {
  let since = clock.now();
  let readings = 0;
  const upkeep = createUpkeep({
    store,
    clock,
    log: pino({ level: 'silent' }),
    replicas: {
      ...idle,
      // The whole log was read, and it is still not there.
      gaps: () => [{ namespaceId, since }],
      forget: () => (since = clock.now()),
    },
    on: { ...calm, readAgain: () => (readings += 1) },
  });
  const pass = async (minutes: number) => {
    for (let half = 0; half < 2 * minutes; half += 1) {
      clock.advance(MINUTE / 2);
      await upkeep.round();
    }
  };
  await pass(1);
  expect(readings).toBe(1);
  await pass(2);
  expect(readings).toBe(2);
  await pass(24 * 60);
  // Every 60 s, that were 1,440 downloads of everything.
  expect(readings).toBeLessThan(14);
  const before = readings;
  await pass(2 * 24 * 60);
  expect(readings).toBeGreaterThan(before);
});

test('a relay that does not say how full it is keeps no other namespace from its epoch', async () => {
  const considered: string[] = [];
  const upkeep = createUpkeep({
    store,
    clock,
    log: pino({ level: 'silent' }),
    replicas: idle,
    on: {
      ...calm,
      isFull: () => true,
      logBytes: async ({ name }) => {
        considered.push(name);
        throw new Error('rate limited');
      },
    },
  });
  store.write((db) => {
    const row = findSynced(db, namespaceId);
    if (row) insertSynced(db, row.account, { name: 'second', memories: 0 });
  });
  await upkeep.round();
  await upkeep.round();
  expect(considered).toEqual(['default', 'second', 'default', 'second']);
});

test('what was sent twice is said once more in an epoch, where the log is long for it, and not again in the next one', async () => {
  let bytes = 0;
  let asked = 0;
  const resent = new Map([[namespaceId, 0]]);
  const on = {
    ...calm,
    isSettled: () => true,
    resent,
    logBytes: async () => bytes,
    askEpoch: () => (asked += 1),
  };
  const upkeep = createUpkeep({ store, clock, log: pino({ level: 'silent' }), replicas: idle, on });
  const rounds = async () => {
    for (let round = 0; round < 12; round += 1) await upkeep.round();
  };
  bytes = 10 * 1024 * 1024;
  await rounds();
  expect(asked).toBeGreaterThan(0);
  store.write((db) => saveSyncedRow(db, namespaceId, { epoch: 1 }));
  asked = 0;
  await rounds();
  expect([asked, resent.size]).toEqual([0, 0]);
  // Short enough: it is looked at once.
  resent.set(namespaceId, 1);
  bytes = 100 * 1024;
  await rounds();
  expect([asked, resent.size]).toEqual([0, 0]);
});
