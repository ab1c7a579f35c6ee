import type { AccountId } from '@reverie/shared/accounts/caller';
import { turnOfOnesOwn } from '@reverie/shared/time/turns';
import type { Store } from '../../../db/open-store.ts';
import type { Clock, Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { indexedAccounts, mergeTextIndex } from './index.store.ts';

export interface MergingDeps {
  store: Store;
  clock: Clock;
  log: Log;
}

const LOOK = 5_000;
/** An index that was written to within this time is left alone. */
const QUIET = 3_000;
/** Pages that one step writes at most: about 10 ms, for which requests wait. */
const PAGES = 32;

/**
 * Merges the segments of the text indexes while nobody writes to them. Deleting and overwriting look into
 * each segment: over 250,000 chunks a delete took 6.5 ms with 12 segments and 2.0 ms with one (median).
 */
export interface IndexMerging {
  /** Told after a commit that changed the index of an account. */
  touched(account: AccountId): void;
  /** Told after a commit that deleted an account's index. */
  forget(account: AccountId): void;
  start(): void;
  stop: Stop;
}

export function createIndexMerging({ store, clock, log }: MergingDeps): IndexMerging {
  const touchedAt = new Map<AccountId, number>();
  let timer: { stop(): void } | undefined;
  let isMerging = false;

  async function mergeQuiet(): Promise<void> {
    if (isMerging) return;
    isMerging = true;
    try {
      for (const [account, at] of touchedAt) if (clock.now() - at >= QUIET) await merge(account, at);
    } catch (err) {
      // A full disk, say: the index is as good as before, and the next look tries again.
      log.warn({ err }, 'a text index could not be merged; it is tried again');
    } finally {
      isMerging = false;
    }
  }

  /** Step by step, with requests in between; ends when somebody writes, or when there is one segment. */
  async function merge(account: AccountId, at: number): Promise<void> {
    let isFirst = true;
    while (timer && touchedAt.get(account) === at) {
      const isDone = !store.write((db) => mergeTextIndex(db, account, { pages: PAGES, isFirst }));
      if (isDone) {
        touchedAt.delete(account);
        return;
      }
      isFirst = false;
      await turnOfOnesOwn();
    }
  }

  return {
    touched: (account) => void touchedAt.set(account, clock.now()),
    forget: (account) => void touchedAt.delete(account),
    start() {
      for (const account of store.read(indexedAccounts)) touchedAt.set(account, clock.now());
      timer = clock.every(LOOK, () => void mergeQuiet());
    },
    stop() {
      timer?.stop();
      timer = undefined;
    },
  };
}
