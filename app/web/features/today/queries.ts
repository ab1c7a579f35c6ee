import { queryOptions } from '@tanstack/react-query';
import { partOfToday, type Today } from '../../platform/queries/today.ts';
import { readable } from '../dreams/readable.ts';

/** What Today says of what comes up, as it is shown. */
export function comingUpOf({ insights, more }: NonNullable<Today['coming_up']>) {
  return { insights: insights.map(readable), isMore: more };
}

/** What comes up in all namespaces, the soonest first. */
export const comingUpQuery = queryOptions({
  queryKey: ['dreams', 'insights', '*', 'coming-up'],
  queryFn: async (context) => comingUpOf(await partOfToday('coming_up', context)),
});

/** How many proposals were decided on since the reader's midnight, those of the calendar not among them. */
export function decidedQuery(midnight: number) {
  return queryOptions({
    queryKey: ['dreams', 'insights', '*', 'decided', new Date(midnight).toISOString()],
    queryFn: async (context) => (await partOfToday('decided', context)).count,
  });
}

/** Whether there ever was a dream. */
export const hasDreamtQuery = queryOptions({
  queryKey: ['dreams', 'jobs', '*', 'any'],
  queryFn: async (context) => (await partOfToday('decided', context)).dreamt,
});

/** What was done to memories since yesterday. */
export const sinceQuery = queryOptions({
  queryKey: ['events', 'since-yesterday'],
  queryFn: (context) => partOfToday('doings', context),
});
