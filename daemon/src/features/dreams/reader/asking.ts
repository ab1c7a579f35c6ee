import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import type { Prompt } from '../../../models/language-model.ts';
import type { Answered } from '../jobs/job-state.ts';
import type { KeptAnswer } from '../thread/messages.ts';
import type { PatientModel } from './patience.ts';
import type { DreamView } from '../strategies/strategy.ts';

/** How a question may draw on the budget of tokens. */
export interface Sparing {
  /** Tokens that have to be left to the strategy for what comes of it. */
  readonly spare?: number;
  /** Whether it may be asked where the strategy's own share has no room for it: else one whose questions are long would never ask any. */
  readonly isFirst?: boolean;
}

/** What it takes to ask a model about one strategy. */
export interface StrategyAsking {
  readonly strategy: Strategy;
  readonly view: DreamView;
  readonly model: PatientModel & { readonly name: string };
  /** Whether a mark or fingerprint was written down in a dream before. */
  readonly known: (mark: string) => boolean;
  /** What it was answered before this dream was interrupted. */
  readonly before: Answered;
  /** Writes an answer down. */
  readonly keep: (kept: KeptAnswer) => void;
  /** Whether the budget, the model and who dreams allow a question. */
  readonly mayAsk: (question: Prompt<unknown>, more?: Sparing) => boolean;
  readonly cancelled: () => boolean;
  readonly progress: (done: number, total: number) => void;
}
