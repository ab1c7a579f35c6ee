import type { AnswerType } from './answer-shapes.ts';
import { tellsOf } from './answer-types.ts';
import { labelOf } from './passages.ts';
import type { Question } from './question.ts';
import type { Answering } from './reranking.ts';

/** Candidates in which it is looked for, at most, and how likely they are, at least, measured by the best: what an answer quotes. */
const QUOTED = { atMost: 6, likely: 0.4 } as const;
/** Characters of each that are read. */
const MOST = 3_000;
/** Types by whose shape alone it is sure that they are not there. */
const SURE: readonly AnswerType[] = ['email', 'phone', 'url', 'colour', 'year'];

/** Whether none of the memories that an answer may quote has what this question cannot be answered without: an `@`, a colour. */
export function lacksWhatIsAsked({ text, expects }: Question, ranked: readonly Answering[]): boolean {
  const [type] = expects;
  if (type === undefined || !SURE.includes(type)) return false;
  // An extension is no number of a telephone by its shape.
  if (type === 'phone' && expects.length > 1) return false;
  const least = QUOTED.likely * (ranked[0]?.score ?? 0);
  return ranked.slice(0, QUOTED.atMost).every(({ memory, score }) => {
    if (score < least) return true;
    const said = `${memory.value.slice(0, MOST)}\n${labelOf(memory)}`;
    return tellsOf(type, said, text) === 0;
  });
}
