import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from '../../platform/store.ts';
import { acks } from './acks.ts';
import { inboxesQuery, messagesQuery } from './queries.ts';
import { threadsOf, type Thread } from './threads.ts';

/** Namespaces that are read at once: there may be thousands. */
const AT_ONCE = 50;
/** Messages of a namespace that are read at once, and how many more each time; the interface gives a thousand at most. */
const STEP = 50;
const MOST = 1_000;

/** What an inbox has, of one namespace or of all that got messages. */
export interface Inbox {
  /** Undefined while they are on their way. */
  threads: readonly Thread[] | undefined;
  unread: number;
  error: Error | undefined;
  retry: () => void;
  /** Shows more; undefined where there are no more. */
  more: (() => void) | undefined;
}

export function useInbox(namespace: string | undefined): Inbox {
  const heard = useQuery(inboxesQuery);
  const [limit, setLimit] = useState(STEP);
  const names = namespace === undefined ? (heard.data ?? []).slice(0, AT_ONCE) : [namespace];
  const pages = useQueries({ queries: names.map((name) => messagesQuery(name, limit)) });
  const waiting = useStore(acks.waiting);
  const isThere = (namespace !== undefined || !heard.isPending) && pages.every(({ data }) => data);
  const threads = threadsOf(pages.flatMap(({ data }) => data?.messages ?? []));
  const failed = [heard, ...pages].find(({ isError, data }) => isError && !data);
  const isLeft = (id: string) => waiting.some(({ item }) => item.id === id);
  return {
    threads: isThere ? threads : undefined,
    unread: threads.filter(({ message }) => message.acked_at === null && !isLeft(message.id)).length,
    error: failed?.error ?? undefined,
    retry: () => void Promise.all([heard, ...pages].map((query) => query.refetch())),
    more:
      limit < MOST && pages.some(({ data }) => data?.next !== null)
        ? () => setLimit(Math.min(MOST, limit * 2))
        : undefined,
  };
}
