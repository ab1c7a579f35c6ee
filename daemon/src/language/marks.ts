import { stem } from './porter.ts';
import { foldText, hasUnspaced, identifierParts, spacedParts, WORD } from './words.ts';

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
 * that has the word as a part, and in scripts without blanks the characters themselves.
 */
export function marksOf(text: string, sought: readonly SoughtWords[]): TextMark[] {
  const begins = new Set(sought.flatMap((stems) => stems.map((one) => one.charAt(0))));
  const isUnspaced = hasUnspaced(text);
  const tokens: Token[] = [];
  const marks: TextMark[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isUnspaced || !hasUnspaced(word)) {
      tokens.push(tokenOf(word, index, begins));
      continue;
    }
    let from = 0;
    for (const part of spacedParts(word)) {
      from = word.indexOf(part, from);
      tokens.push(tokenOf(part, index + from, begins));
      from += part.length;
    }
    for (const [gram = '', ...more] of sought)
      if (more.length === 0 && hasUnspaced(gram))
        for (let at = word.indexOf(gram); at >= 0; at = word.indexOf(gram, at + 1))
          marks.push([index + at, index + at + gram.length]);
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

const NONE: readonly string[] = [];
/** A word that is not sought; where it stands does not matter. */
const OTHER: Token = { start: 0, end: 0, stems: NONE };

/** A word without accents and parts, as most are. */
const PLAIN = /^[A-Za-z][a-z]*$/u;

/** A word with the stems by which it may be found: those that begin as something that is sought does, for no ending changes the first letter. */
function tokenOf(word: string, start: number, begins: ReadonlySet<string>): Token {
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
  return { start, end, stems: [...(isSought ? [stem(lower)] : NONE), ...parts.map(stem)] };
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
