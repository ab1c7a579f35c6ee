import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store } from '../../../db/open-store.ts';
import type { LanguageModel } from '../../../models/language-model.ts';
import type { Log } from '../../../platform/log.ts';
import type { InsightDeps } from '../deps.ts';
import type { CitedAnswer } from '../proposal.ts';

/** Answers a question from a namespace; `now` (RFC 3339) is the time from which its dates are counted. */
export type AskNamespace = (
  account: AccountId,
  asked: { question: string; namespace: string; now?: string },
) => Promise<CitedAnswer>;

/** What a dream may ask: a language model, and `ask`. Both may be missing; dreams do without. */
export interface Minds {
  /** That an account may use for a namespace, or why it may not; undefined where none is configured. */
  model: (
    account: AccountId,
    namespace: string,
  ) => { readonly model: LanguageModel } | { readonly withheld: string } | undefined;
  ask: AskNamespace | undefined;
}

export interface RunDeps {
  store: Store;
  log: Log;
  insights: InsightDeps;
  /** The database file, and the name of the model whose vectors are compared. */
  thread: { readonly database: string; readonly embedder: string };
  minds: Minds;
  /** Resolves when what was written of an account is indexed, or after some seconds: its vectors are compared. */
  settled: (account: AccountId) => Promise<void>;
  /** Tokens of notes on a sheet, where somebody set how many. */
  sheetTokens: number | undefined;
}
