import { hasMoreLines } from '../../../language/lines.ts';
import { isMarkdown } from '../../../language/passages.ts';
import { LARGEST, piecesOf } from './cutting.ts';
import { markdownPieces } from './markdown-pieces.ts';

/** A piece of a value as it is indexed. Joined together, the texts of a value's chunks are the value. */
export interface Chunk {
  readonly text: string;
  /** Where the text stands in the value, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The document's title and the headings that all of the text stands below, the outermost first; at most some 300 characters. */
  readonly path: readonly string[];
  /** What leads to the beginning of the text and stands before it: the head of a table, the line before a list or code. */
  readonly lead?: string;
}

/** The version of the way of cutting, and of folding words: raise it, and all that was indexed before is looked at again (recutting.ts). */
export const CUTTING = 5;

/** The longest heading that is carried, and how long they may be together. */
const HEADING = 120;
const PATH = 300;

/** Characters, and lines, of Markdown that are read by their structure: a megabyte of nothing but headings would take a second. */
const LONGEST_MARKDOWN = 131_072;
const MOST_LINES = 4_096;

const isStructured = (value: string) =>
  value.length <= LONGEST_MARKDOWN && !hasMoreLines(value, MOST_LINES) && isMarkdown(value);

/**
 * Cuts a value into chunks: Markdown by its headings and blocks, anything else, and Markdown of more than 131,072 characters or 4,096 lines,
 * into 600–1,200 characters. Takes linear time.
 */
export function chunksOf(value: string): Chunk[] {
  if (!isStructured(value)) {
    const title = titleOf(value);
    return piecesOf(value).map((piece) => ({ ...piece, path: title === '' ? [] : [title] }));
  }
  const title = frontTitleOf(value);
  return markdownPieces(value).map((piece) => ({ ...piece, path: boundedPath(title, piece.path) }));
}

/**
 * Whether a value is cut otherwise than by the first way of cutting: plain text is not, nor a value that is one chunk and says all itself.
 */
export function isCutByStructure(value: string): boolean {
  if (!isStructured(value)) return false;
  const [first, ...others] = chunksOf(value);
  return value.length > LARGEST || others.length > 0 || !first || searchedText(first) !== value;
}

/** The text by which a chunk is searched: its own, below those of its headings and its lead that it does not say itself. */
export function searchedText({ text, path, lead = '' }: Chunk): string {
  const above = [...path, lead].filter((one) => one !== '' && !text.includes(one));
  return [...above, text].join('\n');
}

/** The text of a document's first Markdown heading (or of its front matter's `title`), in its first few thousand characters. */
export function titleOf(value: string): string {
  const head = value.slice(0, 4_000);
  const atx = /^ {0,3}#{1,6}[ \t]+([^\n]+)/m.exec(head);
  const setext = /^([^\n]{1,200})\r?\n(?:={3,}|-{3,})[ \t]*\r?$/m.exec(
    head.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, ''),
  );
  const earliest = atx && setext ? (atx.index <= setext.index ? atx : setext) : (atx ?? setext);
  return frontTitleOf(value) || shortened(earliest?.[1] ?? '');
}

/** The title that a document's front matter has; '' without one. */
function frontTitleOf(value: string): string {
  const front = /^---\r?\n(?:[^\n]*\n){0,40}?title:[ \t]*([^\n]+)/.exec(value.slice(0, 4_000));
  return shortened(front?.[1] ?? '');
}

function shortened(heading: string): string {
  return heading
    .replace(/[ \t]#+[ \t\r]*$/, '')
    .replace(/^["']|["']$/g, '')
    .trim()
    .slice(0, HEADING)
    .replace(/[\ud800-\udbff]$/, '');
}

/** The title and the headings below it, each once; where they are too long together, the innermost are kept. */
function boundedPath(title: string, headings: readonly string[]): string[] {
  const all = [title, ...headings.map(shortened)].filter((one) => one !== '');
  const [first = '', ...below] = new Set(all);
  let left = PATH - first.length;
  const kept = below.reverse().filter((one) => (left -= one.length) >= 0);
  return first === '' ? [] : [first, ...kept.reverse()];
}
