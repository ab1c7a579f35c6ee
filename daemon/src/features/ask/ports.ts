import type { AccountId, Caller, Readable } from '@reverie/shared/accounts/caller';
import type { AskFact } from '@reverie/shared/contract/search/ask';
import type { Passage } from '@reverie/shared/contract/search/passage';
import type { NotedDay } from '../../language/notes/noted-day.ts';
import type { YieldToOthers } from '../../platform/yielding.ts';

/** A memory as it was known at the time that is asked about. */
export interface AskMemory {
  readonly id: number;
  readonly key: string;
  readonly value: string;
  readonly namespace: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
  /** The day that it gave itself then. */
  readonly noted?: NotedDay | undefined;
}

/** Whose memories are asked about, and as of when. */
export interface AskScope {
  readonly account: AccountId;
  /** `*` for every one that may be read. */
  readonly namespace: string;
  /** Namespaces that `*` stands for; all where this is missing. */
  readonly readable?: Readable | undefined;
  /** Milliseconds; undefined for what is known now. */
  readonly asOf: number | undefined;
  /** Ids of the memories that existed then; undefined for all. */
  readonly among: ReadonlySet<number> | undefined;
}

/** The memories themselves. */
export interface AskMemories {
  /** By id, in the words of that time; those that were not known then are left out. */
  byId(scope: AskScope, ids: readonly number[]): Map<number, AskMemory>;
  /** Ids of the namespace, newest first. */
  newest(scope: Omit<AskScope, 'among'>, limit: number): readonly number[];
  /** Ids of the namespace's memories that existed at `scope.asOf`; undefined where all of today's did. */
  existing(scope: Omit<AskScope, 'among'>): ReadonlySet<number> | undefined;
  /** Ids of those that were changed since `scope.asOf`: no index knows what they said then. */
  changedSince(scope: AskScope, limit: number): readonly number[];
  /** Ids of the turns next to some turns of a session: for each the ones that follow and the one before. */
  around(scope: AskScope, ids: readonly number[]): readonly number[];
}

/** A memory that a stream found; its score means something within the stream only. */
export interface AskHit {
  readonly id: number;
  /** The part of it that was found, where an index found it. */
  readonly chunk?: number;
  readonly score: number;
}

/** What one stream found, best first. */
export interface StreamHits {
  readonly name: string;
  readonly hits: readonly AskHit[];
}

/** A memory with the score that search gives it among all that were found. */
export interface RankedHit {
  readonly id: number;
  /** 0..1, with the same meaning in every query. */
  readonly score: number;
  /** What each feature adds to the log odds of the score. */
  readonly boosts: readonly { readonly name: string; readonly points: number }[];
}

/** What of a text fits a question best. */
export interface ReadText {
  readonly passage: Passage;
  /** Where it is a row of a table, it with the head: `Env: prod · Window: Thursday`. */
  readonly row: string | undefined;
  /** Tells how well it fits by itself, 0..1. */
  fit(): number;
}

/** A question as it was most likely meant, and which of its words were read as others. */
export interface Respelled {
  readonly text: string;
  readonly corrected: readonly { readonly word: string; readonly read_as: readonly string[] }[];
}

/** How the indexes are searched: for so many hits at most, and with pauses in which others have their turn. */
export interface SearchLimits {
  readonly limit: number;
  readonly yieldToOthers: YieldToOthers;
}

/** The indexes. All of them know the present only. */
export interface AskSearch {
  /** The question, and further ways to say its dates. */
  expand(text: string, now: Date): readonly string[];
  /** Has ready what a look needs: the vectors of the namespace, and those of the queries where a server makes them; gives up on that after a short time. */
  prepare?(scope: AskScope, queries: readonly string[]): Promise<void>;
  /** A question with words of memories in the place of those that none has, where they are spelt alike and can mean nothing else. */
  respell?(scope: AskScope, text: string): Promise<Respelled>;
  vectors(scope: AskScope, queries: readonly string[], looking: SearchLimits): Promise<readonly AskHit[]>;
  /** What has all of the words of a query, or any of them. */
  words(
    scope: AskScope,
    queries: readonly string[],
    looking: SearchLimits & { readonly all: boolean },
  ): Promise<readonly AskHit[]>;
  /** All that was found in the order of search, best first. */
  rank(
    scope: AskScope,
    text: string,
    looking: SearchLimits & { readonly found: readonly StreamHits[] },
  ): Promise<readonly RankedHit[]>;
  /** What of texts fits a question best; without those that have nothing to quote. */
  read(
    scope: AskScope,
    text: string,
    reading: {
      readonly texts: readonly { readonly id: number; readonly value: string }[];
      readonly yieldToOthers: YieldToOthers;
    },
  ): Promise<ReadonlyMap<number, ReadText>>;
  /** The words of a question that say something, and those of them that no memory has in any form. */
  wordsOf(
    scope: AskScope,
    text: string,
  ): { readonly all: readonly string[]; readonly unknown: readonly string[] };
}

/** A fact with the memory that states it. */
export interface KnownFact extends AskFact {
  readonly memoryId: number;
}

/** What stands in the structure of memories, as of `scope.asOf`. */
export interface AskFacts {
  /** Facts of some memories that have words of a question. */
  lookup(
    scope: AskScope,
    wanted: { readonly ids: readonly number[]; readonly words: readonly string[] },
  ): readonly KnownFact[];
}

/** An entry of a coding session that may answer. */
export interface AskEntry {
  readonly session: { readonly id: string; readonly title: string; readonly namespace: string };
  readonly entry: string;
  readonly at: string;
  /** Search's own score, 0..1. */
  readonly score: number;
  readonly text: string;
}

/** What was said in coding sessions, best first; `until` in ms since 1970. */
export type AskSessions = (
  caller: Pick<Caller, 'account' | 'within' | 'readable'>,
  wanted: {
    readonly question: string;
    readonly namespace: string;
    readonly until: number | undefined;
    readonly limit: number;
  },
) => Promise<readonly AskEntry[]>;
