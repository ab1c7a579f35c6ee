/** A sentence of a text and where it stands in it, in UTF-16 units. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Ends of pieces that are no ends of sentences: a title, an initial, `e.g.`, a number of a list. */
const UNFINISHED =
  /(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|approx|ca|e\.g|i\.e|z\.B|Nr|\d{1,3})\.\s*$/u;

/**
 * The sentences of a text, verbatim but for white space at their ends. A line is a border, too (lists, logs, dialogues); `e.g.`,
 * titles and initials are not. Longer than `longest` units are cut at a blank.
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
    for (const { segment } of segmenter.segment(line[0])) {
      end += segment.length;
      if (end - start < longest && UNFINISHED.test(text.slice(start, end))) continue;
      while (end - start > longest) {
        const blank = text.lastIndexOf(' ', start + longest);
        const cut = blank > start ? blank : start + longest;
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
