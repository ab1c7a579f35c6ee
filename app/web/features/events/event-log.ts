import type { Client } from '@reverie/shared/client';
import { listEvents } from '@reverie/shared/contract/events/events';
import type { FeedNews } from '../../platform/daemon/feed.ts';
import { createStore, type ValueStore } from '../../platform/store.ts';
import { afterDeletion, fits, rowOf, type EventFilter, type EventRow } from './event-row.ts';

/** What is known of the log, newest first. */
export interface EventLogState {
  rows: readonly EventRow[];
  /** Whether there is nothing older. */
  complete: boolean;
  phase: 'loading' | 'idle' | 'failed';
  error: Error | undefined;
}

export interface EventLog {
  state: ValueStore<EventLogState>;
  /** Fetches from the newest on; what was there is replaced. */
  reload(): Promise<void>;
  /** Fetches the events before the oldest one that is known. */
  older(): Promise<void>;
  hear(news: readonly FeedNews[]): void;
}

/** Events of one page; each may carry two whole values. */
const PAGE = 100;
/** A list that is left open for days does not grow beyond this; older rows can be fetched again. */
const KEPT = 5_000;
/** Pages that one look back reads at most, so that a rare kind in a long log does not take minutes. */
const MOST_PAGES = 40;
/** The log is read forwards only: looking back for rare ones goes through windows of at most so many numbers. */
const WIDEST = 20_000;

/** The event log under a filter: the newest events, older ones as they are asked for, and new ones as they happen. */
export function createEventLog(call: Client, filter: EventFilter): EventLog {
  const state = createStore<EventLogState>({
    rows: [],
    complete: false,
    phase: 'loading',
    error: undefined,
  });
  const change = (to: Partial<EventLogState>) => state.set({ ...state.get(), ...to });
  const query = {
    ...(filter.family && { family: filter.family }),
    ...(filter.namespace !== undefined && { namespace: filter.namespace }),
  };
  /** Counts the reloads: an answer to an earlier question is of no use any more. */
  let round = 0;
  let heard: EventRow[] = [];
  /** Everything from this `seq` on was looked at. */
  let seen = 0;
  let oldest = 1;

  const fetchOlder = async (): Promise<EventRow[]> => {
    let pages = 0;
    for (let width = PAGE; seen > oldest && pages < MOST_PAGES; width = Math.min(WIDEST, width * 4)) {
      const since = Math.max(oldest - 1, seen - 1 - width);
      const found: EventRow[] = [];
      for (let cursor = since; cursor < seen - 1;) {
        const page = await call(listEvents, { query: { ...query, since: cursor, limit: PAGE } });
        pages += 1;
        oldest = page.oldest_seq;
        found.push(...page.events.map(rowOf).filter((row) => row.seq < seen && fits(filter, row)));
        if (page.events.length < PAGE) break;
        cursor = page.next;
      }
      seen = since + 1;
      if (found.length > 0) return found.reverse();
    }
    return [];
  };
  const run = async (work: () => Promise<void>, mine: number) => {
    change({ phase: 'loading', error: undefined });
    try {
      await work();
    } catch (error) {
      if (mine === round)
        change({ phase: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  };

  const reload = () => {
    const mine = ++round;
    heard = [];
    return run(async () => {
      const page = await call(listEvents, { query: { ...query, limit: PAGE } });
      if (mine !== round) return;
      const fetched = page.events.map(rowOf);
      oldest = page.oldest_seq;
      seen = page.events.length < PAGE ? oldest : (fetched[0]?.seq ?? oldest);
      let rows: readonly EventRow[] = fetched.filter((row) => fits(filter, row)).reverse();
      if (rows.length === 0) rows = await fetchOlder();
      if (mine !== round) return;
      for (const row of heard) if (row.seq > page.newest_seq) rows = withNew(rows, row, filter);
      change({ rows, complete: seen <= oldest, phase: 'idle' });
    }, mine);
  };
  const older = async () => {
    const mine = round;
    const { phase, complete } = state.get();
    if (phase === 'loading' || complete) return;
    await run(async () => {
      const found = await fetchOlder();
      if (mine === round)
        change({ rows: [...state.get().rows, ...found], complete: seen <= oldest, phase: 'idle' });
    }, mine);
  };
  const hear = (news: readonly FeedNews[]) => {
    if (news.includes('missed')) return void reload();
    let { rows, complete } = state.get();
    for (const one of news) {
      if (one === 'missed') continue;
      const row = rowOf(one);
      if (state.get().phase === 'loading') heard.push(row);
      rows = withNew(rows, row, filter);
    }
    if (rows.length > KEPT) {
      rows = rows.slice(0, KEPT);
      seen = rows.at(-1)?.seq ?? seen;
      complete = false;
    }
    change({ rows, complete });
  };
  return { state, reload, older, hear };
}

/** The rows with one that just happened, and without what it deleted. */
function withNew(rows: readonly EventRow[], row: EventRow, filter: EventFilter): readonly EventRow[] {
  const isDeletion = row.type === 'memory.delete' || row.type === 'memory.clear';
  const before = isDeletion ? afterDeletion(rows, row) : rows;
  return fits(filter, row) ? [row, ...before] : before;
}
