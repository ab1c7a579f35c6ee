import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { countLeft, type Derived, deriveSome } from './backfill.store.ts';
import type { Store } from './open-store.ts';

/** Text that is read in one step, in bytes: requests wait for each step. */
const STEP = 32 * 1024;
/** After so long what failed is tried again, in ms. */
const RETRY = 30_000;

export interface Backfill {
  /** Memories that are still to be read. */
  pending(account?: AccountId): number;
  start(): Stop;
}

/**
 * Reads what is derived of memories that an older program wrote, the newest first. How far it is stands in the database, written with what
 * is derived, so that a crash loses nothing of it.
 */
export function createBackfill(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  derived: Derived,
): Backfill {
  let isDone = false;
  return {
    pending: (account) => (isDone ? 0 : store.read((db) => countLeft(db, derived.name, account))),
    start() {
      let state: 'idle' | 'running' | 'stopped' = 'idle';
      const isStopped = () => state === 'stopped';
      const run = async () => {
        if (state !== 'idle') return;
        state = 'running';
        try {
          do await new Promise((resolve) => setImmediate(resolve));
          while (!isStopped() && store.write((db) => deriveSome(db, derived, STEP)));
          isDone ||= !isStopped();
        } catch (err) {
          // A full disk, say: what is unread stays so.
          if (!isStopped())
            log.warn({ err }, `${derived.what} could not be kept; it is tried again in half a minute`);
        } finally {
          if (!isStopped()) state = 'idle';
        }
      };
      void run();
      const timer = clock.every(RETRY, () => {
        if (isDone) timer.stop();
        else void run();
      });
      return () => {
        state = 'stopped';
        timer.stop();
      };
    },
  };
}
