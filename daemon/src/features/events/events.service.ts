import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Author } from '@reverie/shared/contract/author';
import type { Event, listEvents } from '@reverie/shared/contract/events/events';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { authorsOf } from '../../db/authors.ts';
import type { NewEvent } from '../../db/change.ts';
import type { ReadDb, Store, WriteDb } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import { newUlid } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { type DoingRow, doingsSince } from './doings.store.ts';
import {
  accountEnds,
  deletionsShown,
  dropEventsBefore,
  eventsAfter,
  hasRemovedWords,
  insertEvent,
  logEnds,
  newestEvents,
  redactDeletion,
} from './events.store.ts';

const DAY = 86_400_000;
/** How long a delete event still shows what was deleted, for those who follow the log. */
const DELETED_SHOWN = 60_000;
/** How long it shows it at most, where deliveries of it are still to come. */
const DELETED_SHOWN_LONGEST = DAY;

/** Writes an event in the transaction of its change, so that neither is ever without the other; `written` is told once it is on disk. */
export type RecordEvent = (db: WriteDb, event: NewEvent) => void;

export function createRecorder({ clock, written }: { clock: Clock; written: () => void }): RecordEvent {
  return (db, event) => {
    db.afterCommit(written);
    const created_at = clock.now();
    insertEvent(db, { ...event, id: `evt_${newUlid(created_at)}`, created_at });
  };
}

/** An event as a key may see it: where a memory was moved, what it was or is in a namespace that the key cannot read is left out. */
export function withoutOthers(event: Event, readable: (namespace: string) => boolean): Event {
  const told = (state: Event['data']['before']) => {
    const namespace = state?.['namespace'];
    return typeof namespace === 'string' && !readable(namespace) ? null : state;
  };
  return { ...event, data: { before: told(event.data.before), after: told(event.data.after) } };
}

/**
 * A page of an account's events: those after `since`, or the newest where none is given. `reset` says that the log has no
 * such place (any more), so that the page begins with the oldest event; `next` is the `since` of the page after it.
 */
export function pageOfEvents(
  { store, logId }: { store: Store; logId: string },
  { account, within, readable }: Pick<Caller, 'account' | 'within' | 'readable'>,
  query: Parsed<typeof listEvents>['query'],
): Reply<typeof listEvents> {
  return store.read((db) => {
    const { oldest, newest } = logEnds(db);
    const filter = {
      account,
      family: query.family ?? null,
      type: query.type ?? null,
      namespace: query.namespace ?? null,
      within,
      actorKind: query.actor_kind ?? null,
      actorId: query.actor_id ?? null,
      limit: query.limit,
    };
    const { since } = query;
    const reset =
      since !== undefined &&
      (since + 1 < oldest || since > newest || (query.log_id !== undefined && query.log_id !== logId));
    const events = (
      since === undefined ? newestEvents(db, filter) : eventsAfter(db, filter, reset ? oldest - 1 : since)
    ).map((event) => withoutOthers(event, readable));
    // What others write is not told: an account sees the ends of its own events only.
    const own = accountEnds(db, account);
    const full = events.length === query.limit && since !== undefined;
    const upToDate = Math.max(own.newest, reset ? 0 : (since ?? 0));
    return {
      log_id: logId,
      oldest_seq: own.oldest,
      newest_seq: own.newest,
      reset,
      next: full ? (events.at(-1)?.seq ?? upToDate) : upToDate,
      events,
    };
  });
}

/** Events that are looked at for what was done. */
const DONE_AMONG = 20_000;

/** What was done to the memories that a caller may read since a time, ms since 1970. */
export function recentDoings(
  { store }: { store: Store },
  { account, within }: Pick<Caller, 'account' | 'within'>,
  since: number,
): (DoingRow & { author?: Author | undefined })[] {
  return store.read((db) => {
    const name = authorsOf(db, account);
    return doingsSince(db, { account, within, since, limit: DONE_AMONG }).map((row) => {
      const author = row.actor_kind === 'device' ? name(`device:${row.actor_id}`) : undefined;
      return { ...row, ...(author && { author }) };
    });
  });
}

/** The place of the log at this moment, from which an account's stream goes on. */
export function endOfLog(
  { store, logId }: { store: Store; logId: string },
  account: AccountId,
): { since: number; log_id: string } {
  return { since: store.read((db) => accountEnds(db, account)).newest, log_id: logId };
}

export interface SweepDeps {
  store: Store;
  clock: Clock;
  log: Log;
  retentionDays: number;
  deliveries: {
    /** Whether an event still has deliveries to come. */
    isAwaited: (db: ReadDb, account: AccountId, seq: number) => boolean;
    /** Takes out what receivers answered to an event. */
    forget: (db: WriteDb, account: AccountId, seq: number) => void;
  };
}

/**
 * Makes deletion final: takes what was deleted out of delete events a minute later (or once they were
 * delivered, a day later at the latest), and empties the write-ahead log, where the old pages still stand.
 * Also drops events older than the retention.
 */
export function sweepEvents({ store, clock, retentionDays, deliveries }: Omit<SweepDeps, 'log'>): void {
  const now = clock.now();
  const redacted = store.write((db) => {
    const due = deletionsShown(db, now - DELETED_SHOWN).filter(
      ({ account, seq, created_at }) =>
        created_at < now - DELETED_SHOWN_LONGEST ||
        // The log is emptied of its words, too.
        !(deliveries.isAwaited(db, account, seq) || hasRemovedWords(db, account)),
    );
    for (const { account, seq } of due) {
      redactDeletion(db, seq);
      deliveries.forget(db, account, seq);
    }
    return due.length;
  });
  const dropped = store.write((db) => dropEventsBefore(db, now - retentionDays * DAY));
  if (redacted > 0 || dropped > 0) store.checkpoint();
}

export function startEventSweep(deps: SweepDeps): Stop {
  const timer = deps.clock.every(30_000, () => {
    try {
      sweepEvents(deps);
    } catch (err) {
      deps.log.warn({ err }, 'old events could not be swept; it is tried again in 30 s');
    }
  });
  return () => timer.stop();
}
