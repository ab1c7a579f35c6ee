import { memoryGraph } from '@reverie/shared/contract/graph';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

/** Memories in one picture: more would be a ball of wool. */
const NODES = 120;

export function graphQuery(namespace: string, key: string | undefined) {
  return queryOptions({
    queryKey: ['memories', namespace, 'graph', key ?? 'newest'],
    queryFn: ({ signal }) =>
      call(
        memoryGraph,
        { query: { namespace, limit: NODES, ...(key !== undefined && { key }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}
