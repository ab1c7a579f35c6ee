import { graphemesOf } from './words/graphemes.ts';
import { isHash, isNumberToken, numberMarks } from './words/number-runs.ts';
import { stem } from './words/porter.ts';
import { foldText, hasUnspaced, identifierParts, spacedParts, spelledOut, WORD } from './words/words.ts';

/** Something that is looked for: the stems of its words, one right behind the other. */
export type SoughtWords = readonly string[];

/** Where a text has something, in UTF-16 units. */
export type TextMark = [start: number, end: number];

interface Token {
  readonly start: number;
  readonly end: number;
  readonly stems: readonly string[];
}

/**
 * Where a text says what is looked for, in its order and none within another: whole words in any form of the same stem, an identifier
 * that has the word as a part, a number however it is written, a hash by its beginning, and in scripts without blanks the characters
 * themselves.
 */
export function marksOf(text: string, sought: readonly SoughtWords[]): TextMark[] {
  const begins = new Set(sought.flatMap((stems) => stems.map((one) => one.charAt(0))));
  const single = sought.flatMap((stems) => (stems.length === 1 ? stems : []));
  const looked = { begins, hashes: single.filter(isHash) };
  const isUnspaced = hasUnspaced(foldText(text));
  const tokens: Token[] = [];
  const marks: TextMark[] = placedMarks(text, single.filter(isNumberToken));
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isUnspaced || !hasUnspaced(foldText(word))) {
      tokens.push(tokenOf(word, index, looked));
      continue;
    }
    let from = 0;
    for (const part of spacedParts(word)) {
      from = word.indexOf(part, from);
      tokens.push(tokenOf(part, index + from, looked));
      from += part.length;
    }
    const { letters, places } = placedLetters(word);
    for (const gram of single.filter(hasUnspaced))
      for (let at = letters.indexOf(gram); at >= 0; at = letters.indexOf(gram, at + 1))
        marks.push([index + (places[at]?.[0] ?? 0), index + (places[at + gram.length - 1]?.[1] ?? 0)]);
  }
  for (const [at, { start, stems }] of tokens.entries()) {
    if (stems.length === 0) continue;
    for (const wanted of sought) {
      const last = tokens[at + wanted.length - 1];
      if (last && wanted.every((one, next) => tokens[at + next]?.stems.includes(one) === true))
        marks.push([start, last.end]);
    }
  }
  return joined(marks);
}

/** The folded letters of a word, as grams have them, and where the grapheme of each stands. */
function placedLetters(word: string): { letters: string; places: TextMark[] } {
  const places: TextMark[] = [];
  let letters = '';
  for (const { segment, index } of graphemesOf(word)) {
    const folded = foldText(segment).replace(/[^\p{L}\p{N}]/gu, '');
    letters += folded;
    for (let at = 0; at < folded.length; at++) places.push([index, index + segment.length]);
  }
  return { letters, places };
}

/** Where a text has a number that is looked for. */
function placedMarks(text: string, numbers: readonly string[]): TextMark[] {
  if (numbers.length === 0) return [];
  // Each unit for itself, so that places stay: figures of all scripts and every blank have one of their own.
  const folded = text.replaceAll(/[^\x00-\x7f]/g, (unit) => {
    const same = foldText(unit);
    return same.length === 1 ? same : ' ';
  });
  return numberMarks(folded, numbers);
}

const NONE: readonly string[] = [];
/** A word that is not sought; where it stands does not matter. */
const OTHER: Token = { start: 0, end: 0, stems: NONE };

/** A word without accents and parts, as most are. */
const PLAIN = /^[A-Za-z][a-z]*$/u;

/** What a word may be found by, beside its own stem. */
interface Looked {
  /** First letters of what is sought. */
  readonly begins: ReadonlySet<string>;
  readonly hashes: readonly string[];
}

/** A word with the stems by which it may be found: those that begin as something that is sought does, for no ending changes the first letter. */
function tokenOf(word: string, start: number, { begins, hashes }: Looked): Token {
  const end = start + word.length;
  if (PLAIN.test(word)) {
    const lower = word.toLowerCase();
    return begins.has(lower.charAt(0)) ? { start, end, stems: [stem(lower)] } : OTHER;
  }
  const folded = foldText(word);
  const lower = folded.toLowerCase();
  const parts = identifierParts(folded);
  const isSought = begins.has(lower.charAt(0));
  if (!isSought && parts.length === 0) return { start, end, stems: NONE };
  const others = [...parts, ...spelledOut(word).values()].map(stem);
  const begun = hashes.length > 0 && isHash(lower) ? hashes.filter((hash) => lower.startsWith(hash)) : NONE;
  return { start, end, stems: [...(isSought ? [stem(lower)] : NONE), ...others, ...begun] };
}

/** Those that overlap or touch are one. */
function joined(marks: readonly TextMark[]): TextMark[] {
  const found: TextMark[] = [];
  for (const [start, end] of [...marks].sort((a, b) => a[0] - b[0])) {
    const before = found.at(-1);
    if (before && start <= before[1]) before[1] = Math.max(before[1], end);
    else found.push([start, end]);
  }
  return found;
}
