import type { MarkedText } from '../../../ui/marked.ts';

/** Signs of Markdown that a line of plain text does without: of emphasis, code, links, headings, quotes and tables. */
const SIGNS =
  /\*\*|__|`+|(?<=^|\n)\s*(?:#{1,6}|>|[-*+])\s+(?:\[[ xX]\]\s+)?|\[\[|\]\]|!?\[(?=[^\]]*\]\()|\]\([^)]*\)|\s*\|\s*(?=[-:|\s]*(?:\||$))/gu;

/** A passage without Markdown's signs, its marks moved to where the same words stand then. */
export function plainPassage({ text, marks }: MarkedText): MarkedText {
  const cuts = [...text.matchAll(SIGNS)].map(({ index, 0: { length } }) => [index, index + length] as const);
  const moved = (place: number) =>
    place - cuts.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, place) - from), 0);
  return {
    text: text.replaceAll(SIGNS, ''),
    marks: marks.map(([from, to]) => [moved(from), moved(to)] as const).filter(([from, to]) => from < to),
  };
}
