import { listInsights } from '@reverie/shared/contract/dreams';
import { listEvents } from '@reverie/shared/contract/events';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { readable } from '../dreams/words.ts';
import { startOfYesterday } from './recent-doings.ts';

/** As many proposals as one asks for at once: more than anybody decides in a day. */
const PROPOSALS = 200;
const EVENTS = 1_000;

/** What dreams of all namespaces propose, as they are worked off; `isMore` where there are more than are named. */
export const proposalsQuery = queryOptions({
  queryKey: ['dreams', 'insights', '*', 'today'],
  queryFn: async ({ signal }) => {
    const { insights, next } = await call(
      listInsights,
      { query: { status: 'proposed', order: 'kind', limit: PROPOSALS } },
      { signal },
    );
    return { insights: insights.map(readable), isMore: next !== null };
  },
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
