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
  /** Milliseconds since 1970 of what it tells of: `metadata.timestamp`, else the day that it gives itself, else when it was created. */
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
