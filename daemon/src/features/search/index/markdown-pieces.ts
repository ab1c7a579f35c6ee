import { type Block, type Section, sectionsOf } from '../../../language/sections.ts';
import { cutIn, evenCut, LARGEST, type TextPiece, SMALLEST } from './cutting.ts';

/** A piece of a Markdown text. */
export interface MarkdownPiece extends TextPiece {
  /** The headings that all of it stands below, the outermost first. */
  readonly path: readonly string[];
  /** What leads to its first block and stands before it. */
  readonly lead?: string;
}

/** Sections that are no longer than this together share a piece: a text of nothing but headings is not worth a row for each. */
const SHARED = 150;

/**
 * Cuts a Markdown text at its headings, and what is longer than 1,200 characters between two headings into whole paragraphs, items
 * and rows as far as these are short enough. Joined together, the pieces are the text. Takes linear time.
 */
export function markdownPieces(text: string): MarkdownPiece[] {
  const sections = sectionsOf(text);
  const tops = sections.filter(({ path }) => path.length === 1);
  // What stands before the only heading of the highest level belongs to it, too.
  const above = tops.length === 1 ? (tops[0]?.path ?? []) : [];
  return sharing(sections).flatMap((group) => {
    const path = group.path.length > 0 ? group.path : above;
    return piecesOfGroup(text, group).map((piece) => ({ ...piece, path }));
  });
}

/** Sections that are not cut from each other; their path is what they have in common. */
interface Group {
  readonly start: number;
  end: number;
  path: readonly string[];
  hasContent: boolean;
  readonly blocks: Block[];
}

function sharing(sections: readonly Section[]): Group[] {
  const groups: Group[] = [];
  for (const { start, end, path, blocks, hasContent } of sections) {
    const group = groups.at(-1);
    const common = group ? commonPath(group.path, path) : [];
    // A heading alone stays with what it is the heading of.
    const isBelow = group !== undefined && !group.hasContent && common.length === group.path.length;
    if (group && (isBelow || end - group.start <= SHARED)) {
      group.end = end;
      group.path = isBelow ? path : common;
      group.hasContent ||= hasContent;
      for (const block of blocks) group.blocks.push(block);
    } else groups.push({ start, end, path, hasContent, blocks: [...blocks] });
  }
  return groups;
}

function commonPath(one: readonly string[], other: readonly string[]): readonly string[] {
  const differing = one.findIndex((heading, at) => heading !== other[at]);
  return differing < 0 ? one : one.slice(0, differing);
}

function piecesOfGroup(text: string, { start, end, blocks }: Group): (TextPiece & { lead?: string })[] {
  const pieces: (TextPiece & { lead?: string })[] = [];
  let from = start;
  let first = 0;
  const push = (to: number) => {
    while ((blocks[first + 1]?.start ?? end) <= from && first < blocks.length - 1) first++;
    const lead = from === start ? undefined : blocks[first]?.lead();
    pieces.push({ text: text.slice(from, to), start: from, end: to, ...(lead !== undefined && { lead }) });
    from = to;
  };
  while (end - from > LARGEST) {
    const to = blockBorder(blocks, { first, from, end });
    push(to > from ? to : from + cutIn(text.slice(from, from + LARGEST + 1), end - from));
  }
  push(end);
  return pieces;
}

/**
 * Where a piece may end between two blocks: the last border that makes it half full, between blocks before within one; else before a
 * block that is whole in the next piece. 0 where there is none.
 */
function blockBorder(
  blocks: readonly Block[],
  { first, from, end }: { first: number; from: number; end: number },
): number {
  const even = from + evenCut(end - from);
  let [between, within, early] = [0, 0, 0];
  for (let at = first; at < blocks.length; at++) {
    const block = blocks[at];
    if (!block || block.start > from + LARGEST) break;
    const { start, isPart } = block;
    if (start <= from) continue;
    if (start < from + SMALLEST / 2) early = (blocks[at + 1]?.start ?? end) - start <= LARGEST ? start : 0;
    else if (!isPart) between = start;
    else if (start <= even) within = start;
  }
  return between || within || early;
}
