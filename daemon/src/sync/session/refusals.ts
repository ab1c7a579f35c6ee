import type { ErrorIs } from '@reverie/shared/protocol/messages';
import type { Store } from '../../db/open-store.ts';
import type { Log } from '../../platform/log.ts';
import type { SyncedRow } from '../namespaces/namespaces.store.ts';
import type { RelayTime } from '../relay/relay-time.ts';
import type { Replicas } from '../replica/replicas.ts';
import { findSend } from '../replica/sends.store.ts';

/** What the relay refused on one connection. */
export interface Refusals {
  /** Answers after how many ms everything is sent again; undefined where another refusal takes care of it. */
  refused(error: ErrorIs, row: SyncedRow | undefined): number | undefined;
  /** The relay takes entries again. */
  taken(): void;
  last(): ErrorIs | undefined;
}

/** When a refused entry is sent again at the earliest, ms. */
const AGAIN = 5000;

export interface RefusalsDeps {
  store: Store;
  log: Log;
  time: RelayTime;
  replicas: Replicas;
}

export function createRefusals({ store, log, time, replicas }: RefusalsDeps): Refusals {
  let last: ErrorIs | undefined;
  let stamped = false;

  /** Stamps what is ahead anew; once only, before the relay has taken anything: then its clock runs strangely. */
  function stampAnew({ entry }: ErrorIs, row: SyncedRow): number | undefined {
    const send = entry && store.read((db) => findSend(db, row.id, entry));
    // The entry was made anew already, with others that were refused before it.
    if (!send) return undefined;
    time.doubted();
    replicas.stampAnew({ namespaceId: row.id, sendId: send.id });
    const after = stamped ? AGAIN : 0;
    stamped = true;
    return after;
  }

  return {
    refused(error, row) {
      // Once for a whole outbox that is refused again and again.
      const isTold = last?.code === error.code && last.room === error.room;
      last = error;
      if (!isTold)
        log.warn({ code: error.code, detail: error.detail, namespace: row?.name }, 'the relay refused');
      if (row && error.code === 'clock_ahead') return stampAnew(error, row);
      return Math.max(error.retryAfterMs, AGAIN);
    },
    taken() {
      last = undefined;
      stamped = false;
    },
    last: () => last,
  };
}
