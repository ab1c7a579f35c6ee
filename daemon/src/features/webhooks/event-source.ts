import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Event, EventType } from '@reverie/shared/contract/events/events';
import type { EventOrigin, NewEvent } from '../../db/change.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** What says whether a webhook wants an event, without what changed. */
export interface EventHeader {
  seq: number;
  id: string;
  type: EventType;
  namespace: string;
  origin: EventOrigin;
}

/** The event log, as webhooks use it. */
export interface EventSource {
  /** The last `seq` that was given out. */
  newest(db: ReadDb): number;
  /** Accounts with an event after a `seq`. */
  accountsAfter(db: ReadDb, seq: number): AccountId[];
  /** Events of an account after a `seq`, in order. */
  after(db: ReadDb, account: AccountId, page: { seq: number; limit: number }): EventHeader[];
  /** An event as it stands now: what was deleted since is no longer in it. */
  find(db: ReadDb, account: AccountId, seq: number): Event | undefined;
  record(db: WriteDb, event: NewEvent): void;
}
