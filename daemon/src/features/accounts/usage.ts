import type { AccountId } from '@reverie/shared/accounts/caller';
import {
  dayOf,
  fits,
  leftOf,
  limitsOf,
  monthOf,
  type OwnLimits,
  type Period,
  secondsLeft,
  type TierLimits,
} from '@reverie/shared/accounts/quota';
import { Problem } from '@reverie/shared/contract/problems';
import type { Bucket, Policy } from '@reverie/shared/http/rate-limit';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import {
  type Account,
  countStore,
  readMonth,
  readRequests,
  saveLastUse,
  saveRecalls,
  saveRequests,
} from './accounts.store.ts';

export interface UsageDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** Requests a day of the machine's own account and of enterprise ones. */
  own: OwnLimits;
}

/**
 * What accounts take of their quotas. Requests and recalls are counted in memory and written once a second
 * at most; stores are counted in the transaction of the write.
 */
export interface Usage {
  count(account: Account): Bucket;
  /** Counts a recall; throws `quota_exceeded`. */
  recall(account: Account): void;
  /** Takes back a recall that was refused afterwards. */
  refund(account: Account): void;
  /** Counts a memory that is written; throws `quota_exceeded`, which undoes the transaction. */
  stored(db: WriteDb, account: Account): void;
  of(account: Account): { requests: number; recalls: number; stores: number };
  limits(account: Account): TierLimits;
  /** The quotas of the month, as the IETF headers tell of them; none where there is no limit. */
  policies(account: Account): Policy[];
  used(keyId: string): void;
  /** Forgets an account that is deleted. */
  forget(account: AccountId): void;
  flush(): void;
  stop: Stop;
}

interface Counted {
  name: string;
  count: number;
  saved: number;
}

const exceeded = (what: string, period: Period, now: number) => {
  const wait = secondsLeft(period, now);
  return new Problem(
    'quota_exceeded',
    `${what} of this month are used up; they are counted anew at ${new Date(period.until).toISOString()}`,
    { headers: { 'Retry-After': String(wait) } },
  );
};

export function createUsage({ store, clock, own, log }: UsageDeps): Usage {
  const days = new Map<AccountId, Counted>();
  const months = new Map<AccountId, Counted>();
  const uses = new Map<string, number>();

  /** The counter of a period; what another period counted is written before it is forgotten. */
  function counterOf(
    counters: Map<AccountId, Counted>,
    account: AccountId,
    { name, read }: { name: string; read: () => number },
  ): Counted {
    let counted = counters.get(account);
    if (counted?.name !== name) {
      // A full disk must not refuse every request of the new day; what it loses is the last second of the old one.
      if (counted) tryFlush();
      const count = read();
      counted = { name, count, saved: count };
      counters.set(account, counted);
    }
    return counted;
  }

  const requestsOf = (account: AccountId, { name }: Period) =>
    counterOf(days, account, { name, read: () => store.read((db) => readRequests(db, account, name)) });
  const recallsOf = (account: AccountId, { name }: Period) =>
    counterOf(months, account, {
      name,
      read: () => store.read((db) => readMonth(db, account, name).recalls),
    });
  const storesOf = (account: AccountId, { name }: Period) =>
    store.read((db) => readMonth(db, account, name).stores);

  function flush(): void {
    const isChanged = ([, { count, saved }]: [AccountId, Counted]) => count !== saved;
    const [requests, recalls] = [[...days].filter(isChanged), [...months].filter(isChanged)];
    if (requests.length === 0 && recalls.length === 0 && uses.size === 0) return;
    store.write((db) => {
      for (const [account, { name, count }] of requests)
        saveRequests(db, account, { day: name, requests: count });
      for (const [account, { name, count }] of recalls)
        saveRecalls(db, account, { month: name, recalls: count });
      for (const [keyId, at] of uses) saveLastUse(db, keyId, at);
    });
    for (const [, counted] of [...requests, ...recalls]) counted.saved = counted.count;
    uses.clear();
  }

  function tryFlush(): void {
    try {
      flush();
    } catch (err) {
      // The counts stay in memory and are written with the next try; neither requests nor a stop must fail for them.
      log.warn({ err }, 'request counts could not be saved');
    }
  }

  /** The sandbox is counted by the addresses of its visitors, not as an account. */
  const limits = ({ kind, tier }: Account): TierLimits =>
    kind === 'sandbox' ? { requests: own.machine, recalls: null, stores: null } : limitsOf(tier, own);

  const timer = clock.every(1000, tryFlush);
  return {
    limits,
    count(account) {
      const day = dayOf(clock.now());
      const counted = requestsOf(account.id, day);
      const { requests: limit } = limits(account);
      const isOver = !fits(limit, counted.count, 1);
      if (!isOver) counted.count += 1;
      return {
        limit,
        remaining: Math.max(0, limit - counted.count),
        resetAt: day.until / 1000,
        exceeded: isOver,
      };
    },
    recall(account) {
      const now = clock.now();
      const month = monthOf(now);
      const counted = recallsOf(account.id, month);
      const { recalls } = limits(account);
      if (!fits(recalls, counted.count, 1)) throw exceeded(`The ${recalls} recalls`, month, now);
      counted.count += 1;
    },
    refund(account) {
      const counted = recallsOf(account.id, monthOf(clock.now()));
      counted.count = Math.max(0, counted.count - 1);
    },
    stored(db, account) {
      const now = clock.now();
      const month = monthOf(now);
      const { stores } = limits(account);
      if (stores !== null && !fits(stores, readMonth(db, account.id, month.name).stores, 1))
        throw exceeded(`The ${stores} stores`, month, now);
      countStore(db, account.id, month.name);
    },
    of({ id }) {
      const now = clock.now();
      const month = monthOf(now);
      return {
        requests: requestsOf(id, dayOf(now)).count,
        recalls: recallsOf(id, month).count,
        stores: storesOf(id, month),
      };
    },
    policies(account) {
      const now = clock.now();
      const month = monthOf(now);
      const { recalls, stores } = limits(account);
      const policy = (name: string, quota: number | null, used: () => number): Policy[] =>
        quota === null
          ? []
          : [
              {
                name,
                quota,
                windowS: (month.until - month.from) / 1000,
                remaining: leftOf(quota, used()) ?? 0,
                resetS: secondsLeft(month, now),
              },
            ];
      return [
        ...policy('recalls', recalls, () => recallsOf(account.id, month).count),
        ...policy('stores', stores, () => storesOf(account.id, month)),
      ];
    },
    used: (keyId) => void uses.set(keyId, clock.now()),
    forget(account) {
      days.delete(account);
      months.delete(account);
    },
    flush,
    stop() {
      timer.stop();
      tryFlush();
    },
  };
}
