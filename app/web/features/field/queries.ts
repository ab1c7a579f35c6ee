import { Query } from '@reverie/shared/contract/fields';
import { listMemories } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** As many as fit into the field's window beside views and actions. */
const HITS = 8;
const RECENT = 5;

/** What fits in the memories of all namespaces, and nothing that only comes near: the cut is the search's own. Nothing is asked for an empty text. */
export function everywhereQuery(text: string) {
  return queryOptions({
    queryKey: ['memories', '*', 'field', text],
    queryFn: async ({ signal }) => {
      const { results } = await call(
        searchMemories,
        { body: { query: text, namespace: '*', limit: HITS, values: false } },
        { signal },
      );
      return results.filter(({ weaker }) => !weaker);
    },
    enabled: Query.safeParse(text).success,
    placeholderData: keepPreviousData,
  });
}

/** What was changed last, in whatever namespace: for a field in which nothing is written yet. */
export const recentQuery = queryOptions({
  queryKey: ['memories', '*', 'field'],
  queryFn: async ({ signal }) =>
    (
      await call(
        listMemories,
        { body: { namespace: '*', limit: RECENT, order: 'updated', values: false } },
        { signal },
      )
    ).memories,
});
