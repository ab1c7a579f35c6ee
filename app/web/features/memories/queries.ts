import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import {
  getMemory,
  listMemories,
  memoryClasses,
  type ListedMemory,
  type ListOrder,
  type Memory,
  type MemoryClass,
} from '@reverie/shared/contract/memories/memories';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import type { Received } from '@reverie/shared/contract/route';
import { type SearchHit, searchMemories } from '@reverie/shared/contract/search/search';
import { call } from '../../platform/daemon/api.ts';
import { type MemoryAddress, idOf, isSame } from './address.ts';
import { PAGE } from './list/paging.ts';
import { countTags } from './tags.ts';

/** What a list shows: one namespace or every one (`*`), perhaps of one class and what operators leave, in one order. */
export interface ListView {
  namespace: string;
  class: MemoryClass | undefined;
  /** Operators of a search, and nothing else: `tag:adr`; empty for all. */
  operators: string;
  order: ListOrder;
}

/** A memory of a list or of a search; only the latter has a score. */
export type ListRow = ListedMemory & Partial<Pick<SearchHit, 'score' | 'passage' | 'weaker'>>;

/** Characters of a value that a list needs: a sentence whole, or how a note begins; whole values may have a million. */
const PREVIEW = 300;
/** Search hits that are asked for; the daemon gives 200 at most. */
export const HITS = 100;

/** When a memory stands where it does in a list: when it was changed or made, or the day that it is of. */
export function timeIn(
  order: ListOrder,
  { created_at, updated_at, noted_at }: Pick<ListedMemory, 'created_at' | 'updated_at' | 'noted_at'>,
): string {
  if (order === 'updated') return updated_at;
  return order === 'created' ? created_at : (noted_at ?? created_at);
}

export function classOf(given: string | undefined): MemoryClass | undefined {
  return memoryClasses.find((one) => one === given);
}

function filterOf({ namespace, class: only }: ListView) {
  return { namespace, ...(only && { class: only }) };
}

function listOf(view: ListView) {
  const { operators: query, order } = view;
  return { ...filterOf(view), order, ...(query !== '' && { query }) };
}

export function pageQuery(view: ListView, offset: number) {
  const { namespace, order, operators } = view;
  return queryOptions({
    queryKey: ['memories', namespace, 'page', view.class ?? 'all', operators, order, offset],
    queryFn: ({ signal }) =>
      call(listMemories, { body: { ...listOf(view), preview: PREVIEW, offset, limit: PAGE } }, { signal }),
  });
}

/** How far a list is looked through for a memory that was linked to. */
const LOOKED_THROUGH = 2_000;
const AT_ONCE = 1_000;

/** At which place of a list a memory stands; null where it is further down than anybody would scroll to. */
export function placeQuery(view: ListView, memory: MemoryAddress) {
  const { namespace, order, operators } = view;
  return queryOptions({
    queryKey: ['memories', namespace, 'place', view.class ?? 'all', operators, order, idOf(memory)],
    queryFn: async ({ signal }) => {
      for (let offset = 0; offset < LOOKED_THROUGH; offset += AT_ONCE) {
        const body = { ...listOf(view), values: false, offset, limit: AT_ONCE };
        const { memories } = await call(listMemories, { body }, { signal });
        const at = memories.findIndex((one) => isSame(one, memory));
        if (at >= 0) return offset + at;
        if (memories.length < AT_ONCE) return null;
      }
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The tags of the memories that were changed last, with how many have them. */
export function tagsQuery(namespace: string) {
  return queryOptions({
    queryKey: ['memories', namespace, 'tags'],
    queryFn: async ({ signal }) => {
      const body = { namespace, values: false, order: 'updated', limit: AT_ONCE } as const;
      return countTags((await call(listMemories, { body }, { signal })).memories);
    },
    staleTime: 30_000,
  });
}

/** The best that another namespace has for a query. */
export function bestQuery(namespace: string, query: string) {
  return queryOptions({
    queryKey: ['memories', namespace, 'best', query],
    queryFn: async ({ signal }) => {
      const body = { namespace, query, limit: 1, preview: PREVIEW };
      return (await call(searchMemories, { body }, { signal })).results[0] ?? null;
    },
  });
}

export function searchQuery(view: ListView, q: string) {
  return queryOptions({
    queryKey: ['memories', view.namespace, 'search', view.class ?? 'all', q],
    queryFn: ({ signal }) =>
      call(
        searchMemories,
        // Explained for the words that were looked for as others.
        { body: { ...filterOf(view), query: q, limit: HITS, preview: PREVIEW, explain: true } },
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

/** A memory as a list has it, where that holds the whole of it; undefined where it has to be fetched. */
export function knownInLists(queries: QueryClient, at: MemoryAddress): Memory | undefined {
  for (const namespace of [at.namespace, EVERY_NAMESPACE])
    for (const [, page] of queries.getQueriesData<ListedPage>({
      queryKey: ['memories', namespace, 'page'],
    })) {
      const row = page?.memories.find((one) => isSame(one, at));
      if (row) return wholeOf(row);
    }
  return undefined;
}

type ListedPage = Received<typeof listMemories>;

function wholeOf(row: ListedMemory): Memory | undefined {
  const { value, truncated } = row;
  return value === undefined || truncated ? undefined : { ...row, value };
}

/**
 * Fetches the whole texts around a place of a list, so that they are there when the keyboard comes to them. By the list, for nobody has read them yet; they are
 * asked for again when somebody does.
 */
export async function fetchAround(queries: QueryClient, view: ListView, index: number): Promise<void> {
  const body = { ...listOf(view), offset: Math.max(0, index - 1), limit: index > 0 ? 3 : 2 };
  const { memories } = await call(listMemories, { body });
  for (const row of memories) {
    const { queryKey } = memoryQuery(row.namespace, row.key);
    const whole = wholeOf(row);
    if (whole && queries.getQueryData(queryKey) === undefined)
      queries.setQueryData(queryKey, whole, { updatedAt: LONG_AGO });
  }
}

/** What was fetched then is fetched again where it is shown. */
const LONG_AGO = 1;

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
    ...[...changed, EVERY_NAMESPACE].map((namespace) =>
      queries.invalidateQueries({ queryKey: ['memories', namespace] }),
    ),
    queries.invalidateQueries({ queryKey: ['namespaces'] }),
  ]);
}
