import { askMemory } from '@reverie/shared/contract/search/ask';
import { Query } from '@reverie/shared/contract/fields';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** What is asked, and of what time. */
export interface AskedQuestion {
  namespace: string;
  question: string;
  /** A day (`2026-05-01`): answered as it was known at its end, where the person is. */
  day?: string | undefined;
}

/** Asks once: an answer is not asked for again by itself, for a model may have been paid for it. */
export function askQuery({ namespace, question, day }: AskedQuestion) {
  return queryOptions({
    queryKey: ['ask', namespace, question, day ?? 'now'],
    queryFn: ({ signal }) =>
      call(
        askMemory,
        { body: { question, namespace, explain: true, ...(day !== undefined && { as_of: endOf(day) }) } },
        { signal },
      ),
    enabled: Query.safeParse(question).success,
    staleTime: Infinity,
    retry: false,
  });
}

/** The last moment of a day, in the reader's time zone; undefined for what is no day. */
export function endOf(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}

/** Whether a text is a day of the calendar, as a date field gives it. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`));
}
