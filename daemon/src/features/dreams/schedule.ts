import type { AccountId } from '@reverie/shared/accounts/caller';
import { readMeta, saveMeta } from '../../db/meta.store.ts';
import type { Store } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { changedNamespaces, dropJobsBefore } from './jobs/jobs.store.ts';

export interface ScheduleDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** `off`, or a time of day such as `03:30`, local time; a person may change it at any moment. */
  readonly at: string;
  start: (account: AccountId, namespace: string) => void;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A machine that slept through the time dreams when it wakes, but not in the next afternoon. */
const CATCH_UP = 6 * 60 * MINUTE;
/** Where the database says for which night the last dreams were started. */
const LAST = 'dream_schedule_last';

/** The last moment, at or before `now`, at which the clock on the wall showed a time of day. */
export function lastTime(now: number, at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const today = new Date(now);
  today.setHours(hours, minutes, 0, 0);
  if (today.getTime() > now) today.setDate(today.getDate() - 1);
  return today.getTime();
}

/** Starts a dream of each changed namespace once a night (from the next one on after a change of its time), and drops the records of dreams that ended a year ago and left no insight. */
export function startSchedule(deps: ScheduleDeps): Stop {
  let known = deps.at;
  const tick = (): void => {
    try {
      startDue(deps, deps.at !== known);
      known = deps.at;
    } catch (err) {
      deps.log.warn({ err }, 'the dreams of the night could not be started; it is tried again in a minute');
    }
  };
  const sweep = (): void => {
    try {
      deps.store.write((db) => dropJobsBefore(db, deps.clock.now() - 365 * DAY));
    } catch (err) {
      deps.log.warn({ err }, 'old dreams could not be dropped; it is tried again in 6 hours');
    }
  };
  const timers = [deps.clock.every(DAY / 4, sweep), deps.clock.every(MINUTE / 2, tick)];
  return () => {
    for (const timer of timers) timer.stop();
  };
}

function startDue({ store, clock, at, start }: ScheduleDeps, isNew: boolean): void {
  if (at === 'off') return;
  const due = lastTime(clock.now(), at);
  if (clock.now() - due > CATCH_UP || store.read((db) => readMeta(db, LAST)) === String(due)) return;
  store.write((db) => {
    saveMeta(db, LAST, String(due));
    for (const { account, namespace } of isNew ? [] : changedNamespaces(db)) start(account, namespace);
  });
}
