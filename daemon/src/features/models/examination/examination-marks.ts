import type { Examination, ModelPart } from '@reverie/shared/contract/system/models';
import type { ExaminationQuestion } from './examination-data.ts';

/**
 * What came of a question: an answer; `declined`, that the notes do not answer it; `unsupported`, an answer that no note bears out; or
 * nothing of use.
 */
export type ExaminationOutcome =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'declined' | 'unsupported' }
  | { readonly kind: 'failed'; readonly why: string };

/** The mark of one question: `made_up` is an assertion that is not so; `wrong` is nothing of use, or no answer where the notes have one. */
export type ExaminationMark = 'right' | 'declined_rightly' | 'wrong' | 'made_up';

/** Judged by values, not by a model: a right answer has all that is accepted and nothing that is refused. */
export function markOf(
  { accepted, refused, kind }: ExaminationQuestion,
  said: ExaminationOutcome,
): ExaminationMark {
  if (said.kind === 'failed') return 'wrong';
  if (kind === 'unanswerable') return said.kind === 'declined' ? 'declined_rightly' : 'made_up';
  if (said.kind !== 'answered') return 'wrong';
  // `[6]` is the number of a citation.
  const text = said.text.replaceAll(/\[\d+\]/gu, '');
  const isRight = accepted.every((one) => one.test(text)) && !refused.some((one) => one.test(text));
  return isRight ? 'right' : 'made_up';
}

/** The marks of a model that talks. */
export interface ExaminationMarks {
  readonly questions: readonly ExaminationMark[];
  /** Whether each pair was judged rightly. */
  readonly pairs: readonly boolean[];
  readonly secondsMedian: number;
}

/** How many questions one may assert what is not so of, and how many it has to answer rightly of those that can be answered (16). */
const MOST_MADE_UP = 2;
const LEAST_RIGHT = 12;
/** How many pairs it has to judge rightly, of 6. */
const LEAST_PAIRS = 5;
/** Seconds that a person waits for an answer, and that a dream does. */
const PATIENCE = { ask: 10, dreams: 60 } as const;

/**
 * What a model is fit for. Nothing, if more than 2 of 24 answers are made up; questions, if at least 12 of the 16 that the notes answer are
 * right, in at most 10 seconds (median); dreams, if at least 5 of 6 pairs are judged rightly, in at most 60 seconds (median).
 */
export function judged({
  questions,
  pairs,
  secondsMedian,
}: ExaminationMarks): Pick<Examination, 'fit_for' | 'verdict'> {
  const count = (mark: ExaminationMark) => questions.filter((one) => one === mark).length;
  const madeUp = count('made_up');
  if (madeUp > MOST_MADE_UP)
    return {
      fit_for: [],
      verdict: `makes things up (${madeUp} of ${questions.length} answers): not for use`,
    };
  const answersWell = count('right') >= LEAST_RIGHT;
  const judgesWell = pairs.filter(Boolean).length >= LEAST_PAIRS;
  const isFast = secondsMedian <= PATIENCE.ask;
  const fit: ModelPart[] = [
    ...(answersWell && isFast ? (['ask'] as const) : []),
    ...(judgesWell && secondsMedian <= PATIENCE.dreams ? (['dreams'] as const) : []),
  ];
  const how = answersWell
    ? `answers well${isFast ? '' : ', too slow for asking while you wait'}`
    : `leaves too much unanswered (${count('right')} of ${count('right') + count('wrong')} right)`;
  const pairsToo = judgesWell ? '' : ', cannot tell what contradicts';
  return { fit_for: fit, verdict: `${how}${pairsToo}: ${USE[fit.join(' ')] ?? 'not for use'}` };
}

const USE: Readonly<Record<string, string>> = {
  'ask dreams': 'use it for questions and dreams',
  ask: 'use it for questions',
  dreams: 'use it for dreams',
};

/** How a model that makes vectors did, beside the table that comes with Reverie. */
export interface VectorMarks {
  readonly dimensions: number;
  readonly msPerText: number;
  readonly of: number;
  /** Questions whose note is among the nearest three. */
  readonly found: number;
  readonly foundByTable: number;
}

/** A search waits a second for the vector of what is looked for, and finds by words then. */
const SLOWEST_TEXT = 500;

/** Fit where more questions find their note than with the table that comes with Reverie, in at most half a second a text. */
export function judgedVectors({
  dimensions,
  msPerText,
  of,
  found,
  foundByTable,
}: VectorMarks): Pick<Examination, 'fit_for' | 'verdict'> {
  const figures = `${dimensions} numbers a text, ${Math.round(msPerText)} ms a text; ${found} of ${of} questions find their note among the nearest three, ${foundByTable} with what comes with Reverie`;
  if (found <= foundByTable) return { fit_for: [], verdict: `${figures}: no better, not worth it` };
  if (msPerText > SLOWEST_TEXT)
    return { fit_for: [], verdict: `${figures}: better, and too slow for search while you wait` };
  return { fit_for: ['vectors'], verdict: `${figures}: use it for search` };
}

/** The middle of some numbers; null where there are none. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
