import { firstBehind } from '../secret-span.ts';
import { type PrintedBytes, printedBytes } from './printed-bytes.ts';

/** A text as it is looked at, with the way back to the text that it was made of. */
export interface TextView {
  text: string;
  /** Where each character begins in the source; undefined where both are the same. */
  from?: Uint32Array;
  /** Where each ends in the source. */
  to?: Uint32Array;
  /** Places at which something was left out between the character before and this one, such as the end of a line; ascending. */
  breaks: readonly number[];
  /** What begins within so many characters is looked at elsewhere: what stands before it is not here. */
  margin: number;
}

/** Returns where a part of a view stands in its source. */
export function sourceOf({ from, to }: TextView, start: number, end: number): { start: number; end: number } {
  if (!from || !to || end <= start) return { start, end };
  return { start: from[start] ?? 0, end: to[end - 1] ?? 0 };
}

/** The text as it is. */
export function plainView(text: string): TextView {
  return { text, breaks: [], margin: 0 };
}

/** What an edit of a view puts in the place of a part of it. */
interface Edit {
  start: number;
  end: number;
  by: string;
}

/** So much of a text is kept before and behind what is replaced in it: whatever secret has a replaced part in it is looked at whole. */
const REACH = 2_048;

/** Views of the parts of a view in which something is replaced. `joins`: the places are remembered as breaks. */
function* edited(view: TextView, edits: Iterable<Edit>, joins = false): Generator<TextView> {
  let near: Edit[] = [];
  for (const edit of edits) {
    const last = near.at(-1);
    if (last && edit.start - last.end > 2 * REACH) {
      yield replacedIn(view, near, joins);
      near = [];
    }
    near.push(edit);
  }
  if (near.length > 0) yield replacedIn(view, near, joins);
}

function replacedIn(view: TextView, edits: readonly Edit[], joins: boolean): TextView {
  const { text } = view;
  const first = Math.max(0, (edits[0]?.start ?? 0) - REACH);
  const last = Math.min(text.length, (edits.at(-1)?.end ?? 0) + REACH);
  const size = edits.reduce((sum, { start, end, by }) => sum + by.length - (end - start), last - first);
  const from = new Uint32Array(size);
  const to = new Uint32Array(size);
  const pieces: string[] = [];
  const breaks: number[] = [];
  let [read, written] = [first, 0];
  const copy = (end: number) => {
    for (let at = read; at < end; at += 1) {
      from[written] = view.from?.[at] ?? at;
      to[written] = view.to?.[at] ?? at + 1;
      written += 1;
    }
    pieces.push(text.slice(read, end));
  };
  for (const { start, end, by } of edits) {
    copy(start);
    const source = sourceOf(view, start, end);
    for (let at = 0; at < by.length; at += 1) {
      from[written] = source.start;
      to[written] = source.end;
      written += 1;
    }
    if (joins) breaks.push(written);
    pieces.push(by);
    read = end;
  }
  copy(last);
  return { text: pieces.join(''), from, to, breaks, margin: first === 0 ? view.margin : REACH / 4 };
}

/** Colours of terminals, characters that nobody sees, and what is written for another character: escapes, and letters of full width or in bold. */
const ESCAPED =
  /(?:\u001b|\^\[)\[[0-9;?]{0,16}[A-Za-z]|[\u00ad\u200b-\u200d\u2060\ufeff]|\\(?:u\{?([0-9a-fA-F]{4})\}?|x([0-9a-fA-F]{2})|(["'`\\/nrtbfe$=:!])|([0-3][0-7]{2}))|%([0-9a-fA-F]{2})|&(?:#x([0-9a-fA-F]{1,4})|#(\d{1,5})|(amp|lt|gt|quot|apos));|([\u2070-\u209c\u2460-\u24ea\u3000\uff01-\uff5e\u{1d400}-\u{1d7ff}])/gu;

const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  e: '\u001b',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function characterOf(match: RegExpExecArray): string {
  const [, unicode, hex, letter, octal, percent, entityHex, entity, name, wide] = match;
  if (wide !== undefined) return wide.normalize('NFKC');
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  const code = unicode ?? hex ?? percent ?? entityHex;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (entity !== undefined) return String.fromCharCode(Number(entity) & 0xffff);
  const named = letter ?? name ?? '';
  return NAMED[named] ?? named;
}

/** How often a text may be written within another: JSON in JSON in a log. */
const LEVELS = 4;

/** The text as it is, then its parts with colours left out and escapes resolved, level by level: `\\\\n` to `\\n` to the end of a line. */
function levelsOf(text: string): TextView[] {
  const levels = [plainView(text)];
  let latest = levels;
  for (let level = 0; level < LEVELS && latest.length > 0; level += 1) {
    latest = latest.flatMap((view) =>
      edited(
        view,
        view.text.matchAll(ESCAPED).map((found) => ({
          start: found.index,
          end: found.index + found[0].length,
          by: characterOf(found),
        })),
      ).toArray(),
    );
    levels.push(...latest);
  }
  return levels;
}

/** Texts whose bytes are printed in a view, each mapped to the whole of what was printed for it. */
function bytesIn(view: TextView): TextView[] {
  const printed = printedBytes(view.text);
  // Where the name of a list says what it is, its text is looked at in its place.
  const inPlace = printed.flatMap(({ text, list }) =>
    list && !text.includes('\n') ? [{ ...list, by: quoted(text) }] : [],
  );
  const ordered = inPlace
    .sort((a, b) => a.start - b.start)
    .filter(({ start }, at) => start >= (inPlace[at - 1]?.end ?? 0));
  return [...edited(view, ordered), ...printed.map((one) => bytesOf(view, one))];
}

function quoted(text: string): string {
  const quote = [...QUOTE].find((one) => !text.includes(one)) ?? '"';
  return quote + text + quote;
}

function bytesOf(view: TextView, { text, places }: PrintedBytes): TextView {
  const from = new Uint32Array(text.length);
  const to = new Uint32Array(text.length);
  for (const [at, { start, end }] of places.entries()) {
    const source = sourceOf(view, start, end);
    from[at] = source.start;
    to[at] = source.end;
  }
  return { text, from, to, breaks: [], margin: 0 };
}

/** A text with its letters apart: `g h p _ …`, `g . h . p`, also a letter a line; what stands between two words is such a letter, too. */
const SPACED =
  /[!-~\p{L}]([ \u00a0][-_.·][ \u00a0]|[-_.·]|[ \t\u00a0]{1,3}(?!(?:[^-_.·][ \u00a0]){1,3}[-_.·][ \u00a0][^-_.·][ \u00a0][-_.·][ \u00a0])|\n)[!-~\p{L}](?:\1[ -~\p{L}]){6,4094}(?![\p{L}\p{N}])/gu;

function* spacedLetters(text: string): Generator<Edit> {
  for (const match of text.matchAll(SPACED)) {
    const [run, between = ''] = match;
    const gap = between.length;
    if ((run.match(/[\p{L}\d]/gu)?.length ?? 0) < 8) continue;
    // The last letter of a word before it, or the colon behind that, is none of its own.
    const isOwn = !/[\p{L}\p{N}]/u.test(text.charAt(match.index - 1));
    const first = match.index + 1 + (isOwn ? 0 : gap + 1);
    for (let at = first; at < match.index + run.length; at += gap + 1)
      yield { start: at, end: at + gap, by: '' };
  }
}

/** What stands before the rest of it: the sign of a diff, the number of a line, a quote, a comment. */
const AFTER_END =
  /\n[ \t]{0,80}(?:\d{1,7}[ \t]{0,8}(?:→|\||:|\t))?[ \t]{0,80}(?:(?:\+(?!\+)|-(?!-)|-(?=-{5}[BE])|[|>*#│┃]{1,2})[ \t]{0,8}|\/\/[ \t]?)?(?:\+[ \t]{0,8})?["'`]?/uy;
/** The same where a sign is of the word itself. */
const AFTER_END_UNSIGNED = /\n[ \t]{0,80}(?:\d{1,7}[ \t]{0,8}(?:→|\||:|\t))?[ \t]{0,80}["'`]?/uy;
const JOINED_QUOTES = /["'`][ \t]{0,8}(?:[+&]|\.{1,2})[ \t]{0,8}["'`]/gu;
const OF_A_WORD = /[^\s"'`,;(){}[\]<>]/u;

const BLANK = new Set([' ', '\t', '\r']);
const GOES_ON = new Set(['\\', '+', '.', '&']);
const QUOTE = new Set(['"', "'", '`']);

/** Where a line ends without what only says that its last word goes on in the next: `\`, `" +`. */
function wordEnd(text: string, lineEnd: number): number {
  let at = lineEnd;
  const back = (over: ReadonlySet<string>, most: number) => {
    for (let steps = 0; steps < most && over.has(text.charAt(at - 1)); steps += 1) at -= 1;
  };
  back(BLANK, 80);
  const bare = at;
  for (let marks = 0; marks < 2 && GOES_ON.has(text.charAt(at - 1)); marks += 1) {
    // A full stop may be of the word itself, as in a web token: it counts as a mark only behind a quote.
    if (text.charAt(at - 1) === '.' && !/["'` \t]\.?$/u.test(text.slice(Math.max(0, at - 3), at - 1))) break;
    at -= 1;
  }
  // So may a sign.
  if (at < bare && text.charAt(bare - 1) !== '\\' && !/["'` \t]/u.test(text.charAt(at - 1))) at = bare;
  back(BLANK, 80);
  back(QUOTE, 1);
  return at;
}

const MIXED = /\d|[a-z][A-Z]|[A-Z]{8}|[A-Z][a-z]+[A-Z]|[+/=_%.-]/u;

/** Tells whether a word may be a part of a secret: ordinary words are neither long nor mixed. */
function mayBePart(word: string): boolean {
  return word.length >= 8 && MIXED.test(word);
}

const LONGEST_LOOK = 64;
const SPACES = new Set([' ', '\t', '\n', '\r']);

function wordBefore(text: string, end: number): string {
  let at = end;
  while (at > 0 && end - at < LONGEST_LOOK && !SPACES.has(text.charAt(at - 1))) at -= 1;
  return text.slice(at, end);
}

function wordAt(text: string, start: number): string {
  let at = start;
  while (at < text.length && at - start < LONGEST_LOOK && !SPACES.has(text.charAt(at))) at += 1;
  return text.slice(start, at);
}

function* lineEnds(text: string, after: RegExp): Generator<Edit> {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text.charAt(at + 1) === '\n') continue;
    const start = wordEnd(text, at);
    if (!OF_A_WORD.test(text.charAt(start - 1))) continue;
    after.lastIndex = at;
    const end = at + (after.exec(text)?.[0].length ?? 1);
    if (!OF_A_WORD.test(text.charAt(end))) continue;
    if (mayBePart(wordBefore(text, start)) || mayBePart(wordAt(text, end))) yield { start, end, by: '' };
  }
}

function* inOrder(text: string, after: RegExp): Generator<Edit> {
  const quotes = text
    .matchAll(JOINED_QUOTES)
    .map((found) => ({ start: found.index, end: found.index + found[0].length, by: '' }))
    .toArray();
  let last = 0;
  for (const edit of [...quotes, ...lineEnds(text, after)].sort((a, b) => a.start - b.start)) {
    if (edit.start < last) continue;
    last = edit.end;
    yield edit;
  }
}

/**
 * All ways to look at a text: as it is, its parts with escapes resolved, and of each of those the parts in which words are cut
 * by the end of a line or written as `"one" + "two"`, joined.
 */
export function viewsOf(text: string): TextView[] {
  const written = levelsOf(text);
  const levels = [
    ...written,
    ...written.flatMap((view) => [...edited(view, spacedLetters(view.text)), ...bytesIn(view)]),
  ];
  const joined = (from: readonly TextView[], after: RegExp) =>
    from.flatMap((view) => edited(view, inOrder(view.text, after), true).toArray());
  // Whether `-` or `+` at the beginning of a line is the sign of a diff or of the word, nobody can tell.
  const signed = levels.filter(({ text: shown }) => /\n[ \t]{0,80}[+-][A-Za-z0-9]/u.test(shown));
  return [...levels, ...joined(levels, AFTER_END), ...joined(signed, AFTER_END_UNSIGNED)];
}

/** Index of the first break behind a place. */
export function firstBreakBehind(breaks: readonly number[], place: number): number {
  return firstBehind(breaks, place, (at) => at);
}

/**
 * Tells whether the beginning of a line may be the rest of a secret that the line before began: it is no ordinary word, nor the name of a value.
 */
export function goesOn(word: string, behind: string): boolean {
  if (word === '' || /^\s{0,2}[=:(]/u.test(behind)) return false;
  return /\d/u.test(word) || word.length > 24 || /[a-z][A-Z]|[A-Z]{2,}[a-z]/u.test(word);
}
