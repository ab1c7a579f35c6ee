import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Actor, EventType } from '@reverie/shared/contract/events/events';
import type { JsonObject } from '@reverie/shared/contract/fields';

/**
 * Where a change came from: asked for here, done here by Reverie itself (`upkeep`: what expires, what follows from a deletion), read from a
 * file, made on another device, or there already when this device joined a namespace.
 */
export type Origin = 'local' | 'upkeep' | 'import' | 'device' | 'joined';

/** An origin as events keep it; webhooks get the local ones unless told otherwise. */
export type EventOrigin = Extract<Origin, 'local' | 'import' | 'device'>;

/** Whose change it is, who made it, and from where: every write carries it. */
export interface Author {
  account: AccountId;
  actor: Actor;
  origin: Origin;
}

/** A caller as the author of a change: its key makes it. */
export function authorOf(
  { account, key }: Pick<Caller, 'account' | 'key'>,
  origin: Origin = 'local',
): Author {
  return { account, actor: { kind: 'key', id: key.id }, origin };
}

/** Whether other devices know of a change before this one does: sync does not tell it again. */
export function isFromElsewhere({ origin }: Pick<Author, 'origin'>): boolean {
  return origin === 'device' || origin === 'joined';
}

/** Whether somebody asked for a change here, who can be told that it is refused: only then quotas count it and roles are looked at. */
export function isAskedFor({ origin }: Pick<Author, 'origin'>): boolean {
  return origin === 'local' || origin === 'import';
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
