import type { InsightChange } from '@reverie/shared/contract/dreams';
import type { Strategy as StrategyName } from '@reverie/shared/contract/dream-strategies';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { MemoryClass } from '@reverie/shared/contract/memories';

/** A memory as a dream sees it. Hidden memories, what dreams wrote, and text that was recalled are not among them. */
export interface DreamMemory {
  readonly id: number;
  readonly key: string;
  /** The first 8,192 characters, recalled text taken out; fewer of long ones where all together are more than 10 million. */
  readonly value: string;
  /** Whether `value` is not the whole of it. */
  readonly isCut: boolean;
  /**
   * SHA-256 (hex) of the whole value, spelled alike: NFKC, lower case, runs of white space one space. Two memories with the same one say the
   * same; numbers and punctuation count.
   */
  readonly digest: string;
  readonly class: MemoryClass;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
  /** `metadata.session`; null where there is none. */
  readonly session: string | null;
  /** Milliseconds since 1970 of what it tells of: `metadata.timestamp`, else when it was created. */
  readonly time: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * A memory near another one by their vectors; rank 1 is the nearest. No cosine divides near from far.
 */
export interface Neighbour {
  readonly id: number;
  readonly rank: number;
  readonly cosine: number;
}

/** How a memory was recalled in the last 180 days; a memory that never was is not listed. */
export interface RecallView {
  readonly memoryId: number;
  readonly count: number;
  /** Different days (UTC) on which it was recalled. */
  readonly days: number;
  /** Different queries that found it, about. */
  readonly queries: number;
  /** Milliseconds since 1970 of the last day. */
  readonly lastAt: number;
}

/** An insight that a person accepted before: what a new one is compared with, to tell how new it is. */
export interface AcceptedView {
  readonly strategy: StrategyName;
  readonly title: string;
  readonly body: string;
  readonly evidence: readonly string[];
}

/** A namespace as it was when the job started: read only, read by pages; equal inputs give equal views. */
export interface DreamView {
  /** Milliseconds since 1970; the only clock of a strategy. */
  readonly now: number;
  /** By `time`, then id. At most 20,000; beyond that, a sample that does not change between jobs. */
  memories(): readonly DreamMemory[];
  /** Up to `NEIGHBOURS` nearest memories, best first; the first call takes seconds for 10,000 memories. */
  neighbours(id: number, k: number): readonly Neighbour[];
  recalls(): readonly RecallView[];
  accepted(): readonly AcceptedView[];
}

/** How many of its nearest memories a view knows for each memory. */
export const NEIGHBOURS = 16;

/** What a strategy proposes. Nothing of it is done before a person accepts it. */
export interface Proposal {
  readonly strategy: StrategyName;
  /** One line, at most 200 characters. */
  readonly title: string;
  readonly body: string;
  /** At least one; each `key` is a memory of the view and `sentence` stands in its value word for word, else the proposal is dropped. */
  readonly evidence: readonly QuotedEvidence[];
  /** 0..1. */
  readonly confidence: number;
  /**
   * Every key that it names has to be among the evidence, so that it is retracted with them. A `contradict` over two memories needs none: it
   * becomes a `disagree`, the older one first.
   */
  readonly change?: InsightChange;
  /** Of a `contradict`: the days that the texts themselves name for what they state, by key (milliseconds since 1970); else when they were written counts. */
  readonly statedOn?: Readonly<Record<string, number>>;
  /** Of a `forecast`: the day that comes up, in milliseconds since 1970 (of a month its first); by it what comes up is put in order. */
  readonly dueOn?: number;
  /**
   * What it says, normalised by the strategy so that saying it again says it alike (no counts that grow, no "3 days ago"): with the strategy
   * and the evidence keys it is the fingerprint by which a proposal is made only once.
   */
  readonly content: string;
}

export interface QuotedEvidence {
  readonly key: string;
  readonly sentence: string;
}

/** What `ask` answers to a directed question; without `found` there are no citations. `quote` stands in the memory word for word. */
export interface CitedAnswer {
  readonly answer: string;
  readonly found: boolean;
  readonly citations: readonly { readonly key: string; readonly quote: string; readonly score: number }[];
}
