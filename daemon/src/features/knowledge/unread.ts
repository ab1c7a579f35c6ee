import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { countUnread, keepUnread } from './knowledge.store.ts';

/** Text that is read in one step, in bytes: requests wait for each step. */
const STEP = 32 * 1024;
/** After so long what failed is tried again, in ms. */
const RETRY = 30_000;

/**
 * Reads the facts of memories that an older program wrote, the newest first. How far it is stands in the database, written with the facts,
 * so that a crash loses nothing of it.
 */
export function createUnread({ store, clock, log }: { store: Store; clock: Clock; log: Log }) {
  let isDone = false;
  return {
    pending: (account?: AccountId): number => (isDone ? 0 : store.read((db) => countUnread(db, account))),
    start(): Stop {
      let state: 'idle' | 'running' | 'stopped' = 'idle';
      const isStopped = () => state === 'stopped';
      const run = async () => {
        if (state !== 'idle') return;
        state = 'running';
        try {
          do await new Promise((resolve) => setImmediate(resolve));
          while (!isStopped() && store.write((db) => keepUnread(db, STEP)));
          isDone ||= !isStopped();
        } catch (err) {
          // A full disk, say: what is unread stays so.
          if (!isStopped()) log.warn({ err }, 'facts could not be kept; it is tried again in half a minute');
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
