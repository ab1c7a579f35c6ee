import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import {
  getMemory,
  listMemories,
  memoryClasses,
  type ListedMemory,
  type MemoryClass,
} from '@reverie/shared/contract/memories';
import { memoryHistory } from '@reverie/shared/contract/history';
import { type SearchHit, searchMemories } from '@reverie/shared/contract/search';
import { call } from '../../platform/api.ts';
import { PAGE } from './paging.ts';

/** What a list shows: one namespace, perhaps of one class, in one order. */
export interface View {
  namespace: string;
  class: MemoryClass | undefined;
  order: 'created' | 'updated';
}

/** A memory of a list or of a search; only the latter has a score. */
export type Row = ListedMemory & Partial<Pick<SearchHit, 'score' | 'passage' | 'weaker'>>;

/** Characters of a value that a list needs; whole values may have a million. A search needs none: it shows passages. */
const PREVIEW = 240;
/** Search hits that are asked for; the daemon gives 200 at most. */
export const HITS = 100;

export function classOf(given: string | undefined): MemoryClass | undefined {
  return memoryClasses.find((one) => one === given);
}

function filterOf({ namespace, class: only }: View) {
  return { namespace, ...(only && { class: only }) };
}

export function pageQuery(view: View, offset: number) {
  return queryOptions({
    queryKey: ['memories', view.namespace, 'page', view.class ?? 'all', view.order, offset],
    queryFn: ({ signal }) =>
      call(
        listMemories,
        { body: { ...filterOf(view), preview: PREVIEW, order: view.order, offset, limit: PAGE } },
        { signal },
      ),
  });
}

export function searchQuery(view: View, q: string) {
  return queryOptions({
    queryKey: ['memories', view.namespace, 'search', view.class ?? 'all', q],
    queryFn: ({ signal }) =>
      call(
        searchMemories,
        // Explained for the words that were looked for as others.
        { body: { ...filterOf(view), query: q, limit: HITS, values: false, explain: true } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

export function memoryQuery(namespace: string, key: string) {
  return queryOptions({
    queryKey: ['memories', namespace, 'one', key],
    queryFn: ({ signal }) => call(getMemory, { body: { namespace, key } }, { signal }),
  });
}

export function historyQuery(namespace: string, key: string) {
  return queryOptions({
    queryKey: ['memories', namespace, 'history', key],
    queryFn: async ({ signal }) =>
      (await call(memoryHistory, { query: { namespace, key } }, { signal })).versions,
  });
}

/** Everything that is shown of these namespaces is fetched again. */
export async function refresh(queries: QueryClient, changed: Iterable<string>): Promise<void> {
  await Promise.all([
    ...[...changed].map((namespace) => queries.invalidateQueries({ queryKey: ['memories', namespace] })),
    queries.invalidateQueries({ queryKey: ['namespaces'] }),
  ]);
}
