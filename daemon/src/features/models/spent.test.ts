import type { AccountId } from '@reverie/shared/accounts/caller';
import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { createLog } from '../../platform/log.ts';
import { createSpending, type Spending } from './spent.ts';

const HOUR = 3_600_000;
/** 22:00 of a day, UTC. */
const EVENING = Date.UTC(2031, 4, 30, 22);
const MIDNIGHT = EVENING + 2 * HOUR;

/** Limits of a day alone. */
const daily = (tokensPerDay: number | undefined) => ({ tokensPerDay, tokensPerMonth: undefined });

let store: Store;
let clock: FakeClock;
let spending: Spending;
beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  clock = createFakeClock(EVENING);
  spending = createSpending({ store, clock, log: createLog('silent') });
});
afterEach(() => store.close());

test('a part that has had its tokens of the day rests until midnight UTC, and then begins anew', () => {
  const meter = spending.meter('ask', daily(100));
  meter.note({ tokens: 99, failed: false });
  expect(meter.rest()).toBeUndefined();
  clock.advance(HOUR);
  meter.note({ tokens: 1, failed: true });
  expect(meter.rest()).toEqual({ since: EVENING + HOUR, until: MIDNIGHT, limit: 100, of: 'day' });
  clock.advance(HOUR - 1);
  expect(meter.rest()).toEqual({ since: EVENING + HOUR, until: MIDNIGHT, limit: 100, of: 'day' });
  clock.advance(1);
  expect(meter.rest()).toBeUndefined();
  expect(spending.of('ask')).toEqual({
    tokens_today: 0,
    tokens_month: 100,
    calls_month: 2,
    failed_month: 1,
    by: [],
  });
  // The next month.
  clock.advance(24 * HOUR);
  expect(spending.of('ask')).toMatchObject({ tokens_month: 0 });
});

test('a limit of nothing rests from the beginning of the day; without one nothing ever rests', () => {
  expect(spending.meter('ask', daily(0)).rest()).toEqual({
    since: MIDNIGHT - 24 * HOUR,
    until: MIDNIGHT,
    limit: 0,
    of: 'day',
  });
  const free = spending.meter('ask', daily(undefined));
  free.note({ tokens: 1_000_000, failed: false });
  expect(free.rest()).toBeUndefined();
});

test('each part is counted by itself, also by a later process', () => {
  spending.meter('ask', daily(10)).note({ tokens: 10, failed: false });
  const later = createSpending({ store, clock, log: createLog('silent') });
  expect(later.meter('ask', daily(10)).rest()).toBeDefined();
  expect(later.meter('dreams', daily(10)).rest()).toBeUndefined();
});

test('a part that has had its tokens of the month rests until the next one, whatever is left of the day', () => {
  const meter = spending.meter('ask', { tokensPerDay: 80, tokensPerMonth: 100 });
  meter.note({ tokens: 80, failed: false });
  expect(meter.rest()).toMatchObject({ until: MIDNIGHT, of: 'day' });
  // 31 May, the last of the month.
  clock.advance(2 * HOUR);
  expect(meter.rest()).toBeUndefined();
  meter.note({ tokens: 20, failed: false });
  const JUNE = Date.UTC(2031, 5);
  expect(meter.rest()).toEqual({ since: MIDNIGHT, until: JUNE, limit: 100, of: 'month' });
  clock.advance(JUNE - clock.now() - 1);
  expect(meter.rest()).toBeDefined();
  clock.advance(1);
  expect(meter.rest()).toBeUndefined();
  expect(spending.meter('ask', { tokensPerDay: undefined, tokensPerMonth: 0 }).rest()).toMatchObject({
    since: JUNE,
    until: Date.UTC(2031, 6),
  });
});

test('says for whom tokens were taken in the month, the most first, and forgets who is deleted', () => {
  const add = (id: number, email: string | null) =>
    store.write((db) =>
      db
        .prepare<[number, string, string | null]>(
          "INSERT INTO accounts (id, public_id, kind, tier, email, created_at) VALUES (?, ?, 'bot', 'free', ?, 0)",
        )
        .run(id, `acc_${id}`, email),
    );
  add(1, null);
  add(2, 'ada@example.org');
  for (const [payer, tokens] of [
    [1, 5],
    [2, 7],
    [2, 7],
    [3, 9],
  ] as const)
    spending.meter('ask', daily(undefined), payer as AccountId).note({ tokens, failed: false });
  expect(spending.of('ask')).toMatchObject({
    tokens_month: 28,
    by: [
      { account: 'acc_2', name: 'ada@example.org', tokens_month: 14 },
      { account: 'acc_1', name: 'acc_1', tokens_month: 5 },
    ],
  });
  expect(spending.of('dreams').by).toEqual([]);
  clock.advance(48 * HOUR);
  expect(spending.of('ask').by).toEqual([]);
});
