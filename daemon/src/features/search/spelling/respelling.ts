import { foldText, hasUnspaced, STOP_WORDS } from '../../../language/words/words.ts';
import type { QueryTerm } from '../query/terms.ts';

/** A word of a query that no memory has, and the words that it is read as; all in small letters, without accents. */
export interface Correction {
  readonly word: string;
  readonly read_as: readonly string[];
  /** One of them was seen with a capital only: it may be a name. */
  readonly isCapital: boolean;
}

/** Letters of a word that is corrected: in shorter ones a letter is too much of them. What is longer than 32 is no word. */
const SHORTEST = 4;
const LONGEST = 32;

// A word stands alone, in letters alone, but for the punctuation of a sentence: so names of files, code, addresses and numbers are none.
const QUOTED_OR_WORD =
  /"[^"]*"|“[^“”]*”|(?=\p{L})(?<=(?:^|\s)[("'‘¿¡«]{0,3})(?<word>\p{L}[\p{L}\p{M}]*)(?=(?:['’]s)?[)"'’».,;:?!…]{0,5}(?:\s|$))/gu;

/** As the text index has a word; undefined for what is not corrected: short words, codes in capitals, and scripts without blanks. */
function correctable(word: string | undefined): string | undefined {
  if (word === undefined || word.length > 2 * LONGEST || hasUnspaced(word)) return undefined;
  const isCode = /\p{Lu}/u.test(word.slice(1));
  const folded = foldText(word).toLowerCase();
  const isWord = folded.length >= SHORTEST && folded.length <= LONGEST && /^\p{L}+$/u.test(folded);
  return isCode || !isWord || STOP_WORDS.has(folded) ? undefined : folded;
}

/** The words of a query that may be misspelt, each once; what is in quotation marks is meant as it stands. */
export function correctableWords(query: string): string[] {
  const words = new Set<string>();
  for (const { groups } of query.matchAll(QUOTED_OR_WORD)) {
    const word = correctable(groups?.['word']);
    if (word !== undefined) words.add(word);
  }
  return [...words];
}

/** A query with words as they are read in the place of misspelt ones. */
export function respelled(query: string, corrections: readonly Correction[]): string {
  if (corrections.length === 0) return query;
  const readAs = new Map(corrections.map(({ word, read_as }) => [word, read_as.join(' ')]));
  return query.replace(
    QUOTED_OR_WORD,
    (piece: string, word: string | undefined) => readAs.get(correctable(word) ?? '') ?? piece,
  );
}

/** The terms of a query, those of misspelt words looking for any of the words that they are read as. */
export function respelledTerms(
  terms: readonly QueryTerm[],
  corrections: readonly Correction[],
): readonly QueryTerm[] {
  if (corrections.length === 0) return terms;
  const byWord = new Map(corrections.map(({ word, read_as }) => [word, read_as]));
  return terms.map((term) => {
    const readAs = term.quoted || term.prefix ? undefined : byWord.get(term.token);
    if (!readAs) return term;
    const match = `(${readAs.map((word) => `"${word}"`).join(' OR ')})`;
    return { token: readAs.join(' '), match, prefix: false, quoted: false, anyOf: true };
  });
}
