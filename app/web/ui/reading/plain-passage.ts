import { obsidianMarks, type Span } from '@reverie/shared/contract/obsidian-marks';
import type { MarkedText } from '../text/marked.ts';

/** A line that is a row of a table: its bars part its cells. The passage may begin within it; one bar alone may be of a command. */
const isRow = (line: string) => /^[ \t]*\|/u.test(line) || line.split(/[ \t]\|(?=[ \t]|$)/u).length > 2;
/** Signs of Markdown that a line of plain text does without: of emphasis, code, links, headings and quotes. */
const SIGNS =
  /\\(?=\|)|\*\*|__|`+|(?<=^|\n)\s*(?:#{1,6}|>|[-*+])\s+(?:\[[ xX]\]\s+)?|\[\[|\]\]|!?\[(?=[^\]]*\]\()|\]\([^)]*\)/gu;
/** Words between single signs of emphasis, or struck out. */
const EMPHASIS =
  /(?<![\w*\\])\*(?=[^\s*])[^*\n]*[^\s*\\]\*(?![\w*])|(?<![\w\\])_(?=[^\s_])[^_\n]*[^\s_\\]_(?!\w)|~~(?=\S)[^~\n]*\S~~/gu;
/** Bars of a row with what is around them, and the line below a head. */
const BARS = /^[ \t]*\|[-:|\s]*$|^[ \t]*\|[|\s]*|\s*(?<!\\)\|[|\s]*/gu;

/** What is put into the place of a part of a text. */
interface Cut extends Span {
  by: string;
}

/** A passage without Markdown's signs, the cells of a row parted by dots, its marks moved to where the same words stand then. */
export function plainPassage({ text, marks }: MarkedText): MarkedText {
  const { literals, comments, highlights } = obsidianMarks(text);
  const cuts = [
    ...outside(literals, [...barsIn(text), ...signsIn(text), ...emphasisIn(text)].sort(inOrder)),
    ...literals.flatMap((literal) => ticksOf(text, literal)),
    ...[...comments, ...highlights].map((span) => ({ ...span, by: '' })),
  ].sort(inOrder);
  let plain = '';
  let done = 0;
  const kept: (Cut & { at: number })[] = [];
  for (const cut of cuts) {
    if (cut.from < done) continue;
    plain += text.slice(done, cut.from);
    kept.push({ ...cut, at: plain.length });
    plain += cut.by;
    done = cut.to;
  }
  plain += text.slice(done);
  const moved = (place: number) => {
    const before = kept.findLast(({ from }) => from <= place);
    if (!before) return place;
    const { to, by, at } = before;
    return at + (place < to ? 0 : by.length + place - to);
  };
  return {
    text: plain,
    marks: marks.map(([from, to]) => [moved(from), moved(to)] as const).filter(([from, to]) => from < to),
  };
}

function inOrder(a: Span, b: Span): number {
  return a.from - b.from || b.to - a.to;
}

/** The cuts that do not begin in what is kept as it is; both in their order. */
function outside(literals: readonly Span[], cuts: readonly Cut[]): Cut[] {
  let at = 0;
  return cuts.filter(({ from }) => {
    while ((literals[at]?.to ?? Number.POSITIVE_INFINITY) <= from) at += 1;
    return from < (literals[at]?.from ?? Number.POSITIVE_INFINITY);
  });
}

/** The back-ticks around code. */
function ticksOf(text: string, { from, to }: Span): Cut[] {
  const ticks = /^`+/u.exec(text.slice(from, to))?.[0].length ?? 0;
  if (ticks === 0) return [];
  const isClosed = to - from > ticks && text.slice(to - ticks, to) === '`'.repeat(ticks);
  return [{ from, to: from + ticks, by: '' }, ...(isClosed ? [{ from: to - ticks, to, by: '' }] : [])];
}

function signsIn(text: string): Cut[] {
  return [...text.matchAll(SIGNS)].map(({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
    by: '',
  }));
}

function emphasisIn(text: string): Cut[] {
  return [...text.matchAll(EMPHASIS)].flatMap(({ index, 0: said }) => {
    const [to, sign] = [index + said.length, said.startsWith('~') ? 2 : 1];
    return [
      { from: index, to: index + sign, by: '' },
      { from: to - sign, to, by: '' },
    ];
  });
}

function barsIn(text: string): Cut[] {
  return [...text.matchAll(/[^\n]+/gu)]
    .filter(([line]) => isRow(line))
    .flatMap(({ index, 0: row }) =>
      [...row.matchAll(BARS)].map(({ index: at, 0: { length } }) => ({
        from: index + at,
        to: index + at + length,
        by: at === 0 || at + length === row.length ? '' : ' · ',
      })),
    );
}
