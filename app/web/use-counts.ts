import { useQueries, useQuery } from '@tanstack/react-query';
import { inboxesQuery, unreadQuery } from './features/inbox/queries.ts';
import { proposalsQuery } from './features/today/queries.ts';

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

/** What waits for a decision or to be read, by the view where that is done; what is 0 is left out. */
export function useCounts(): Readonly<Partial<Record<string, string>>> {
  const { data } = useQuery(proposalsQuery);
  const unread = (useUnread() ?? []).reduce((sum, { count }) => sum + count, 0);
  const proposals = data?.insights.length ?? 0;
  return {
    ...(proposals > 0 && { '/dreams': `${proposals}${data?.isMore ? '+' : ''}` }),
    ...(unread > 0 && { '/inbox': String(unread) }),
  };
}
