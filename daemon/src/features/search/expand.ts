import { type RelativeDate, relativeDates } from '../../language/relative-dates.ts';
import { type QueryTerm, queryTerms } from './terms.ts';

/** A span of time that a query speaks of, both ends as ISO 8601; an end that is missing is open. */
export interface TimeWindow {
  readonly from?: string;
  readonly to?: string;
}

/** What a query says and what else it may mean, before any memory is looked at. */
export interface Expansion {
  /** The query itself, then further ways to say it; give them all to the streams. */
  readonly queries: readonly string[];
  readonly terms: readonly QueryTerm[];
  /** Concepts of the lexicon that it names. */
  readonly concepts: readonly string[];
  /** When it happened, where the query says so. */
  readonly window: TimeWindow | undefined;
}

/** Dates that are written out; a question may be nothing but `yesterday`, and each wording is embedded, perhaps for money. */
const MOST_DATES = 3;

/** Thinks of what a query may mean, without a model and without looking at any memory; dates as of now, an ISO 8601 moment. */
export function expandQuery(text: string, { now }: { now: string | undefined }): Expansion {
  const dates = now === undefined ? [] : relativeDates(text, new Date(now)).slice(0, MOST_DATES);
  const said = dates.flatMap((date) =>
    writtenAs(date).map((written) => text.slice(0, date.start) + written + text.slice(date.end)),
  );
  const [first] = dates;
  return {
    queries: [...new Set([text, ...said])],
    terms: queryTerms(text),
    concepts: [],
    window: first && { from: new Date(first.from).toISOString(), to: new Date(first.to).toISOString() },
  };
}

/** A date as memories may write it: `13 November 2026` and 2026-11-13; weeks are written in too many ways. */
function writtenAs({ from, grain }: RelativeDate): string[] {
  if (grain === 'week') return [];
  const iso = new Date(from).toISOString().slice(0, { day: 10, month: 7, year: 4 }[grain]);
  if (grain === 'year') return [iso];
  const written = new Intl.DateTimeFormat('en-GB', {
    ...(grain === 'day' && { day: 'numeric' }),
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return [written.format(from), iso];
}
