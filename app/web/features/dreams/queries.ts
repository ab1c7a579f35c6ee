import {
  dreamHealth,
  getInsight,
  listDreams,
  listInsights,
  type DreamJob,
  type InsightState,
} from '@reverie/shared/contract/dreams';
import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import { getMemory } from '@reverie/shared/contract/memories';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { readable } from './words.ts';

const PAGE = 50;
/** Progress of a strategy is told by events; how long it runs is looked up while one does. */
const LOOK_EVERY_MS = 1_000;

export interface InsightFilter {
  /** Undefined for all of them. */
  namespace: string | undefined;
  status: InsightState;
  strategy: Strategy | undefined;
}

export function insightsQuery({ namespace, status, strategy }: InsightFilter) {
  return infiniteQueryOptions({
    queryKey: ['dreams', 'insights', namespace ?? '*', status, strategy ?? 'all'],
    queryFn: ({ signal, pageParam }) =>
      call(
        listInsights,
        {
          query: {
            ...(namespace !== undefined && { namespace }),
            status,
            limit: PAGE,
            order: status === 'proposed' ? 'kind' : 'newest',
            ...(strategy && { strategy }),
            ...(pageParam !== undefined && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: (data) => ({
      ...data,
      pages: data.pages.map((page) => ({ ...page, insights: page.insights.map(readable) })),
    }),
  });
}

export function insightQuery(id: string) {
  return queryOptions({
    queryKey: ['dreams', 'insight', id],
    queryFn: ({ signal }) => call(getInsight, { params: { id } }, { signal }),
    select: readable,
  });
}

export function jobsQuery(namespace: string) {
  return queryOptions({
    queryKey: ['dreams', 'jobs', namespace],
    queryFn: async ({ signal }) =>
      (await call(listDreams, { query: { namespace, limit: PAGE } }, { signal })).jobs,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_EVERY_MS : false),
  });
}

export function healthQuery(namespace: string) {
  return queryOptions({
    queryKey: ['dreams', 'health', namespace],
    queryFn: ({ signal }) => call(dreamHealth, { query: { namespace } }, { signal }),
  });
}

/** The whole memory behind a piece of evidence; null where it is gone. */
export function evidenceQuery(namespace: string, key: string) {
  return queryOptions({
    queryKey: ['memories', namespace, 'one', key],
    queryFn: ({ signal }) => call(getMemory, { body: { namespace, key } }, { signal }),
    retry: false,
  });
}

export function isUnderWay(job: DreamJob): boolean {
  return job.status === 'queued' || job.status === 'running';
}
