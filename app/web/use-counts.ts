import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { titleOf } from './features/dreams/readable.ts';
import { inboxesQuery, unreadQuery } from './features/inbox/queries.ts';
import { waitingQuery } from './features/dreams/queries.ts';
import { formatCount } from './platform/format.ts';

/** Inboxes whose unread messages are counted: there may be thousands of namespaces. */
const COUNTED = 20;

/** Unread messages by namespace, of those that got any lately; undefined while that is not known. */
export function useUnread(): readonly { namespace: string; count: number }[] | undefined {
  const { data: heard } = useQuery(inboxesQuery);
  const names = (heard ?? []).slice(0, COUNTED);
  const counts = useQueries({ queries: names.map((name) => unreadQuery(name)) });
  if (!heard || counts.some(({ isPending }) => isPending)) return undefined;
  return names.flatMap((namespace, at) => {
    const count = counts[at]?.data ?? 0;
    return count > 0 ? [{ namespace, count }] : [];
  });
}

/**
 * What waits for a decision or to be read, by the view where that is done; what is 0 is left out. Proposals are those of `waitingQuery`: neither
 * what comes up nor what was put off. A place that leads to both counts both together; the desk and Today say each by its name.
 */
export function useCounts(): Readonly<Partial<Record<string, string>>> {
  const { data } = useQuery(waitingQuery());
  const unread = (useUnread() ?? []).reduce((sum, { count }) => sum + count, 0);
  const waiting = data?.waiting ?? 0;
  return {
    ...(waiting > 0 && { '/dreams': formatCount(waiting) }),
    ...(unread > 0 && { '/inbox': formatCount(unread) }),
    ...(waiting + unread > 0 && { review: formatCount(waiting + unread) }),
  };
}

/** Names the view in the tab of the browser, and how many proposals wait. */
export function useTitle(view: string): void {
  const { data } = useQuery(waitingQuery());
  const title = titleOf(view, data?.waiting);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
