import {
  dreamHealth,
  getInsight,
  listDreams,
  listInsights,
  type DreamJob,
  type Insight,
} from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { partOfToday, type Today } from '../../platform/queries/today.ts';
import { readable } from './readable.ts';

const PAGE = 50;
/** As many proposals as the daemon hands out at once: a kind is to be seen, and decided on, as a whole. */
const PROPOSALS = 200;
/** Progress of a strategy is told by events; how long it runs is looked up while one does. */
const LOOK_EVERY_MS = 1_000;

/** Proposals that one decides on in a day, at most: then it is done for today. */
export const A_DAY = 7;

/** What is listed: what waits for a decision, what was put off, and what was decided. */
export const shelves = ['waiting', 'snoozed', 'accepted', 'rejected'] as const;
export type Shelf = (typeof shelves)[number];

export interface InsightFilter {
  /** Undefined for all of them. */
  namespace: string | undefined;
  shelf: Shelf;
  strategy: Strategy | undefined;
}

/** Whether days are listed, and nothing that is to be decided. */
export function isCalendar({ shelf, strategy }: Pick<InsightFilter, 'shelf' | 'strategy'>): boolean {
  return shelf === 'waiting' && strategy === 'forecast';
}

/** Asks for what lies on a shelf. What comes up waits for nobody, so it is there where it alone is asked for. */
function onShelf({ shelf, strategy }: Pick<InsightFilter, 'shelf' | 'strategy'>) {
  switch (shelf) {
    case 'waiting': {
      const proposed = { status: 'proposed', order: 'kind', limit: PROPOSALS } as const;
      return isCalendar({ shelf, strategy }) ? proposed : ({ ...proposed, waiting: 'true' } as const);
    }
    case 'snoozed':
      return { status: 'proposed', waiting: 'false', order: 'kind', limit: PROPOSALS } as const;
    case 'accepted':
    case 'rejected':
      return { status: shelf, limit: PAGE } as const;
  }
}

/** Whether a proposal is put off still. */
export function isSnoozed({ snoozed_until }: Pick<Insight, 'snoozed_until'>, now: number): boolean {
  return snoozed_until !== null && Date.parse(snoozed_until) > now;
}

function isOn(shelf: Shelf, insight: Insight): boolean {
  return (shelf === 'snoozed') === (insight.status === 'proposed' && isSnoozed(insight, Date.now()));
}

export function insightsQuery({ namespace, shelf, strategy }: InsightFilter) {
  return infiniteQueryOptions({
    queryKey: ['dreams', 'insights', namespace ?? '*', shelf, strategy ?? 'all'],
    queryFn: ({ signal, pageParam }) =>
      call(
        listInsights,
        {
          query: {
            ...onShelf({ shelf, strategy }),
            ...(namespace !== undefined && { namespace }),
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
      pages: data.pages.map((page) => ({
        ...page,
        insights: page.insights.filter((insight) => isOn(shelf, insight)).map(readable),
      })),
    }),
  });
}

/** What Today says of the proposals that wait, as it is shown. */
export function waitingOf({ count, insights }: NonNullable<Today['to_decide']>) {
  return { insights: insights.map(readable), waiting: count };
}

/** The strongest proposals that wait, in all namespaces, and how many there are: the one number that the whole page shows. */
export function waitingQuery(limit = A_DAY) {
  return queryOptions({
    queryKey: ['dreams', 'insights', '*', 'waiting', 'best', limit],
    queryFn: async (context) => {
      if (limit === A_DAY) return waitingOf(await partOfToday('to_decide', context));
      const { signal } = context;
      const query = { waiting: 'true', order: 'best', limit } as const;
      const { insights, waiting } = await call(listInsights, { query }, { signal });
      return { insights: insights.map(readable), waiting };
    },
  });
}

/** As many of them as are handed out at once. */
export const allWaitingQuery = waitingQuery(PROPOSALS);

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
