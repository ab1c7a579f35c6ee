import { type AddressBuckets, createAddressBuckets } from '@reverie/shared/http/rate-limit';
import type { Store } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { type AddressCount, readAddressCounts, saveAddressCounts } from './addresses.store.ts';

/** Counts by address that a restart does not reset: a timer writes them to disk within a second, no request waits for it. */
export interface AddressCounts {
  buckets: AddressBuckets;
  /** Ends with what was counted on disk. */
  stop: Stop;
}

interface Rule {
  what: AddressCount;
  limit: number;
  windowMs: number;
}

export function createAddressCounts(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  { what, limit, windowMs }: Rule,
): AddressCounts {
  const saved = store.read((db) => readAddressCounts(db, what));
  const buckets = createAddressBuckets({ limit, windowMs, saved });

  function save(): void {
    const windows = buckets.unsaved();
    if (windows.length === 0) return;
    try {
      store.write((db) => saveAddressCounts(db, what, { windows, overAt: clock.now() - windowMs }));
      buckets.saved(windows);
    } catch (err) {
      // They stay in memory and are written with the next try.
      log.warn({ err, what }, 'counts by address could not be saved');
    }
  }

  const timer = clock.every(1000, save);
  return {
    buckets,
    stop() {
      timer.stop();
      save();
    },
  };
}
