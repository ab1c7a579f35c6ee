import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { type Account, findAccount, insertAccount } from './accounts.store.ts';
import { createUsage } from './usage.ts';

let store: Store;
let account: Account;
let writes: number;
const clock = createFakeClock();
beforeEach(() => {
  const real = openStore({ file: ':memory:', migrations: loadMigrations() });
  writes = 0;
  store = {
    ...real,
    write(run) {
      writes += 1;
      return real.write(run);
    },
  };
  const id = real.write((db) =>
    insertAccount(db, { public_id: 'acc_1', kind: 'bot', tier: 'free', created_at: clock.now() }),
  );
  const found = real.read((db) => findAccount(db, id));
  if (!found) throw new Error('no account was made');
  account = found;
});
afterEach(() => store.close());

const start = () =>
  createUsage({
    store,
    clock,
    log: pino({ level: 'silent' }),
    own: { machine: 1e8, enterprise: 1e8 },
  });

test('a hundred requests and recalls within a second are one transaction', () => {
  const usage = start();
  for (let i = 0; i < 100; i += 1) {
    usage.count(account);
    usage.recall(account);
    usage.used('key_1');
    usage.policies(account);
  }
  expect(writes).toBe(0);
  clock.advance(1000);
  expect(writes).toBe(1);
  clock.advance(60_000);
  expect(writes).toBe(1);
  usage.stop();
  expect(start().of(account)).toEqual({ requests: 100, recalls: 100, stores: 0 });
});

test('the thousandth recall passes, the next one does not, and one that was refused is given back', () => {
  const usage = start();
  for (let i = 0; i < 1000; i += 1) usage.recall(account);
  expect(() => usage.recall(account)).toThrow(Problem);
  usage.refund(account);
  usage.recall(account);
  expect(() => usage.recall(account)).toThrow('recalls of this month are used up');
  usage.stop();
});

test('a store that is undone was not counted', () => {
  const usage = start();
  const store100 = () => {
    for (let i = 0; i < 100; i += 1) store.write((db) => usage.stored(db, account));
  };
  expect(() =>
    store.write((db) => {
      usage.stored(db, account);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect(usage.of(account).stores).toBe(0);
  store100();
  expect(() => store.write((db) => usage.stored(db, account))).toThrow('stores of this month are used up');
  usage.stop();
});

test('what was counted in a month that is over is kept with it', () => {
  const usage = start();
  usage.recall(account);
  clock.advance(40 * 86_400_000);
  expect(usage.of(account).recalls).toBe(0);
  usage.recall(account);
  usage.stop();
  const months = store.read((db) =>
    db
      .prepare<[AccountId], { recalls: number }>('SELECT recalls FROM account_months WHERE account = ?')
      .all(account.id),
  );
  expect(months).toEqual([{ recalls: 1 }, { recalls: 1 }]);
});

test('a new day and month begin, too, when nothing can be written: a full disk refuses no request', () => {
  const usage = start();
  usage.count(account);
  usage.recall(account);
  const { write } = store;
  store.write = () => {
    throw new Error('database or disk is full');
  };
  clock.advance(32 * 86_400_000);
  expect(usage.count(account).remaining).toBe(999);
  usage.recall(account);
  expect(usage.policies(account)[0]).toMatchObject({ name: 'recalls', remaining: 999 });
  store.write = write;
  clock.advance(1000);
  expect(start().of(account)).toEqual({ requests: 1, recalls: 1, stores: 0 });
});
