import type { AccountId } from '@reverie/shared/accounts/caller';
import { signupRules } from '@reverie/shared/accounts/signup';
import { byteLength } from '@reverie/shared/contract/fields';
import { createAddressBuckets } from '@reverie/shared/http/rate-limit';
import type { Config } from '../config/config.ts';
import type { Store, WriteDb } from '../db/open-store.ts';
import { createAddressCounts } from '../features/accounts/address-counts.ts';
import type { AddressCount } from '../features/accounts/addresses.store.ts';
import { type Buckets, WRONG_KEYS_WINDOW_S } from '../features/accounts/authenticate.ts';
import { createKnownAccounts, type KnownAccounts } from '../features/accounts/known-accounts.ts';
import { sandboxRules } from '../features/accounts/signup/sandbox.ts';
import { makeRoom, measureProvisional, storageLimit } from '../features/accounts/storage.ts';
import { createUsage, type Usage } from '../features/accounts/usage.ts';
import type { MemoryQuota } from '../features/memories/deps.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

export interface QuotasParts {
  config: Pick<Config, 'limits'>;
  store: Store;
  clock: Clock;
  log: Log;
}

/** What accounts and addresses may take, and how much of it they took. */
export interface Quotas {
  readonly known: KnownAccounts;
  readonly usage: Usage;
  readonly buckets: Buckets;
  readonly memories: MemoryQuota;
  /** Counts bytes of what is no memory, in the transaction that stores them, and refuses what is too much. Throws `storage_exceeded`. */
  makeRoom(db: WriteDb, account: AccountId, bytes: number): void;
  start(): Stop;
  stop(): void;
}

const HOUR = 3_600_000;

/** Joins the limits of accounts and addresses; the server asks them before anything else. */
export function createQuotas({ config: { limits }, store, clock, log }: QuotasParts): Quotas {
  const known = createKnownAccounts(store);
  const own = { machine: limits.requests_per_day, enterprise: limits.enterprise_requests_per_day };
  const usage = createUsage({ store, clock, log, own });
  const addressCounts = (what: AddressCount, limit: number, windowMs: number) =>
    createAddressCounts({ store, clock, log }, { what, limit, windowMs });
  const sandbox = addressCounts('sandbox', sandboxRules.requestsPerAddress, sandboxRules.windowMs);
  const signups = addressCounts('signups', signupRules.perAddressAndHour, HOUR);

  function measure(): void {
    try {
      measureProvisional(store);
    } catch (err) {
      log.warn({ err }, 'what unconfirmed accounts hold could not be measured; it is tried again in an hour');
    }
  }

  return {
    known,
    usage,
    buckets: {
      anonymous: createAddressBuckets({ limit: limits.anonymous_per_hour }),
      foreign: createAddressBuckets({ limit: limits.anonymous_per_hour }),
      wrongKeys: createAddressBuckets({
        limit: limits.wrong_keys_per_second,
        windowMs: WRONG_KEYS_WINDOW_S * 1000,
      }),
      sandbox: sandbox.buckets,
      signups: signups.buckets,
    },
    memories: {
      stored(db, id, memory) {
        const account = known.of(id);
        usage.stored(db, account);
        if (storageLimit(account) !== null) makeRoom(db, account, byteLength(JSON.stringify(memory)));
      },
    },
    makeRoom: (db, account, bytes) => makeRoom(db, known.of(account), bytes),
    start() {
      const timer = clock.every(HOUR, measure);
      return () => {
        for (const counts of [sandbox, signups]) counts.stop();
        timer.stop();
      };
    },
    stop: usage.stop,
  };
}
