import { stem } from './porter.ts';
import { foldText, hasUnspaced, identifierParts, spacedParts, WORD } from './words.ts';

/** Something that is looked for: the stems of its words, one right behind the other. */
export type Sought = readonly string[];

/** Where a text has something, in UTF-16 units. */
export type Mark = [start: number, end: number];

interface Token {
  readonly start: number;
  readonly end: number;
  readonly stems: readonly string[];
}

/**
 * Where a text says what is looked for, in its order and none within another: whole words in any form of the same stem, an identifier
 * that has the word as a part, and in scripts without blanks the characters themselves.
 */
export function marksOf(text: string, sought: readonly Sought[]): Mark[] {
  const tokens: Token[] = [];
  const marks: Mark[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!hasUnspaced(word)) {
      tokens.push(tokenOf(word, index));
      continue;
    }
    let from = 0;
    for (const part of spacedParts(word)) {
      from = word.indexOf(part, from);
      tokens.push(tokenOf(part, index + from));
      from += part.length;
    }
    for (const [gram = '', ...more] of sought)
      if (more.length === 0 && hasUnspaced(gram))
        for (let at = word.indexOf(gram); at >= 0; at = word.indexOf(gram, at + 1))
          marks.push([index + at, index + at + gram.length]);
  }
  for (const stems of sought)
    for (const [at, first] of tokens.entries()) {
      const last = tokens[at + stems.length - 1];
      if (last && stems.every((one, next) => tokens[at + next]?.stems.includes(one) === true))
        marks.push([first.start, last.end]);
    }
  return joined(marks);
}

function tokenOf(word: string, start: number): Token {
  const folded = foldText(word);
  const stems = [stem(folded.toLowerCase()), ...identifierParts(folded).map(stem)];
  return { start, end: start + word.length, stems };
}

/** Those that overlap or touch are one. */
function joined(marks: readonly Mark[]): Mark[] {
  const found: Mark[] = [];
  for (const [start, end] of [...marks].sort((a, b) => a[0] - b[0])) {
    const before = found.at(-1);
    if (before && start <= before[1]) before[1] = Math.max(before[1], end);
    else found.push([start, end]);
  }
  return found;
}
