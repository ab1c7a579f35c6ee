import type { InboxMessage } from '@reverie/shared/contract/events/inbox';

/** Who a person is in an inbox: what is sent from the page is from this one, and not unread there. */
export const PERSON = 'person';

/** A message of somebody else, and what the person answered. */
export interface Thread {
  message: InboxMessage;
  replies: readonly InboxMessage[];
}

/** What others left, unread first, each with its answers: unread ones oldest first, then read ones newest first. */
export function threadsOf(messages: readonly InboxMessage[]): Thread[] {
  const isOwn = ({ from }: InboxMessage) => from === PERSON;
  const others = messages.filter((message) => !isOwn(message));
  const answered = Map.groupBy(messages.filter(isOwn), ({ in_reply_to }) => in_reply_to);
  const byAge = (a: InboxMessage, b: InboxMessage) => a.id.localeCompare(b.id);
  return others
    .toSorted((a, b) => {
      if ((a.acked_at === null) !== (b.acked_at === null)) return a.acked_at === null ? -1 : 1;
      return a.acked_at === null ? byAge(a, b) : byAge(b, a);
    })
    .map((message) => ({ message, replies: (answered.get(message.id) ?? []).toSorted(byAge) }));
}

/** `leaving`: it is about to be marked as read, which can still be undone. */
export type MessageState = 'unread' | 'leaving' | 'read';

/** Whether a message wants to be read; `leaving` are the ids of those that are about to be marked as read. */
export function stateOf({ message }: Thread, leaving: readonly string[]): MessageState {
  if (message.acked_at !== null) return 'read';
  return leaving.includes(message.id) ? 'leaving' : 'unread';
}
