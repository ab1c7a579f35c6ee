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

/** Thinks of what a query may mean, without a model and without looking at any memory. */
export function expandQuery(text: string, _at: { now: string | undefined }): Expansion {
  return { queries: [text], terms: queryTerms(text), concepts: [], window: undefined };
}
