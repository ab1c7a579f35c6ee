import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Passage } from '@reverie/shared/contract/search/passage';
import type { YieldToOthers } from '../platform/yielding.ts';
import type { TextsOfAccount } from './text-indexes.store.ts';

/** How well a text that is no memory fits a query: a score on the scale of those of memories, and what is shown of the text. */
export interface TextFit {
  score: number;
  passage: Passage;
}

/** A query about texts that are kept elsewhere than memories, with a text index of their own. */
export interface TextQuery {
  /** For FTS5: any of its words that can be looked for without keeping others waiting; undefined where it has none. */
  match: string | undefined;
  /**
   * Reads a text with it in mind, in pieces between which others have their turn. `lexical` is BM25 as a share of the best, 0..1. Undefined
   * where the text has nothing to show.
   */
  read(text: string, lexical: number, yieldToOthers: YieldToOthers): Promise<TextFit | undefined>;
}

/** Prepares a query about the texts of an account that have such an index; search does it. */
export type PrepareTextQuery = (
  asked: { account: AccountId; text: string },
  index: TextsOfAccount,
) => TextQuery;
