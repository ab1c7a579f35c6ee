import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { byteLength, type JsonObject } from '@reverie/shared/contract/fields';
import type { InboxMessage } from '@reverie/shared/contract/events/inbox';
import { Problem } from '@reverie/shared/contract/problems';
import type { Author, NewEvent } from '../../db/change.ts';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import { newUlid } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import {
  ackMessageRow,
  countUnread,
  dropMessagesBefore,
  insertMessage,
  type InboxPlace,
  type SoughtMessages,
  readMessages,
  unreadByNamespace,
  unreadMessages,
} from './inbox.store.ts';

export interface InboxDeps {
  store: Store;
  clock: Clock;
  record: (db: WriteDb, event: NewEvent) => void;
  /** Counts what is stored. Throws `storage_exceeded`. */
  makeRoom: (db: WriteDb, account: AccountId, bytes: number) => void;
}

export interface MessageToSend {
  namespace: string;
  from: string;
  kind: string;
  payload: JsonObject;
  /** The message that this one answers. */
  in_reply_to?: string | undefined;
}

/** Other inboxes that are told of. */
const MOST_ELSEWHERE = 20;

/** Keeps a message and tells of it, in one transaction; answers its id. */
export function sendMessage(
  { store, clock, record, makeRoom }: InboxDeps,
  author: Author,
  message: MessageToSend,
): string {
  const { namespace, from, kind, payload, in_reply_to = null } = message;
  const now = clock.now();
  const id = `msg_${newUlid(now)}`;
  const after = { id, from, kind, payload, ...(in_reply_to !== null && { in_reply_to }) };
  store.write((db) => {
    insertMessage(db, { ...message, in_reply_to, id, account: author.account, created_at: now });
    makeRoom(db, author.account, byteLength(JSON.stringify(after)));
    record(db, {
      ...author,
      type: 'channel.message',
      namespace,
      key: null,
      before: null,
      after,
    });
  });
  return id;
}

export interface InboxPage {
  onlyUnread: boolean;
  /** `u.` or `r.` and the id that the page before ended with. */
  cursor: string | undefined;
  limit: number;
}

/** A page of an inbox: unread messages first, oldest first; then read ones, newest first. */
export function listMessages(
  { store }: Pick<InboxDeps, 'store'>,
  sought: SoughtMessages,
  { onlyUnread, cursor, limit }: InboxPage,
): { unread: number; messages: InboxMessage[]; next: string | null } {
  return store.read((db) => {
    const isPast = cursor?.startsWith('r.') === true;
    const after = cursor?.slice(2) ?? '';
    const unread = isPast ? [] : unreadMessages(db, sought, { after, limit });
    const left = onlyUnread ? 0 : limit - unread.length;
    const read = left > 0 ? readMessages(db, sought, { after: isPast ? after : '', limit: left }) : [];
    const messages = [...unread, ...read];
    const last = messages.at(-1);
    const isFull = messages.length === limit && last !== undefined;
    return {
      unread: countUnread(db, sought),
      messages,
      next: isFull ? `${last.acked_at === null ? 'u' : 'r'}.${last.id}` : null,
    };
  });
}

/** Marks a message as read; doing it again keeps the first time. */
export function ackMessage(
  { store, clock }: Pick<InboxDeps, 'store' | 'clock'>,
  place: InboxPlace,
  id: string,
): number {
  const ackedAt = store.write((db) => ackMessageRow(db, place, { id, now: clock.now() }));
  if (ackedAt === undefined)
    throw new Problem(
      'message_not_found',
      `There is no message ${JSON.stringify(id)} in the inbox of ${JSON.stringify(place.namespace)}`,
    );
  return ackedAt;
}

/** The inboxes that a caller may read and that have unread messages, those with the most first; without `here`, and without those of `notFrom`. */
export function unreadInboxes(
  { store }: Pick<InboxDeps, 'store'>,
  { account, readable }: Pick<Caller, 'account' | 'readable'>,
  { here, notFrom = null }: { here?: string; notFrom?: string | null },
): { namespace: string; unread: number }[] {
  return store
    .read((db) => unreadByNamespace(db, { account, notFrom }))
    .filter(({ namespace }) => namespace !== here && readable(namespace))
    .slice(0, MOST_ELSEWHERE);
}

/** Drops messages that were read longer ago than events are kept; unread ones stay. */
export function startInboxSweep(deps: { store: Store; clock: Clock; log: Log; retentionDays: number }): Stop {
  const { store, clock, log, retentionDays } = deps;
  const timer = clock.every(600_000, () => {
    try {
      store.write((db) => dropMessagesBefore(db, clock.now() - retentionDays * 86_400_000));
    } catch (err) {
      log.warn({ err }, 'old messages could not be swept; it is tried again in 10 minutes');
    }
  });
  return () => timer.stop();
}
