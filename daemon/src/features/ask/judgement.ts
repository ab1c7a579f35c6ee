import { alignedWith, type AlignmentDeps } from './alignment.ts';
import { lacksWhatIsAsked } from './lacking.ts';
import type { Asked, Question } from './question.ts';
import type { Answering } from './reranking.ts';
import { isNamed, NEARBY, signsOf, toldBy } from './signs.ts';
import { certaintyBy, loadForest } from './trees.ts';

/** Whether memory answers a question; where not, what it does mention and what is missing. */
export type Judgement =
  | { readonly found: true }
  | { readonly found: false; readonly mentions: readonly string[]; readonly missing: readonly string[] };

/** Where the best memory is less likely than this, nothing is even near … */
const NOTHING_NEAR = 0.002;
/** … nor where it is less likely than this and says next to nothing of the question (`hi`); of 2,611 questions with an answer, none that it was first for. */
const HARDLY_NEAR = { likely: 0.004, told: 0.15 } as const;
/** What a question of small words only has to have, and what search then has to say of the best memory: `When do I get up?`, not `Who is it?`. */
const SMALL_WORDS = { atLeast: 4, base: 0.3 } as const;

/** Decides by the best candidates whether the question is answered at all (docs/decisions/0012). */
export function judge(deps: AlignmentDeps, question: Question, ranked: readonly Answering[]): Judgement {
  const [best] = ranked;
  const nothing = { found: false, mentions: [], missing: [] } as const;
  if (!best) return nothing;
  if (question.words.length === 0) {
    const asked = question.text.match(/\p{L}+/gu)?.length ?? 0;
    return asked >= SMALL_WORDS.atLeast && best.base >= SMALL_WORDS.base ? { found: true } : nothing;
  }
  const { score, evidence } = best;
  const isHardlyNear = score < HARDLY_NEAR.likely && evidence.told < HARDLY_NEAR.told;
  if (score < NOTHING_NEAR || isHardlyNear) return nothing;
  const forest = loadForest();
  const align = (asked: Question, sentence: string) => alignedWith(deps, asked, sentence);
  const { attributeSigns, least } = forest;
  const isCertain = certaintyBy(forest, signsOf({ align, attributeSigns }, question, ranked)) >= least;
  if (isCertain && !lacksWhatIsAsked(question, ranked)) return { found: true };
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
