import type { Laid, SourceMarks } from './laid-out.ts';

/** The text that a note was laid out from, and what is marked in it. */
export interface TextPlace {
  body: string;
  marks: SourceMarks;
}

interface Text {
  value: string;
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
}

/**
 * `[[target]]`, `[[target|what it says]]`, or `((id))` of a block of Logseq. What is to be shown in place has a `!` before it in Obsidian, and
 * stands in `{{embed …}}` in Logseq.
 */
const MEMORY =
  /(?<embed>\{\{embed\s{1,20})?(?<mark>!)?(?:\[\[(?<target>[^[\]|\n]{1,600})(?:\|(?<says>[^[\]\n]{1,600}))?\]\]|\(\((?<block>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\)\))(?<end>\s{0,20}\}\})?/gi;

/** A run of text in pieces: plain text, links to memories, and what is marked. */
export function piecesOfText(
  node: Text,
  place: TextPlace,
  around: { inLink: boolean; inCode: boolean },
): Laid[] {
  const { value } = node;
  const start = verbatimAt(node, place.body);
  const marked = (from: number, to: number): Laid[] =>
    start === undefined
      ? [value.slice(from, to)]
      : withMarks(value.slice(from, to), place.marks, start + from);
  if (around.inLink || around.inCode || !(value.includes('[[') || value.includes('((')))
    return marked(0, value.length);
  const pieces: Laid[] = [];
  let from = 0;
  for (const found of value.matchAll(MEMORY)) {
    const { embed = '', mark, target: named, says, block, end = '' } = found.groups ?? {};
    const target = block === undefined ? (named?.trim() ?? '') : `((${block.toLowerCase()}))`;
    if (target === '') continue;
    const isWhole = embed !== '' && end !== '';
    const begin = found.index + (isWhole ? 0 : embed.length);
    const to = found.index + found[0].length - (isWhole ? 0 : end.length);
    if (begin > from) pieces.push(...marked(from, begin));
    // A part of the note itself is called as it is.
    const said =
      block === undefined ? (says?.trim() ?? /^#+\s*(.+)$/s.exec(target)?.[1] ?? '') : `((${block}))`;
    const saidAt = found.index + found[0].lastIndexOf(said === '' ? target : said);
    pieces.push({
      kind: 'memory',
      target,
      // Where there is no such block, it stays a text.
      ...(block !== undefined && { isPath: true as const }),
      ...((isWhole || mark !== undefined) && { isEmbed: true as const }),
      children: marked(saidAt, saidAt + (said || target).length),
    });
    from = to;
  }
  if (from < value.length) pieces.push(...marked(from, value.length));
  return pieces;
}

/** Where a text stands in the source, if it stands there as it is, without entities and escapes. */
function verbatimAt({ value, position }: Text, body: string): number | undefined {
  const at = position?.start.offset;
  return at !== undefined && body.startsWith(value, at) ? at : undefined;
}

function withMarks(text: string, marks: SourceMarks, start: number): Laid[] {
  const pieces: Laid[] = [];
  let from = 0;
  for (const [first, last] of marks) {
    const at = Math.max(first - start, from);
    const to = Math.min(last - start, text.length);
    if (at >= to) continue;
    if (at > from) pieces.push(text.slice(from, at));
    pieces.push({ kind: 'element', tag: 'mark', children: [text.slice(at, to)] });
    from = to;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}
