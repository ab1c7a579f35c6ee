import { ApiError } from '@reverie/shared/client';
import { listEvents } from '@reverie/shared/contract/events';
import { listMessages } from '@reverie/shared/contract/inbox';
import { getMemory } from '@reverie/shared/contract/memories';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { partOfToday } from '../../platform/today.ts';

/** Messages come in by the stream; that somebody else read one is no event, so it is looked up. */
const LOOK_EVERY_MS = 10_000;
/** How long a key is taken to be there, or not. */
const KNOWN_MS = 60_000;

/** The first messages of a namespace: unread ones, then read ones. */
export function messagesQuery(namespace: string, limit: number) {
  return queryOptions({
    queryKey: ['inbox', namespace, 'messages', limit],
    queryFn: ({ signal }) => call(listMessages, { params: { namespace }, query: { limit } }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** How many messages of others are unread, by namespace, of those that have any. */
export const unreadQuery = queryOptions({
  queryKey: ['inboxes', 'unread'],
  queryFn: (context) => partOfToday('unread', context),
});

/** The namespaces that got messages lately: some hold no memories, so no other list knows them. */
export const inboxesQuery = queryOptions({
  queryKey: ['inboxes', 'heard'],
  queryFn: async ({ signal }) => {
    const { events } = await call(
      listEvents,
      { query: { type: 'channel.message', limit: 1000 } },
      { signal },
    );
    return [...new Set(events.map(({ namespace }) => namespace))];
  },
});

/** Whether there is a memory of a key. */
export function isThereQuery(namespace: string, key: string) {
  return queryOptions({
    queryKey: ['memories', namespace, 'is-there', key],
    staleTime: KNOWN_MS,
    queryFn: async ({ signal }) => {
      try {
        await call(getMemory, { body: { namespace, key } }, { signal });
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) return false;
        throw error;
      }
    },
  });
}
