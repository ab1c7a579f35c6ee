import type { Question } from './question.ts';
import type { Answering } from './reranking.ts';

/** Whether memory answers a question; where not, what it does mention and what is missing. */
export type Judgement =
  | { readonly found: true }
  | { readonly found: false; readonly mentions: readonly string[]; readonly missing: readonly string[] };

/** Below this the best memory does not answer. */
const LEAST = 0.02;

/** Decides by the best candidates whether the question is answered at all. */
export function judge(_question: Question, ranked: readonly Answering[]): Judgement {
  const best = ranked[0];
  if (best && best.score >= LEAST) return { found: true };
  return { found: false, mentions: [], missing: [] };
}
