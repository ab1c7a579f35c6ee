import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Actor, EventType } from '@reverie/shared/contract/events';
import type { JsonObject } from '@reverie/shared/contract/fields';

/**
 * Where a change came from: made here, read from a file, made on another device, or there already when this device joined a namespace.
 * Webhooks get local ones unless told otherwise.
 */
export type Origin = 'local' | 'import' | 'device' | 'joined';

/** Whose change it is, who made it, and from where: every write carries it. */
export interface Author {
  account: AccountId;
  actor: Actor;
  origin: Origin;
}

/** Whether other devices know of a change before this one does: sync does not tell it again, and no quota here counts it. */
export function isFromElsewhere({ origin }: Pick<Author, 'origin'>): boolean {
  return origin === 'device' || origin === 'joined';
}

/** An event to be written with its change. */
export interface NewEvent extends Author {
  type: EventType;
  namespace: string;
  /** The memory that it is about, so that deleting the memory finds its events. */
  key: string | null;
  before: JsonObject | null;
  after: JsonObject | null;
}
