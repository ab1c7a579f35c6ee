import type { Certainty } from '@reverie/shared/contract/ask';
import { chosenFor, type AnswerQuote } from '../answer.ts';
import type { CitedMemory } from '../model/citing.ts';
import type { Answering } from '../reading/reranking.ts';
import type { AskState } from '../state.ts';
import { type JudgedCertainty, judge } from './certainty.ts';
import { holdingOf, saidAt } from './holding.ts';

/** What is less likely than this share of the best is not cited. */
const LEAST_LIKELY = 0.01;

/** What is told without a model. */
export interface QuotedAnswer {
  readonly certainty: Certainty;
  readonly judged: JudgedCertainty;
  readonly quotes: readonly AnswerQuote[];
  /** Those that are quoted first, then those that may answer as well. */
  readonly memories: readonly CitedMemory[];
}

/** The answer without a model: what holds now, then what held before. */
export function quotedAnswer(
  state: Pick<AskState, 'question' | 'ranked'>,
  { isThere, limit }: { isThere: (one: Answering) => boolean; limit: number },
): QuotedAnswer {
  const { question } = state;
  const ranked = state.ranked.filter(isThere);
  const [best] = ranked;
  const judged = judge(question, ranked);
  const near = ranked.filter(({ score }) => score >= LEAST_LIKELY * (best?.score ?? 0)).slice(0, limit);
  /** What is quoted is cited before what may answer as well, and nothing is quoted that is not cited. */
  const telling = (certainty: Certainty, quotes: readonly AnswerQuote[]): QuotedAnswer => {
    const said = quotes.map(({ from, quote }) => ({ ...from, ...(quote && { quote: quote.text }) }));
    const memories = fewer([...said, ...near], limit);
    const isCited = ({ from }: AnswerQuote) => memories.some(({ memory }) => memory.id === from.memory.id);
    return { certainty, judged, quotes: quotes.filter(isCited), memories };
  };
  const { now, isOpen } = holdingOf(question, ranked);
  const certainty = isOpen && judged.certainty === 'sure' ? 'likely' : judged.certainty;
  if (best && now) return telling(certainty, [{ from: now }, { from: best, until: saidAt(now) }]);
  if (best?.evidence.later) {
    const { later: quote, quote: whole, passage } = best.evidence;
    // What stood before is told without the change that follows it in its paragraph.
    const before = whole && passage && quote.start < whole.end ? { ...whole, text: passage.text } : whole;
    const quotes = [
      { from: best, quote },
      { from: best, isBefore: true, ...(before && { quote: before }) },
    ];
    return telling(certainty, quotes);
  }
  return telling(
    certainty,
    chosenFor(question, near).map((from) => ({ from })),
  );
}

/** Each memory once, so many of them. */
function fewer(all: readonly CitedMemory[], limit: number): CitedMemory[] {
  return all
    .filter((one, at) => all.findIndex(({ memory }) => memory.id === one.memory.id) === at)
    .slice(0, limit);
}
