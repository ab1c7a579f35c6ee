import type { TextSpan } from '../../language/passage-at.ts';
import { isMarkdown, passagesOf } from '../../language/passages.ts';
import { sectionsOf } from '../../language/sections.ts';

/** A part of a text: whole blocks of it, or sentences. */
export interface Part extends TextSpan {
  /** The headings that it stands below, the outermost first. */
  readonly path: readonly string[];
  /** What has to be known where it stands alone: the head of a table, the line before a list. */
  readonly lead: () => string | undefined;
}

/** Characters of a text whose sections are read; of a longer one those around the place, for others wait meanwhile. */
const READ_WHOLE = 60_000;
const READ_AROUND = 8_000;

/** The part of a text that stands around a place: as many blocks as so many characters have place for, of one section where that is wanted, and the one of the place at least. */
export function partAround(
  value: string,
  place: number,
  { most, isOneSection = false }: { most: number; isOneSection?: boolean },
): Part {
  if (value.length > READ_WHOLE) {
    const begin = Math.max(0, place - READ_AROUND);
    const near = partAround(value.slice(begin, place + READ_AROUND).toWellFormed(), place - begin, {
      most,
      isOneSection,
    });
    return { ...near, start: begin + near.start, end: begin + near.end };
  }
  const blocks = blocksOf(value, most);
  const at = Math.max(
    0,
    blocks.findLastIndex(({ start }) => start <= place),
  );
  let [from, to] = [at, at];
  const here = blocks[at]?.path.join('\n');
  const may = (one: number) => !isOneSection || blocks[one]?.path.join('\n') === here;
  const lengthOf = (first: number, last: number) => (blocks[last]?.end ?? 0) - (blocks[first]?.start ?? 0);
  for (let grows = true; grows;) {
    grows = false;
    if (to + 1 < blocks.length && may(to + 1) && lengthOf(from, to + 1) <= most) [to, grows] = [to + 1, true];
    if (from > 0 && may(from - 1) && lengthOf(from - 1, to) <= most) [from, grows] = [from - 1, true];
  }
  const { start = 0, path = [], lead = none } = blocks[from] ?? {};
  return { start, end: blocks[to]?.end ?? value.length, path, lead };
}

const none = () => undefined;

/** The blocks of a text; what is longer than a part may be, by its sentences. */
function blocksOf(value: string, most: number): Part[] {
  const blocks = isMarkdown(value)
    ? sectionsOf(value).flatMap(({ end: ends, path, blocks }) =>
        blocks.map(({ start, lead }, at): Part => ({
          start,
          end: blocks[at + 1]?.start ?? ends,
          path,
          lead,
        })),
      )
    : [{ start: 0, end: value.length, path: [], lead: none }];
  return blocks.flatMap((block) =>
    block.end - block.start <= most / 2 ? [block] : sentencesOf(value, block),
  );
}

/** The sentences of a block; of one without any, pieces between blanks. */
function sentencesOf(value: string, { start, end, path, lead }: Part): Part[] {
  const text = value.slice(start, end);
  const starts = passagesOf(text).map((passage) => passage.start);
  const cuts = [0, ...starts.slice(1), text.length];
  return cuts.slice(1).flatMap((to, at) => {
    const from = cuts[at] ?? 0;
    return piecesOf(text.slice(from, to)).map((piece) => ({
      path,
      lead: at === 0 ? lead : none,
      start: start + from + piece.start,
      end: start + from + piece.end,
    }));
  });
}

/** Characters of a sentence that is not cut. */
const LONGEST = 400;

/** A text in pieces that end at a blank where there is one, and never within a letter. */
function piecesOf(text: string): TextSpan[] {
  const pieces: TextSpan[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + LONGEST);
    if (end < text.length) {
      const blank = text.lastIndexOf(' ', end);
      if (blank > start) end = blank + 1;
      else if (/[\ud800-\udbff]/u.test(text.charAt(end - 1))) end -= 1;
    }
    pieces.push({ start, end });
    start = end;
  }
  return pieces;
}
