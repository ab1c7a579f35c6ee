import { createHash } from 'node:crypto';
import { atOnce, type Steps } from './steps.ts';

/** A range of lines, from 1, both ends included. */
export interface LineRange {
  from: number;
  to: number;
}

/** A file's text, prepared for finding lines in it. */
export interface CodeText {
  /** As they stand there. */
  lines: readonly string[];
  /** Characters of all of it. */
  length: number;
  /** How deep each line is indented. */
  indents: Int32Array;
  /** All lines without white space that means nothing: of it only what parts two words is left, as one space. */
  plain: string;
  /** Where each line begins and ends in `plain`; a blank one begins where it ends. */
  starts: Int32Array;
  ends: Int32Array;
  /** The polynomial of what stands before each place of `plain`: that of any piece follows from two of them. */
  sums: Int32Array;
}

/** Lines that are gone through in a step: that of lines without end takes some ms. */
const STEP = 4096;

/** Returns a file's text as it is looked at. */
export function codeText(text: string): CodeText {
  return atOnce(readingCode(text));
}

/** Reads a file's text as it is looked at, in steps. */
export function* readingCode(text: string): Steps<CodeText> {
  const lines = text.split(/\r\n|\n|\r/);
  const starts = new Int32Array(lines.length);
  const ends = new Int32Array(lines.length);
  const indents = new Int32Array(lines.length);
  const pieces: string[] = [];
  let length = 0;
  let before = '';
  for (const [at, line] of lines.entries()) {
    if (at % STEP === 0) yield;
    const piece = withoutSpace(line);
    if (piece !== '') {
      if (PARTED.test(before) && LED.test(piece)) {
        pieces.push(' ');
        length += 1;
      }
      pieces.push(piece);
      before = piece;
    }
    indents[at] = indentOf(line);
    starts[at] = length;
    length += piece.length;
    ends[at] = length;
  }
  yield;
  const plain = pieces.join('');
  yield;
  return { lines, length: text.length, indents, plain, starts, ends, sums: sumsOf(plain) };
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
export function hashOf(code: CodeText, range: LineRange): string | undefined {
  const [start, end] = placeOf(code, range);
  if (start === end) return undefined;
  const quick = (polynomialOf(code, start, end - start) >>> 0).toString(16).padStart(8, '0');
  return `${end - start}:${quick}:${atOnce(digesting(code, range))}`;
}

function placeOf({ starts, ends }: CodeText, { from, to }: LineRange): [start: number, end: number] {
  return [starts[from - 1] ?? 0, ends[to - 1] ?? 0];
}

/**
 * SHA-256 of lines without white space that means nothing, those outside of all brackets parted by how deep they are indented. Within
 * brackets a line may break anywhere: what stood between two words stays one space.
 */
function* digesting({ indents, plain, starts, ends }: CodeText, { from, to }: LineRange): Steps<string> {
  const digest = createHash('sha256');
  let shape = '';
  let before = '';
  let brackets = 0;
  let levels: number[] = [];
  let outdented = 0;
  for (let at = from - 1; at < to; at += 1) {
    if (at % STEP === 0) {
      digest.update(shape);
      shape = '';
      yield;
    }
    const piece = plain.slice(starts[at], ends[at]);
    if (piece === '') continue;
    if (brackets === 0) {
      const indent = indents[at] ?? 0;
      while (levels.length > 1 && (levels.at(-1) ?? 0) > indent) levels.pop();
      const top = levels.at(-1);
      if (top === undefined || top < indent) levels.push(indent);
      else if (top > indent) {
        levels = [indent];
        outdented += 1;
      }
      shape += `\n${levels.length - outdented} `;
    } else if (PARTED.test(before) && LED.test(piece)) shape += ' ';
    shape += piece;
    before = piece;
    brackets = bracketsBehind(piece, brackets);
  }
  return digest.update(shape).digest('hex').slice(0, 32);
}

/** How many brackets are open behind a line. What closes more than the lines open was opened before them. */
function bracketsBehind(piece: string, before: number): number {
  let open = before;
  for (let at = 0; at < piece.length; at += 1) {
    const sign = piece[at] ?? '';
    if (OPENING.has(sign)) open += 1;
    else if (CLOSING.has(sign)) open = Math.max(0, open - 1);
  }
  return open;
}
const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);

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

/** Polynomials over the characters before each place of a text, modulo 2^32. */
function sumsOf(text: string): Int32Array {
  const sums = new Int32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1)
    sums[at + 1] = Math.imul(sums[at] ?? 0, BASE) + text.charCodeAt(at);
  return sums;
}

/** The polynomial of a piece of the plain text. */
function polynomialOf({ sums }: CodeText, start: number, size: number): number {
  return ((sums[start + size] ?? 0) - Math.imul(sums[start] ?? 0, powerOf(size))) | 0;
}

/** `BASE` to a power, modulo 2^32. */
function powerOf(exponent: number): number {
  let [power, square] = [1, BASE];
  for (let left = exponent; left > 0; left >>>= 1) {
    if (left % 2 === 1) power = Math.imul(power, square);
    square = Math.imul(square, square);
  }
  return power;
}

/** Characters that may be compared yet, for a reply. */
export interface Budget {
  left: number;
}

/** Characters that are compared at most for one anchor, beyond the first place: only a text that was made for it needs as many. */
const MOST_COMPARED = 256 * 1024;

/** Finds where lines of a hash stand in a text, the place nearest to a line first. It takes time in proportion to the text. */
export function* findLines(code: CodeText, hash: string, near = 1): Generator<LineRange> {
  for (const place of findingLines(code, hash, { near, budget: { left: Infinity } })) if (place) yield place;
}

/** Finds lines in steps; answers whether the budget was enough to look everywhere. */
export function* findingLines(
  code: CodeText,
  hash: string,
  { near, budget }: { near: number; budget: Budget },
): Generator<LineRange | undefined, boolean> {
  const { size, quick, digest } = partsOf(hash);
  const places = yield* rangesLike(code, size, quick);
  places.sort((a, b) => Math.abs(a.from - near) - Math.abs(b.from - near));
  let left = MOST_COMPARED;
  for (const place of places) {
    if (!spend(budget, size)) return false;
    if ((yield* digesting(code, place)) === digest) yield place;
    left -= size;
    if (left < 0) break;
    yield;
  }
  return true;
}

/** Says, in steps, whether a whole file has a hash; undefined where the budget does not reach. */
export function* comparingFile(code: CodeText, hash: string, budget: Budget): Steps<boolean | undefined> {
  const { size, quick, digest } = partsOf(hash);
  const whole = { from: 1, to: code.lines.length };
  const [start, end] = placeOf(code, whole);
  if (end - start !== size || polynomialOf(code, start, size) !== quick) return false;
  return spend(budget, size) ? (yield* digesting(code, whole)) === digest : undefined;
}

/** Takes so much from a budget; false where it has less. */
export function spend(budget: Budget, characters: number): boolean {
  if (budget.left < characters) return false;
  budget.left -= characters;
  return true;
}

function partsOf(hash: string): { size: number; quick: number; digest: string } {
  const [size = '', quick = '', digest = ''] = hash.split(':');
  return { size: Number(size), quick: Number.parseInt(quick, 16) | 0, digest };
}

/** The ranges of whole lines whose plain text has a length and a polynomial. */
function* rangesLike(code: CodeText, size: number, quick: number): Steps<LineRange[]> {
  const { plain, starts, ends } = code;
  if (size === 0 || size > plain.length) return [];
  const power = powerOf(size);
  const found: LineRange[] = [];
  let to = 0;
  for (const [at, start] of starts.entries()) {
    if (at % STEP === 0) yield;
    const end = start + size;
    if (start === ends[at] || end > plain.length) continue;
    while (to < ends.length && ((ends[to] ?? 0) < end || starts[to] === ends[to])) to += 1;
    if (ends[to] !== end) continue;
    const value = ((code.sums[end] ?? 0) - Math.imul(code.sums[start] ?? 0, power)) | 0;
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
