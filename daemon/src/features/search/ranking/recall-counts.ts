import { createHmac, randomBytes } from 'node:crypto';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { readMeta, saveMeta } from '../../../db/meta.store.ts';
import type { Store } from '../../../db/open-store.ts';
import type { Clock, Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { addRecalls, dropCountsBefore, knownQueries, type RecallDay } from './recall-counts.store.ts';

/** Counts which memories were recalled, by day: in memory, and written once a second at most. */
export interface RecallCounts {
  /** Memories that were answered; `query` is what found them, of which a hash is kept. */
  note(account: AccountId, memoryIds: readonly number[], query?: string): void;
  flush(): void;
  stop: Stop;
}

const DAY = 86_400_000;
const RETENTION_DAYS = 180;
/** Different queries that are counted of a memory and a day. */
const MOST_QUERIES = 32;
/** Memories that wait to be written; beyond them counting pauses until the next second. */
const MOST_WAITING = 20_000;
const HASH_BYTES = 4;
/** Where the database keeps what hashes are made with. */
const SECRET = 'recall_secret';

interface Waiting extends RecallDay {
  count: number;
  queries: Set<string>;
}

export function createRecallCounts({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Clock;
  log: Log;
}): RecallCounts {
  const waiting = new Map<string, Waiting>();
  // Made at the start: a search must not have to write, least of all on a full disk.
  const secret = secretOf(store);

  /** A hash of a query that only this database can make: nobody tries out queries on a stolen one without its secret. */
  function hashOf(query: string): string {
    const spelled = query.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
    return createHmac('sha256', secret).update(spelled).digest().subarray(0, HASH_BYTES).toString('latin1');
  }

  function flush(): void {
    if (waiting.size === 0) return;
    const written = [...waiting.values()];
    store.writeRepeatable((db) => {
      for (const one of written) {
        const known = knownQueries(db, one)?.toString('latin1') ?? '';
        const hashes = new Set(known.match(/[\s\S]{4}/g) ?? []);
        for (const hash of one.queries) if (hashes.size < MOST_QUERIES) hashes.add(hash);
        addRecalls(db, one, { count: one.count, queries: Buffer.from([...hashes].join(''), 'latin1') });
      }
    });
    waiting.clear();
  }

  function tryFlush(): void {
    try {
      flush();
    } catch (err) {
      // They stay in memory for the next try; neither requests nor a stop must fail for them.
      log.warn({ err }, 'counts of recalls could not be saved');
    }
  }

  function sweep(): void {
    try {
      store.write((db) => dropCountsBefore(db, Math.floor(clock.now() / DAY) - RETENTION_DAYS));
    } catch (err) {
      log.warn({ err }, 'old counts of recalls could not be swept; it is tried again in 10 minutes');
    }
  }

  const timers = [clock.every(1000, tryFlush), clock.every(600_000, sweep)];
  return {
    note(account, memoryIds, query) {
      const day = Math.floor(clock.now() / DAY);
      const hash = query === undefined || memoryIds.length === 0 ? undefined : hashOf(query);
      for (const memoryId of memoryIds) {
        const name = `${memoryId} ${day}`;
        const one = waiting.get(name) ?? { account, memoryId, day, count: 0, queries: new Set<string>() };
        if (one.count === 0 && waiting.size >= MOST_WAITING) return;
        one.count += 1;
        if (hash !== undefined && one.queries.size < MOST_QUERIES) one.queries.add(hash);
        waiting.set(name, one);
      }
    },
    flush,
    stop() {
      for (const timer of timers) timer.stop();
      tryFlush();
    },
  };
}

function secretOf(store: Store): Buffer {
  const known = store.read((db) => readMeta(db, SECRET));
  if (known !== undefined) return Buffer.from(known, 'hex');
  const made = randomBytes(32);
  store.write((db) => saveMeta(db, SECRET, made.toString('hex')));
  return made;
}
