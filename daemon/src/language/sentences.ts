import { graphemeCut } from './words/graphemes.ts';
import { goesOn } from './unfinished.ts';

/** A sentence of a text and where it stands in it, in UTF-16 units. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A full stop between small letters; behind a short word it is an abbreviation more often than not. */
const SMALL_BORDER = /(?<=\p{Ll}{3}|\d\p{L}*)[.] +(?=\p{Ll})/gu;

/** What stands behind a full stop without a blank and belongs to it: the end of bold text, of `[2]`, an emoji. */
const TAIL = /^(?:[*_~`]+|\d{1,3}(?:, ?\d{1,3})*\]|[\p{Extended_Pictographic}\ufe0f\u200d]+)(?:\s+|$)/u;

/** Something behind which a part of a line may end before the line does: without it ICU, which takes long to say so, finds no end either. */
const MAY_END = /[\p{Sentence_Terminal}.\u2024\ufe52\uff0e\u0085\u2028\u2029](?!$)/u;

/** The parts of a line between which a sentence may end. Who writes without capitals ends sentences by full stops alone. */
function partsOf(line: string): string[] {
  if (!MAY_END.test(line)) return [line];
  const parts: string[] = [];
  for (const { segment } of segmenter.segment(line)) {
    const before = parts.at(-1) ?? ' ';
    const tail = /\s$/u.test(before) ? '' : (TAIL.exec(segment)?.[0] ?? '');
    if (tail !== '') parts[parts.length - 1] = before + tail;
    if (tail.length < segment.length) parts.push(segment.slice(tail.length));
  }
  if (/\p{Lu}/u.test(line)) return parts;
  return parts.flatMap((part) => {
    const ends = [...part.matchAll(SMALL_BORDER)].map(({ index, 0: { length } }) => index + length);
    return [...ends, part.length].map((end, at) => part.slice(at === 0 ? 0 : ends[at - 1], end));
  });
}

/**
 * The sentences of a text, verbatim but for white space at their ends. A line is a border, too (lists, logs, dialogues); `e.g.`,
 * titles and initials are not. Longer than `longest` units are cut at a blank, without one between graphemes.
 */
export function sentencesOf(text: string, longest = 600): Sentence[] {
  const found: Sentence[] = [];
  const push = (start: number, end: number): void => {
    const piece = text.slice(start, end);
    const from = start + (piece.length - piece.trimStart().length);
    const to = end - (piece.length - piece.trimEnd().length);
    if (to > from) found.push({ text: text.slice(from, to), start: from, end: to });
  };
  for (const line of text.matchAll(/[^\r\n]+/gu)) {
    let start = line.index;
    let end = start;
    const parts = partsOf(line[0]);
    for (const [at, part] of parts.entries()) {
      end += part.length;
      const next = parts[at + 1];
      if (next !== undefined && end - start < longest && goesOn(text.slice(start, end), next)) continue;
      while (end - start > longest) {
        const blank = text.lastIndexOf(' ', start + longest);
        const cut = blank > start ? blank : graphemeCut(text, start + longest);
        push(start, cut);
        start = cut;
      }
      push(start, end);
      start = end;
    }
    push(start, end);
  }
  return found;
}
