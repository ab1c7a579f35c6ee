import type { AccountId } from '@reverie/shared/accounts/caller';
import type { StrategyProgress } from '@reverie/shared/contract/dreams';
import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import type { ModelFailure, Prompt } from '../../../models/language-model.ts';
import type { Answered } from '../jobs/job-state.ts';
import type { CitedAnswer, Proposal } from '../strategies/strategy.ts';
import type { Contestant, RankedInsight } from '../insights/tournament.ts';

/** What a dream's thread is started with. */
export interface DreamWork {
  readonly database: string;
  readonly account: AccountId;
  readonly namespace: string;
  readonly strategies: readonly Strategy[];
  readonly now: number;
  readonly task: string | null;
  /** Name of the language model; null where none is configured. */
  readonly model: string | null;
  /** Why one that is configured may not be asked; null where it may, and where none is. */
  readonly withheld: string | null;
  readonly tokensLeft: number;
  /** What a model answered before this dream was interrupted. */
  readonly answered: Readonly<Partial<Record<Strategy, Answered>>>;
  readonly canAsk: boolean;
  /** Name of the model whose vectors are compared. */
  readonly embedder: string;
  /** One whole number; not 0 once the dream was cancelled. */
  readonly cancelled: SharedArrayBuffer;
}

/** What is kept of a language model's answer: hashes (hex) by which no later dream asks the same again, and what this dream makes of it. */
export interface KeptAnswer extends Partial<Answered> {
  readonly marks: readonly string[];
}

/** What the thread says. */
export type FromThread =
  | { kind: 'viewed'; memories: number; of: number }
  | { kind: 'stepped'; strategy: Strategy; done: number; total: number; ms: number }
  | {
      kind: 'finished';
      strategy: Strategy;
      ms: number;
      proposals: readonly Proposal[];
      /** What a language model did with them, or why it did not. */
      note?: string;
      /** Pairs that only a language model could judge. */
      left?: number;
      reading?: StrategyProgress['reading'];
    }
  /** It is on disk before the next question is asked. */
  | ({ kind: 'answered'; strategy: Strategy } & KeptAnswer)
  | { kind: 'failed'; strategy: Strategy; reason: string }
  /** All strategies ran: it waits for who takes part in the tournament. */
  | { kind: 'dreamed' }
  | { kind: 'ranked'; ranked: readonly RankedInsight[] }
  | ({ kind: 'generate'; id: number; schema: object } & Pick<
      Prompt<unknown>,
      'system' | 'prompt' | 'maxTokens' | 'notes'
    >)
  | { kind: 'ask'; id: number; question: string };

/** What the thread is answered: to `dreamed`, to `generate`, or to `ask`. */
export type ToThread =
  | { kind: 'rank'; contestants: readonly Contestant[]; accepted: readonly (readonly string[])[] }
  | ThreadReply;

export type ThreadReply =
  | { kind: 'generated'; id: number; value: unknown; tokens: number; tokensLeft: number }
  | { kind: 'asked'; id: number; asked: CitedAnswer }
  | { kind: 'refused'; id: number; failure: ModelFailure['kind']; message: string; tokensLeft: number };
