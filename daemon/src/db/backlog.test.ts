import type { AccountId } from '@reverie/shared/accounts/caller';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Backlog, createBacklog, isIndexedNow } from './backlog.ts';
import { loadMigrations } from './migrations.ts';
import { openStore, type Store } from './open-store.ts';

const [one, two] = [1, 2] as AccountId[] as [AccountId, AccountId];

let store: Store;
let time: number;
let done: AccountId[];
let left: Map<AccountId, number>;
let failing: boolean;
let warned: number;
let backlog: Backlog;
/** Pieces that were done when others had a turn. */
let turns: number[];

beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  [time, done, failing, warned, turns] = [0, [], false, 0, []];
  left = new Map();
  backlog = createBacklog(
    { store, log: { warn: () => void (warned += 1) } },
    {
      accounts: () => [...left.keys()],
      piece(_db, account) {
        if (failing) throw new Error('no room');
        const pieces = left.get(account) ?? 0;
        if (pieces === 0) return false;
        // Three of them fill a turn.
        time += 10;
        left.set(account, pieces - 1);
        done.push(account);
        return true;
      },
    },
    () => time,
  );
});
afterEach(() => {
  backlog.stop();
  store.close();
});

/** Counts what is done from turn to turn, until an account is settled. */
async function settled(account: AccountId): Promise<void> {
  let isOver = false;
  const watch = () => {
    turns.push(done.length);
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await backlog.settled(account);
  isOver = true;
}

describe('what writes leave', () => {
  test('is done a few pieces at a time, and others have their turns in between', async () => {
    left.set(one, 10);
    backlog.left(one);
    await settled(one);
    expect(done).toHaveLength(10);
    expect(new Set(turns).size).toBeGreaterThan(3);
    const most = turns.map((count, at) => count - (turns[at - 1] ?? 0));
    expect(Math.max(...most)).toBeLessThanOrEqual(6);
  });

  test('of one account does not wait until that of another is done', async () => {
    left.set(one, 100).set(two, 3);
    backlog.left(one);
    backlog.left(two);
    await settled(two);
    expect(left.get(two)).toBe(0);
    expect(left.get(one)).toBeGreaterThan(50);
  });

  test('is waited for only so long', async () => {
    left.set(one, 10_000);
    backlog.left(one);
    await settled(one);
    expect(left.get(one)).toBeGreaterThan(0);
  });

  test('before the last end is done after a start', async () => {
    left.set(one, 4).set(two, 4);
    backlog.start();
    await settled(one);
    await settled(two);
    expect(done).toHaveLength(8);
  });

  test('and cannot be done is told, keeps nobody waiting, and is tried again', async () => {
    left.set(one, 2);
    failing = true;
    backlog.left(one);
    await settled(one);
    expect([done, warned > 0]).toEqual([[], true]);
    failing = false;
    await settled(one);
    expect(done).toHaveLength(2);
  });

  test('is not done once it is stopped', async () => {
    left.set(one, 10);
    backlog.left(one);
    backlog.stop();
    await settled(one);
    expect(done).toEqual([]);
  });
});

test('each transaction indexes so much at once, and a text that does not fit leaves room for others', () => {
  const fits = (...units: number[]) => store.write((db) => units.map((one) => isIndexedNow(db, one)));
  expect(fits(20_000, 20_000, 2_000)).toEqual([true, false, true]);
  expect(fits(20_000)).toEqual([true]);
  expect(fits(1_000_000)).toEqual([false]);
});
