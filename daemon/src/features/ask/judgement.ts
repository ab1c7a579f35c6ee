import { alignedWith, type AlignmentDeps } from './alignment.ts';
import type { Asked, Question } from './question.ts';
import type { Answering } from './reranking.ts';
import { isNamed, NEARBY, signsOf, toldBy } from './signs.ts';
import { certaintyBy, loadForest } from './trees.ts';

/** Whether memory answers a question; where not, what it does mention and what is missing. */
export type Judgement =
  | { readonly found: true }
  | { readonly found: false; readonly mentions: readonly string[]; readonly missing: readonly string[] };

/** Where the best memory is less likely than this, nothing is even near: all 455 that answer of the own set's tune half are likelier. */
const NOTHING_NEAR = 0.004;

/** Decides by the best candidates whether the question is answered at all (docs/decisions/0012). */
export function judge(deps: AlignmentDeps, question: Question, ranked: readonly Answering[]): Judgement {
  const [best] = ranked;
  // What has no word but `who`, `is` and `it` would be answered by anything.
  if (!best || question.words.length === 0 || best.score < NOTHING_NEAR)
    return { found: false, mentions: [], missing: [] };
  const forest = loadForest();
  const align = (asked: Question, sentence: string) => alignedWith(deps, asked, sentence);
  const { attributeSigns, least } = forest;
  if (certaintyBy(forest, signsOf({ align, attributeSigns }, question, ranked)) >= least)
    return { found: true };
  const told = question.words.map((_, at) => toldBy(best, at));
  const pick = (wanted: (word: Asked, share: number) => boolean) =>
    question.words.flatMap((word, at) =>
      word.role !== 'scaffold' && wanted(word, told[at] ?? 0) ? [word.written] : [],
    );
  return {
    found: false,
    mentions: pick((word, share) => share >= NEARBY && (isNamed(word) || word.role === 'noun')).slice(0, 3),
    missing: pick((word, share) => share < 0.5 && (word.isFocus || word.role === 'noun')).slice(0, 3),
  };
}
