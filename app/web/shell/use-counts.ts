import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { titleOf } from '../features/dreams/readable.ts';
import { unreadQuery } from '../features/inbox/queries.ts';
import { waitingQuery } from '../features/dreams/queries.ts';
import { formatCount } from '../platform/format.ts';

/** Unread messages by namespace; undefined while that is not known. */
export function useUnread(): readonly { namespace: string; count: number }[] | undefined {
  return useQuery(unreadQuery).data;
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
