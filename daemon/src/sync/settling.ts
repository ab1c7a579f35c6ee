import type { Store } from '../db/open-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { dropNeedless } from './conflicts/conflicts.store.ts';
import { saveSynced } from './link.store.ts';
import { listSynced, type SyncedRow } from './namespaces/namespaces.store.ts';
import { hasPending } from './replica/outbox.store.ts';
import type { Replicas } from './replica/replicas.ts';

/** Whether everything is sent and read, and what is done once it is. */
export interface Settling {
  isSettled(): boolean;
  /** Something moved: notes soon when nothing is left, and makes rows that were put off until then. */
  look(): void;
  stop(): void;
}

export interface SettlingDeps {
  store: Store;
  clock: Clock;
  log: Log;
  replicas: Replicas;
  on: {
    /** Entries that a namespace is behind; null while unknown. */
    behind: (row: SyncedRow) => number | null;
    /** Whether the relay has told which rooms there are. */
    knowsRooms: () => boolean;
    /** There is something to send. */
    wake: () => void;
    /** Something moved, some 100 ms ago at most. */
    looked: () => void;
  };
}

/** How long it waits for what moves next, ms. */
const SOON = 100;
/** How often it is noted at most, ms. */
const OFTEN = 1000;

export function createSettling({ store, clock, log, replicas, on }: SettlingDeps): Settling {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let noted = 0;

  function isSettled(): boolean {
    if (!on.knowsRooms()) return false;
    const isDone = (row: SyncedRow) =>
      row.room !== null && row.upload_after === null && row.rebuild === 0 && on.behind(row) === 0;
    return store.read(listSynced).every((row) => isDone(row)) && !store.read(hasPending);
  }

  function lookNow(): void {
    for (const row of store.read(listSynced))
      if (row.rebuild === 1 && on.behind(row) === 0) {
        replicas.rebuild(row.id);
        store.writeRepeatable((db) =>
          dropNeedless(db, row.account, { namespace: row.name, knownUntil: row.known_until }),
        );
        on.wake();
      }
    on.looked();
    const now = clock.now();
    if (now - noted < OFTEN || !isSettled()) return;
    noted = now;
    store.writeRepeatable((db) => saveSynced(db, now));
  }

  return {
    isSettled,
    look() {
      timer ??= setTimeout(() => {
        timer = undefined;
        try {
          if (!stopped) lookNow();
        } catch (err) {
          log.warn({ err }, 'what was synced could not be noted; it is tried again');
        }
      }, SOON).unref();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
