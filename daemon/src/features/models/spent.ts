import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ModelPart, ModelUse } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store } from '../../db/open-store.ts';
import type { Meter, Rest } from '../../models/metered.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { PartSettings } from './choices.ts';
import { addPaid, addTaken, findPayers, findTaken, type Taken } from './spent.store.ts';

/** What the parts of Reverie took of their models, by UTC day and month; it outlives the process. */
export interface Spending {
  /** Counts for a part, and for the account that it works for, and holds it to its limits. */
  meter(part: ModelPart, limits: TokenLimits, payer?: AccountId): Meter;
  of(part: ModelPart): ModelUse['spent'];
  /** Counts no more: the store is about to be closed. */
  stop: Stop;
}

/** Tokens that a part may take in a UTC day and month; undefined where there is no limit. */
export type TokenLimits = Pick<PartSettings, 'tokensPerDay' | 'tokensPerMonth'>;

interface Waiting extends Taken {
  part: ModelPart;
  payer: AccountId | undefined;
  day: string;
  lastAt: number;
}

/** How much of `2026-11-23` names a day, and how much a month. */
const LENGTHS = { day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length } as const;

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
        for (const { payer, ...one } of waiting) {
          addTaken(db, one, one);
          if (payer !== undefined)
            addPaid(db, { ...one, account: payer, month: monthOf(one.day) }, one.tokens);
        }
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

  /** The rest of a part that has had its tokens of a day or month; undefined where it has not. */
  function restOf(part: ModelPart, of: Rest['of'], limit: number | undefined): Rest | undefined {
    if (limit === undefined) return undefined;
    const now = clock.now();
    const { tokens, last_at } = taken(part, dayOf(now).slice(0, LENGTHS[of]));
    if (tokens < limit) return undefined;
    const { from, until } = boundsOf(of, now);
    // A limit of 0 rests before anything was taken.
    return { since: last_at === 0 ? from : last_at, until, limit, of };
  }

  return {
    meter: (part, { tokensPerDay, tokensPerMonth }, payer) => ({
      rest: () => restOf(part, 'month', tokensPerMonth) ?? restOf(part, 'day', tokensPerDay),
      note({ tokens, failed }) {
        if (isStopped) return;
        const now = clock.now();
        const calls = { calls: 1, failed: failed ? 1 : 0 };
        waiting.push({ part, payer, day: dayOf(now), lastAt: now, tokens, ...calls });
        save();
      },
    }),
    of(part) {
      const day = dayOf(clock.now());
      const month = taken(part, monthOf(day));
      return {
        tokens_today: taken(part, day).tokens,
        tokens_month: month.tokens,
        calls_month: month.calls,
        failed_month: month.failed,
        by: store
          .read((db) => findPayers(db, part, monthOf(day)))
          .map(({ public_id: account, kind, email, tokens }) => ({
            account,
            name: email ?? (kind === 'machine' ? 'this machine' : account),
            tokens_month: tokens,
          })),
      };
    },
    stop() {
      isStopped = true;
    },
  };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, LENGTHS.day);
}

function monthOf(day: string): string {
  return day.slice(0, LENGTHS.month);
}

/** When the UTC day or month of a time began, and when the next one begins. */
function boundsOf(of: Rest['of'], time: number): { from: number; until: number } {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return of === 'month'
    ? { from: Date.UTC(year, month), until: Date.UTC(year, month + 1) }
    : { from: Date.UTC(year, month, day), until: Date.UTC(year, month, day + 1) };
}
