import { LONGEST_PASSAGE, type Passage } from '@reverie/shared/contract/search/passage';
import { graphemeCut } from './words/graphemes.ts';
import { type TextMark, marksOf, type SoughtWords } from './marks.ts';

/** A part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A part of a value as it is shown, with marks where it has what is sought; of one that is too long, the part with the most marks. */
export function passageAt(value: string, span: TextSpan, sought: readonly SoughtWords[]): Passage {
  const all = marksOf(value.slice(span.start, span.end), sought).map(([start, end]): TextMark => [
    span.start + start,
    span.start + end,
  ]);
  return passageWith(value, span, all);
}

/** A part of a value as it is shown, with these marks in it; of one that is too long, the part with the most of them. */
export function passageWith(value: string, span: TextSpan, all: readonly TextMark[]): Passage {
  const { start, end } = isShort(span) ? span : fullest(value, span, all);
  const marks = all.filter((mark) => mark[0] >= start && mark[1] <= end);
  return { text: value.slice(start, end), start, end, marks };
}

/** Characters before the first mark that are shown with it. */
const BEFORE = 60;

/** Of what is longer than a passage the part with the most marks, cut at blanks or else between graphemes. */
function fullest(value: string, { start, end }: TextSpan, marks: readonly TextMark[]): TextSpan {
  const last = end - LONGEST_PASSAGE;
  const begins = [start, ...marks.map((mark) => Math.max(start, Math.min(last, mark[0] - BEFORE)))];
  const count = (from: number) =>
    marks.filter((mark) => mark[0] >= from && mark[1] <= from + LONGEST_PASSAGE).length;
  const best = begins.reduce((one, other) => (count(other) > count(one) ? other : one));
  const blank = best === start ? -1 : value.slice(best, best + BEFORE).search(/\s/u);
  const from = blank >= 0 ? best + blank + 1 : best === start ? start : graphemeCut(value, best);
  if (isShort({ start: from, end })) return { start: from, end };
  const to = graphemeCut(value, from + LONGEST_PASSAGE);
  const lastBlank = value.slice(from, to).search(/\s\S*$/u);
  return { start: from, end: lastBlank > LONGEST_PASSAGE / 2 ? from + lastBlank : to };
}

const isShort = ({ start, end }: TextSpan): boolean => end - start <= LONGEST_PASSAGE;
