import type { AccountId } from '@reverie/shared/accounts/caller';
import { turnOfOnesOwn } from '@reverie/shared/time/turns';
import type { Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { AT_A_TIME_MS } from '../platform/yielding.ts';
import type { ReadDb, Store, WriteDb } from './open-store.ts';

/** How long who asks waits for what was written just now, ms. */
const PATIENCE = 5000;

/**
 * What writes leave to be done behind them, for it would hold everybody up. What is left stands in the database, so that a crash loses nothing
 * of it; it is done a little at a time, of one account after the other, and others have their turns in between.
 */
export interface Backlog {
  /** Called once a write is on disk that left something of an account. */
  left(account: AccountId): void;
  /** Resolves when nothing is left of an account, or after some seconds. */
  settled(account: AccountId): Promise<void>;
  /** Goes on with what was left when the program ended. */
  start(): void;
  stop: Stop;
}

/**
 * UTF-16 units of texts that are indexed, or taken out of an index, in the transaction that stores or deletes them: nobody else is answered
 * meanwhile. What is beyond that is left for behind it.
 */
const INDEXED_AT_ONCE = 24 * 1024;

/** Units that each transaction indexed, or took out, so far. */
const indexedIn = new WeakMap<object, number>();

/** Whether a text of so many units is indexed, or taken out, in the transaction that is open; it is counted then. */
export function isIndexedNow({ transaction }: Pick<WriteDb, 'transaction'>, units: number): boolean {
  const all = (indexedIn.get(transaction) ?? 0) + units;
  if (all > INDEXED_AT_ONCE) return false;
  indexedIn.set(transaction, all);
  return true;
}

export interface BacklogWork {
  /** Of which accounts something is left. */
  accounts(db: ReadDb): readonly AccountId[];
  /** Does a piece; false where nothing is left of an account. */
  piece(db: WriteDb, account: AccountId): boolean;
}

/** Makes the backlog of one kind of work. `elapsed`: the time, ms. */
export function createBacklog(
  { store, log }: { store: Pick<Store, 'read' | 'writeRepeatable'>; log: Pick<Log, 'warn'> },
  { accounts, piece }: BacklogWork,
  elapsed: () => number = () => performance.now(),
): Backlog {
  const owed = new Set<AccountId>();
  let state: 'resting' | 'working' | 'stopped' = 'resting';

  /** As many pieces as one turn has time for, in one transaction. */
  function some(db: WriteDb, account: AccountId): boolean {
    const until = elapsed() + AT_A_TIME_MS;
    while (piece(db, account)) if (elapsed() >= until) return true;
    return false;
  }

  /** False where it could not be done. */
  function step(account: AccountId): boolean {
    try {
      owed.delete(account);
      // It is done again after a power cut, and was told to nobody.
      if (store.writeRepeatable((db) => some(db, account))) owed.add(account);
      return true;
    } catch (err) {
      // A full disk, say: it stays where it is, and the next write tries it again.
      owed.add(account);
      log.warn({ err }, 'the text index is behind what was stored or deleted; it is tried again');
      return false;
    }
  }

  async function work(): Promise<void> {
    if (state !== 'resting') return;
    state = 'working';
    for (;;) {
      // The answer to the write goes out first.
      await turnOfOnesOwn();
      const [account] = owed;
      if (isStopped() || account === undefined || !step(account)) break;
    }
    if (!isStopped()) state = 'resting';
  }

  const isStopped = () => state === 'stopped';

  return {
    left(account) {
      owed.add(account);
      void work();
    },
    async settled(account) {
      const until = elapsed() + PATIENCE;
      while (owed.has(account) && elapsed() < until) {
        await turnOfOnesOwn();
        if (isStopped() || (owed.has(account) && !step(account))) return;
        // What waited for it goes on in a turn of its own.
        await turnOfOnesOwn();
      }
    },
    start() {
      for (const account of store.read(accounts)) this.left(account);
    },
    stop() {
      state = 'stopped';
    },
  };
}
