import { type LinkKind, memoryGraph } from '@reverie/shared/contract/search/graph';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** Memories in a picture of a whole namespace, and around one memory: more would be a ball of wool. */
const NODES = { whole: 300, around: 80 } as const;

/** The memories of a namespace and what links them, or those around one of them. */
export function graphQuery(namespace: string, key: string | undefined, kinds: readonly LinkKind[]) {
  const limit = key === undefined ? NODES.whole : NODES.around;
  return queryOptions({
    queryKey: ['memories', namespace, 'graph', key ?? 'whole', kinds.join()],
    queryFn: ({ signal }) =>
      call(
        memoryGraph,
        { query: { namespace, limit, kinds: kinds.join(), ...(key !== undefined && { key }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}
