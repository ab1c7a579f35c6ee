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
    ...{ tokens_today: 0, tokens_month: 100, calls_month: 2, failed_month: 1, by: [] },
  });
  // The next month.
  clock.advance(24 * HOUR);
  expect(spending.of('ask')).toMatchObject({ tokens_month: 0 });
});

test('a limit of nothing rests from the beginning of the day; without one nothing ever rests', () => {
  expect(spending.meter('ask', daily(0)).rest()).toEqual({
    ...{ since: MIDNIGHT - 24 * HOUR, until: MIDNIGHT, limit: 0, of: 'day' },
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
