import type { InsightChange } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy as StrategyName } from '@reverie/shared/contract/dreams/dream-strategies';

/** What a strategy proposes. Nothing of it is done before a person accepts it. */
export interface Proposal {
  readonly strategy: StrategyName;
  /** Is made one line of at most 200 characters. */
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
  /** Of a `forecast`, and of nothing else: the day that comes up, in milliseconds since 1970 (of a month its first); by it what comes up is put in order. */
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
