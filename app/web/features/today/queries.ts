import { listDreams, listInsights } from '@reverie/shared/contract/dreams';
import { listEvents } from '@reverie/shared/contract/events';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { isSnoozed } from '../dreams/queries.ts';
import { readable } from '../dreams/readable.ts';
import { startOfYesterday } from './recent-doings.ts';

/** Days that the notes name: more than a calendar of some weeks shows. */
const COMING_UP = 50;
/** More than anybody decides on before it is done for today, with some of the calendar among them. */
const DECIDED = 20;
const EVENTS = 1_000;

/** What comes up in all namespaces, the soonest first. */
export const comingUpQuery = queryOptions({
  queryKey: ['dreams', 'insights', '*', 'coming-up'],
  queryFn: async ({ signal }) => {
    const query = { status: 'proposed', strategy: 'forecast', order: 'kind', limit: COMING_UP } as const;
    const { insights, next } = await call(listInsights, { query }, { signal });
    const now = Date.now();
    return {
      insights: insights.filter((insight) => !isSnoozed(insight, now)).map(readable),
      isMore: next !== null,
    };
  },
});

/** How many proposals were decided on since a time, those of the calendar not among them. */
export function decidedQuery(since: number) {
  const decided_since = new Date(since).toISOString();
  return queryOptions({
    queryKey: ['dreams', 'insights', '*', 'decided', decided_since],
    queryFn: async ({ signal }) => {
      const { insights } = await call(listInsights, { query: { decided_since, limit: DECIDED } }, { signal });
      return insights.filter(({ strategy }) => strategy !== 'forecast').length;
    },
  });
}

/** Whether there ever was a dream. */
export const hasDreamtQuery = queryOptions({
  queryKey: ['dreams', 'jobs', '*', 'any'],
  queryFn: async ({ signal }) =>
    (await call(listDreams, { query: { limit: 1 } }, { signal })).jobs.length > 0,
});

/** What happened to memories since yesterday, of the newest thousand events. */
export const sinceQuery = queryOptions({
  queryKey: ['events', 'since-yesterday'],
  queryFn: async ({ signal }) => {
    const { events } = await call(listEvents, { query: { family: 'memory', limit: EVENTS } }, { signal });
    const from = startOfYesterday(Date.now());
    return events.filter(({ created_at }) => Date.parse(created_at) >= from);
  },
});
