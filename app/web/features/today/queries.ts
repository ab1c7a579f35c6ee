import { listDreams, listInsights } from '@reverie/shared/contract/dreams';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { listEvents } from '@reverie/shared/contract/events';
import { listMemories } from '@reverie/shared/contract/memories';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { isSnoozed } from '../dreams/queries.ts';
import { readable } from '../dreams/words.ts';
import { type OldNotes, isOldNote } from './old-note.ts';
import { startOfYesterday } from './recent-doings.ts';

/** Days that the notes name: more than a calendar of some weeks shows. */
const COMING_UP = 50;
/** More than anybody decides on before it is done for today, with some of the calendar among them. */
const DECIDED = 20;
const EVENTS = 1_000;
/** Characters of an old note that are read on Today. */
const PREVIEW = 600;

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

/** A note that was not changed for months, another one each day; null where this day has none. */
export function oldNoteQuery({ offset, limit, before }: OldNotes) {
  return queryOptions({
    queryKey: ['memories', EVERY_NAMESPACE, 'old', offset, limit, before],
    queryFn: async ({ signal }) => {
      const body = { namespace: EVERY_NAMESPACE, order: 'updated', offset, limit, preview: PREVIEW } as const;
      const { memories } = await call(listMemories, { body }, { signal });
      return memories.find((memory) => isOldNote(memory, before)) ?? null;
    },
    // The day has one: it does not change while the page is open.
    staleTime: Infinity,
  });
}

/** What happened to memories since yesterday, of the newest thousand events. */
export const sinceQuery = queryOptions({
  queryKey: ['events', 'since-yesterday'],
  queryFn: async ({ signal }) => {
    const { events } = await call(listEvents, { query: { family: 'memory', limit: EVENTS } }, { signal });
    const from = startOfYesterday(Date.now());
    return events.filter(({ created_at }) => Date.parse(created_at) >= from);
  },
});
