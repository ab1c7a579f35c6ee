import { startEmptying } from '@reverie/shared/sqlite/log-emptying';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from './open-store.ts';

export interface StorageWatchDeps {
  store: Pick<Store, 'emptying' | 'room' | 'foundRoom'>;
  clock: Clock;
  log: Log;
  /** Tries whether the disk takes anything. */
  hasRoom: () => boolean;
}

/** How often a full disk is looked at, ms. */
const LOOK_MS = 5000;

/** Has the store go on by itself: empties its log once nobody reads it, and writes again once the disk has room. */
export function startStorageWatch({ store, clock, log, hasRoom }: StorageWatchDeps): Stop {
  const stopEmptying = startEmptying({ emptying: store.emptying, clock, log });
  let isTold = false;
  const timer = clock.every(LOOK_MS, () => {
    if (store.room().kind === 'full' && !isTold) {
      isTold = true;
      log.warn('the disk is full: what is stored is served, and what is new is refused until there is room');
    }
    try {
      if (store.room().kind === 'full' && hasRoom()) store.foundRoom();
    } catch (err) {
      log.warn({ err }, 'the disk seemed to have room, and has not enough; it is looked at again');
    }
    if (store.room().kind === 'enough' && isTold) {
      isTold = false;
      log.info('the disk has room again');
    }
  });
  return () => {
    timer.stop();
    stopEmptying();
  };
}
