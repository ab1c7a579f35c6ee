import type { ModelPart, ModelUse } from '@reverie/shared/contract/models';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store } from '../../db/open-store.ts';
import type { Meter } from '../../models/metered.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { addTaken, findTaken, type Taken } from './spent.store.ts';

/** What the parts of Reverie took of their models, by UTC day and month; it outlives the process. */
export interface Spending {
  /** Counts for a part, and holds it to its limit of a day. */
  meter(part: ModelPart, limit: number | undefined): Meter;
  of(part: ModelPart): ModelUse['spent'];
  /** Counts no more: the store is about to be closed. */
  stop: Stop;
}

interface Waiting extends Taken {
  part: ModelPart;
  day: string;
  lastAt: number;
}

const DAY = 86_400_000;

/**
 * Counts what the parts take. What cannot be written, on a full disk, is kept in memory and counts all the same; it is written with the
 * next call.
 */
export function createSpending({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}): Spending {
  let waiting: Waiting[] = [];
  let isStopped = false;

  function save(): void {
    try {
      store.write((db) => {
        for (const one of waiting) addTaken(db, one, one);
      });
      waiting = [];
    } catch (err) {
      // An answer is there and paid for: it is not lost because a full or held disk does not take what it cost.
      if (!(err instanceof Problem)) throw err;
      log.warn({ err }, 'what models took could not be written down; it is kept in memory until it can');
    }
  }

  function taken(part: ModelPart, days: string): Taken & { last_at: number } {
    const sum = store.read((db) => findTaken(db, part, days));
    for (const one of waiting) {
      if (one.part !== part || !one.day.startsWith(days)) continue;
      sum.tokens += one.tokens;
      sum.calls += one.calls;
      sum.failed += one.failed;
      sum.last_at = Math.max(sum.last_at, one.lastAt);
    }
    return sum;
  }

  return {
    meter: (part, limit) => ({
      limit,
      rest() {
        if (limit === undefined) return undefined;
        const now = clock.now();
        const { tokens, last_at } = taken(part, dayOf(now));
        // A limit of 0 rests before anything was taken.
        const since = last_at === 0 ? Math.floor(now / DAY) * DAY : last_at;
        return tokens < limit ? undefined : { since, until: (Math.floor(now / DAY) + 1) * DAY };
      },
      note({ tokens, failed }) {
        if (isStopped) return;
        const now = clock.now();
        waiting.push({ part, day: dayOf(now), lastAt: now, tokens, calls: 1, failed: failed ? 1 : 0 });
        save();
      },
    }),
    of(part) {
      const day = dayOf(clock.now());
      const month = taken(part, day.slice(0, 'YYYY-MM'.length));
      return {
        tokens_today: taken(part, day).tokens,
        tokens_month: month.tokens,
        calls_month: month.calls,
        failed_month: month.failed,
      };
    },
    stop() {
      isStopped = true;
    },
  };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
