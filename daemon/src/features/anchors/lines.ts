import { createHash } from 'node:crypto';

/** A range of lines, from 1, both ends included. */
export interface LineRange {
  from: number;
  to: number;
}

/** A file's text, prepared for finding lines in it. */
export interface CodeText {
  /** As they stand there. */
  lines: readonly string[];
  /** All lines without white space that means nothing: of it only what parts two words is left, as one space. */
  plain: string;
  /** Where each line begins and ends in `plain`; a blank one begins where it ends. */
  starts: Int32Array;
  ends: Int32Array;
}

/** Returns a file's text as it is looked at. */
export function codeText(text: string): CodeText {
  const lines = text.split(/\r\n|\n|\r/);
  const starts = new Int32Array(lines.length);
  const ends = new Int32Array(lines.length);
  const pieces: string[] = [];
  let length = 0;
  let before = '';
  for (const [at, line] of lines.entries()) {
    const piece = withoutSpace(line);
    if (piece !== '') {
      if (PARTED.test(before) && LED.test(piece)) {
        pieces.push(' ');
        length += 1;
      }
      pieces.push(piece);
      before = piece;
    }
    starts[at] = length;
    length += piece.length;
    ends[at] = length;
  }
  return { lines, plain: pieces.join(''), starts, ends };
}

const LETTER = String.raw`[\p{L}\p{N}_$]`;
const PARTED = new RegExp(`${LETTER}$`, 'u');
const LED = new RegExp(`^${LETTER}`, 'u');
const MEANINGLESS = new RegExp(`(?<!${LETTER}) | (?!${LETTER})`, 'gu');

function withoutSpace(line: string): string {
  return line.replaceAll(/\s+/g, ' ').replaceAll(MEANINGLESS, '');
}

/**
 * Returns the hash of lines: the length of their plain text, a number by which other places are passed over at once, and SHA-256 of their
 * text and of how the lines outside of brackets are indented within each other, which means something in Python, YAML and their like.
 * Undefined for blank lines.
 */
export function hashOf(code: CodeText, { from, to }: LineRange): string | undefined {
  const plain = plainOf(code, { from, to });
  if (plain === '') return undefined;
  const quick = (polynomialOf(plain) >>> 0).toString(16).padStart(8, '0');
  return `${plain.length}:${quick}:${digestOf(code, { from, to })}`;
}

function plainOf({ plain, starts, ends }: CodeText, { from, to }: LineRange): string {
  return plain.slice(starts[from - 1], ends[to - 1]);
}

function digestOf({ lines }: CodeText, { from, to }: LineRange): string {
  const shape = shapeOf(lines.slice(from - 1, to));
  return createHash('sha256').update(shape).digest('hex').slice(0, 32);
}

const BRACKETS = /[()[\]{}]/g;
const OPENING = new Set(['(', '[', '{']);

/** Lines without white space that means nothing, those outside of all brackets parted by how deep they are indented. */
function shapeOf(lines: readonly string[]): string {
  let shape = '';
  let brackets = 0;
  let levels: number[] = [];
  let outdented = 0;
  for (const line of lines) {
    const piece = withoutSpace(line);
    if (piece === '') continue;
    if (brackets === 0) {
      const indent = indentOf(line);
      while (levels.length > 1 && (levels.at(-1) ?? 0) > indent) levels.pop();
      const top = levels.at(-1);
      if (top === undefined || top < indent) levels.push(indent);
      else if (top > indent) {
        levels = [indent];
        outdented += 1;
      }
      shape += `\n${levels.length - outdented} `;
    } else shape += '\u0000';
    shape += piece;
    // What closes more than the lines open was opened before them.
    for (const [sign] of piece.matchAll(BRACKETS))
      brackets = OPENING.has(sign) ? brackets + 1 : Math.max(0, brackets - 1);
  }
  return joined(shape);
}

/** Within brackets a line may break anywhere: what stood between two words stays one space. */
function joined(shape: string): string {
  return shape.replaceAll(JOINT, ' ').replaceAll('\u0000', '');
}
const JOINT = new RegExp(`(?<=${LETTER})\u0000(?=${LETTER})`, 'gu');

const TAB = 8;

/** The column of a line's first character. */
export function indentOf(line: string): number {
  let column = 0;
  for (const letter of line) {
    if (letter === '\t') column += TAB - (column % TAB);
    else if (/\s/u.test(letter)) column += 1;
    else break;
  }
  return column;
}

const BASE = 0x01000193;

/** A polynomial over the characters of a text, modulo 2^32. */
function polynomialOf(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at += 1) value = (Math.imul(value, BASE) + text.charCodeAt(at)) | 0;
  return value;
}

/** Characters that are compared at most, beyond the first place: only a text that was made for it needs as many. */
const MOST_COMPARED = 256 * 1024;

/** Finds where lines of a hash stand in a text, the place nearest to a line first. It takes time in proportion to the text. */
export function* findLines(code: CodeText, hash: string, near = 1): Generator<LineRange> {
  const [length = '', quick = '', digest] = hash.split(':');
  const size = Number(length);
  const places = rangesLike(code, size, Number.parseInt(quick, 16) | 0);
  places.sort((a, b) => Math.abs(a.from - near) - Math.abs(b.from - near));
  let left = MOST_COMPARED;
  for (const place of places) {
    if (digestOf(code, place) === digest) yield place;
    left -= size;
    if (left < 0) return;
  }
}

/** The ranges of whole lines whose plain text has a length and a polynomial. */
function rangesLike({ plain, starts, ends }: CodeText, size: number, quick: number): LineRange[] {
  if (size === 0 || size > plain.length) return [];
  // The polynomial of what stands before each place: that of any piece follows from two of them.
  const sums = new Int32Array(plain.length + 1);
  for (let at = 0; at < plain.length; at += 1)
    sums[at + 1] = Math.imul(sums[at] ?? 0, BASE) + plain.charCodeAt(at);
  let power = 1;
  for (let at = 0; at < size; at += 1) power = Math.imul(power, BASE);
  const found: LineRange[] = [];
  let to = 0;
  for (const [at, start] of starts.entries()) {
    const end = start + size;
    if (start === ends[at] || end > plain.length) continue;
    while (to < ends.length && ((ends[to] ?? 0) < end || starts[to] === ends[to])) to += 1;
    if (ends[to] !== end) continue;
    const value = ((sums[end] ?? 0) - Math.imul(sums[start] ?? 0, power)) | 0;
    if (value === quick) found.push({ from: at + 1, to: to + 1 });
  }
  return found;
}

/** `40-58` as a range, and back. */
export function readRange(lines: string): LineRange {
  const [from = '', to = from] = lines.split('-');
  return { from: Number(from), to: Number(to) };
}

export function writeRange({ from, to }: LineRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
