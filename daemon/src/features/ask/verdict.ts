import type { Certainty } from '@reverie/shared/contract/ask';
import { quotedAnswer } from './answer.ts';
import { citedAnswer, type CitedMemory, quotedMemories } from './model/citing.ts';
import type { MemoryQuote, AnswerSentence } from './model/composing.ts';
import type { ModelDecision } from './model/deciding.ts';
import type { Question } from './question/question.ts';
import type { Answering } from './reading/reranking.ts';
import type { QuotedAnswer } from './without-model/quoted-answer.ts';

/** Who decided whether memory answers a question, and what there is to tell. */
export type AskVerdict =
  /** A language model did: by sentences that memory bears out, or by none where it says that nothing answers. */
  | { readonly by: 'model'; readonly sentences: readonly AnswerSentence[] }
  /** A model said that memory answers, and nothing that memory bears out: what it quoted is told, else what the signs find, neither as sure. */
  | { readonly by: 'unsupported'; readonly closest: readonly MemoryQuote[]; readonly told: QuotedAnswer }
  /** No model is there, or it failed: the signs of the question did. A question whose words were read as others is never answered as sure. */
  | { readonly by: 'signs'; readonly told: QuotedAnswer; readonly isRespelled: boolean };

interface Judging {
  ranked: readonly Answering[];
  /** Whether a memory was not deleted while the model thought. */
  isThere: (one: Answering) => boolean;
  /** Whether words of the question were read as others. */
  isRespelled: boolean;
  tell: () => QuotedAnswer;
}

/** Whose word counts: the model's where it decided, else that of the signs, which only then are read (by `tell`). */
export function verdictOf(
  decision: ModelDecision | undefined,
  { ranked, isThere, isRespelled, tell }: Judging,
): AskVerdict {
  if (decision && decision.failed === undefined) {
    const sentences = decision.sentences.filter(({ quotes }) => quotes.every(({ from }) => isThere(from)));
    return { by: 'model', sentences };
  }
  const told = tell();
  // The best that is left to quote may be wrong no less than what the model said.
  if (decision?.isUnsupported === true && ranked.some(isThere))
    return { by: 'unsupported', closest: decision.closest.filter(({ from }) => isThere(from)), told };
  return { by: 'signs', told, isRespelled };
}

/** How sure the answer of a verdict is. */
export function certaintyOf(verdict: AskVerdict): Certainty {
  switch (verdict.by) {
    case 'model':
      if (verdict.sentences.length === 0) return 'none';
      return verdict.sentences.some(({ goesBeyond }) => goesBeyond) ? 'likely' : 'sure';
    case 'unsupported':
      return 'unsure';
    case 'signs': {
      const { certainty } = verdict.told;
      return verdict.isRespelled && certainty === 'sure' ? 'likely' : certainty;
    }
  }
}

/** The answer that a verdict gives, and the memories that it rests on. */
export function answerOf(
  question: Question,
  verdict: AskVerdict,
): { answer: string; memories: readonly CitedMemory[] } {
  if (verdict.by === 'model') return citedAnswer(verdict.sentences);
  if (verdict.by === 'unsupported' && verdict.closest.length > 0)
    return closestAnswer(question, quotedMemories(verdict.closest));
  const { quotes, memories } = verdict.told;
  return { answer: quotedAnswer(question, quotes, certaintyOf(verdict) !== 'unsure'), memories };
}

/** What a model quoted rightly, though not what it made of it. */
function closestAnswer(question: Question, memories: readonly CitedMemory[]) {
  const quotes = memories.map((from) => ({
    from,
    ...(from.quote !== undefined && { quote: { text: from.quote } }),
  }));
  return { answer: quotedAnswer(question, quotes, false), memories };
}
