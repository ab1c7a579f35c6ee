import { listEvents } from '@reverie/shared/contract/events/events';
import { Key } from '@reverie/shared/contract/fields';
import { listMessages } from '@reverie/shared/contract/events/inbox';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { partOfToday } from '../../platform/queries/today.ts';

/** Messages come in by the stream; that somebody else read one is no event, so it is looked up. */
const LOOK_EVERY_MS = 10_000;
/** How long keys are taken to be there, or not. */
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

/** Which of some words are keys of memories, asked in one request. */
export function areThereQuery(namespace: string, words: readonly string[]) {
  const among = words.filter((word) => Key.safeParse(word).success);
  return queryOptions({
    queryKey: ['memories', namespace, 'are-there', ...among],
    staleTime: KNOWN_MS,
    enabled: among.length > 0,
    queryFn: async ({ signal }) =>
      (await call(memoryKeys, { query: { namespace, among, limit: among.length } }, { signal })).keys,
  });
}
