import type { InsightChange } from '@reverie/shared/contract/dreams';
import type { Strategy as StrategyName } from '@reverie/shared/contract/dream-strategies';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { MemoryClass } from '@reverie/shared/contract/memories';
import type { LanguageModel } from '../../../models/language-model.ts';

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
 * A memory near another one by their vectors; rank 1 is the nearest. No cosine divides near from far: nominate by rank, decide by words.
 */
export interface Neighbour {
  readonly id: number;
  readonly rank: number;
  readonly cosine: number;
}

/**
 * A fact that was found in a memory (`features/knowledge/fact.ts` says more): subject, attribute (`predicate`), value (`object`), date and
 * certainty as `knowledge` stores them. What holds now is `facts().filter((fact) => fact.supersededBy === undefined && fact.validFrom <=
 * view.now)`. Two that disagree have one `subjectNorm` and one `predicate`, are `functional`, and differ in `objectNorm`. As `knowledge`
 * takes each later value for a change, the older one names the newer one's memory in `supersededBy` (its own memory where that tells both);
 * whether the texts tell of a change is for the strategy to see. Facts are found in the background, so those of the newest memories may be
 * missing.
 */
export interface FactView {
  readonly memoryId: number;
  readonly subject: string;
  /** As compared: folded, without article, `user` for `I`, `my` and `we`. */
  readonly subjectNorm: string;
  /** Normalised, such as `lives_in` or `birthday`; `said` is how the text puts it. */
  readonly predicate: string;
  readonly said: string;
  readonly object: string;
  /** Dates as `2026-05-03` or `--05-03`, quantities as `75 mg` or `419 EUR`, the rest folded. */
  readonly objectNorm: string;
  readonly kind: 'name' | 'date' | 'number' | 'money' | 'text';
  readonly negated: boolean;
  /** Whether a subject has one such object at a time. */
  readonly functional: boolean;
  /** Word for word, as it stands in the memory; empty for a fact out of metadata. */
  readonly sentence: string;
  readonly confidence: number;
  /** When it was said, and since when it holds; milliseconds since 1970. */
  readonly observedAt: number;
  readonly validFrom: number;
  /** The memory whose fact took its place: the next one that names another object where there is one at a time, or that says the opposite; missing while it holds. */
  readonly supersededBy?: number;
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
  /** Facts of the memories of this view, by memory: what holds, what no longer does, and what only begins later. */
  facts(): readonly FactView[];
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

/** What a strategy gets beside the view. */
export interface StrategyContext {
  /** A directed question; only `reflect` gets one. */
  readonly task?: string | undefined;
  /** Asks the namespace; undefined where asking is not built in. Rejects where it fails. */
  readonly ask?: ((question: string) => Promise<CitedAnswer>) | undefined;
  /** Undefined where none is configured. It refuses once the job's budget is used up: have an answer of your own. */
  readonly model?: LanguageModel | undefined;
  /** Tokens of the model that are left to the job. */
  readonly budget: { left(): number };
  /** Look now and then: `true` means that nobody wants the result any more. */
  cancelled(): boolean;
  /** Says in a sentence what is left out and why ("12 pairs look related; a model would tell"), and of how many pairs; it is shown with the dream. */
  leaves?(what: string, pairs?: number): void;
  /** Tells how far it is, as often as is convenient; messages are limited further on. */
  progress(done: number, total: number): void;
}

/** A memory as it stands on a sheet that a model reads. */
export interface SheetNote {
  readonly id: number;
  readonly key: string;
  readonly time: number;
  readonly text: string;
  /** How often it is to be read anew though it says what it said: what it names was too far away when it was read. */
  readonly anew?: number;
}

/** What a model found on a sheet: words of each memory that it rests on, oldest first, and what it is, in the model's own words. */
export interface SheetFinding {
  /** One of each memory; they stand in it word for word. */
  readonly quotes: readonly { readonly id: number; readonly words: string }[];
  readonly what: string;
  /** The day or month that it named, where days are asked for: as it wrote it, so that it may be no date at all. */
  readonly date?: string | undefined;
}

/** How large the sheets of one turn are. */
export interface SheetTurn {
  /** Memories on a sheet, at most. */
  readonly most: number;
  /** Characters of a sheet, at most. */
  readonly room: number;
  /** How much two memories have to have to do with each other to stand together (`reader/affinity.ts`); whoever has nobody stands on none. */
  readonly near?: number;
}

/** What a configured model looks for itself on sheets of memories, beyond what `run` proposes. */
export interface SheetTask {
  /** What it has to find, as it is told; followed by the shape of the answer. */
  readonly find: string;
  /** Each memory stands on a sheet in each turn, beside others each time. */
  readonly turns: readonly SheetTurn[];
  /** Whether a finding is a day: then it has one, may be of one memory, and the model is told what day it is. */
  readonly isOfDays?: boolean;
  /** Whether what it finds is judged once more, with what stands nearest to it. */
  readonly isDoubted?: boolean;
  /** Which pairs may be a finding at all, by their ids; all where it is missing. */
  readonly pairs?: (view: DreamView) => (a: number, b: number) => boolean;
  /** The memories that are worth reading, in the order of the view. */
  notes(view: DreamView): readonly SheetNote[] | Promise<readonly SheetNote[]>;
  /** Those that may come along beside an older one that is worth reading, for they may say that it is over: then there is one turn, and each stands once. */
  readonly company?: (view: DreamView) => readonly SheetNote[];
  /** What is proposed of all that it found; what is no finding (one memory, one day) is left out. */
  proposals(
    view: DreamView,
    found: readonly SheetFinding[],
  ): readonly Proposal[] | Promise<readonly Proposal[]>;
}

/**
 * One way to look through a namespace. Pure over the view: the same view gives the same proposals in the same order, best first. Time is
 * `view.now`, chance is a seed of its own.
 */
export interface Strategy {
  readonly name: StrategyName;
  run(view: DreamView, context: StrategyContext): Promise<readonly Proposal[]> | readonly Proposal[];
  /** Where a model is configured: what is too doubtful to be proposed, unless the model says that it holds. Best first. */
  nominees?(view: DreamView, context: StrategyContext): Promise<readonly Proposal[]> | readonly Proposal[];
  readonly sheets?: SheetTask | undefined;
}
