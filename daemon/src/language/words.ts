import { listed } from './word-lists.ts';

/**
 * Folds text for the text index: compatibility forms (ﬁ, full width, ½), accents on any script's letters, NUL (which ends
 * a C string) and code points that are no characters go; letters keep their case. FTS5's own `remove_diacritics` knows Latin only.
 */
export function foldText(text: string): string {
  if (/^[\x01-\x7f]*$/.test(text)) return text;
  return (
    text
      .toWellFormed()
      .replace(/\0|\p{Cn}/gu, ' ')
      // Normalising sorts marks, which takes quadratic time: no letter of any language has more than a few.
      .replace(/(\p{M}{16})\p{M}+/gu, '$1')
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
  );
}

/** Runs of what FTS5's unicode61 keeps together, and marks, which it would split at. */
export const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** Camel case and digit borders: HTTPServer2Go is HTTP, Server, 2, Go. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu;

/**
 * The parts of an identifier, folded, or none where it is one word. Hashes and the like (more than eight parts, or parts of one
 * character in the mean) are left whole: their parts find nothing.
 */
export function identifierParts(word: string): string[] {
  if (
    word.length < 3 ||
    word.length > 64 ||
    !/\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u.test(word)
  )
    return [];
  const parts = word.match(PARTS) ?? [];
  if (parts.length < 2 || parts.length > 8 || word.length < 2 * parts.length) return [];
  return parts.map((part) => part.toLowerCase());
}

/**
 * Scripts written without blanks between words (or, Korean, with endings stuck to them), and how many characters a gram has. Measured
 * on TypeScript's and GNU's messages, R@10 of a text by three of its words, without grams / bigrams / trigrams: Chinese
 * .05/.92/.91, Japanese .07/.82/.81, Thai .09/.75/.77; Korean .97/.95/.97, but only .90 of the texts with a word without grams.
 */
const UNSPACED: readonly { readonly size: number; readonly run: RegExp }[] = [
  // A character is a syllable or a morpheme, and most words have two: 703 of 729 in Chinese, 465 of 799 in Japanese.
  { size: 2, run: /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}ー々]+/gu },
  // A character is a letter, and most words have four or more.
  { size: 3, run: /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+/gu },
];
const ANY_UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー々]/u;
const UNSPACED_RUNS = new RegExp(`${ANY_UNSPACED.source}+`, 'u');

/** What a word has of other scripts: `TypeScriptの型` is TypeScript, which unicode61 would not part from its ending. */
export function spacedParts(word: string): string[] {
  return word.split(UNSPACED_RUNS).filter((part) => /[\p{L}\p{N}\p{Co}]/u.test(part));
}

export function hasUnspaced(text: string): boolean {
  return ANY_UNSPACED.test(text);
}

/** A gram of a run; `whole` is false for the shorter ones at the run's end, which only the index needs. */
export interface Gram {
  readonly text: string;
  readonly whole: boolean;
}

/**
 * The grams of every run of a script without blanks between words, marks left out (unicode61 would split at them). The index also gets the
 * shorter ones at a run's end, so that every character of it begins a gram and a query shorter than a gram is found by prefix.
 */
export function grams(text: string): Gram[] {
  const found: Gram[] = [];
  for (const { size, run } of UNSPACED) {
    for (const [matched] of text.matchAll(run)) {
      const letters = [...matched.replace(/[^\p{L}\p{N}]/gu, '')];
      for (let i = 0; i < letters.length; i++) {
        const gram = letters.slice(i, i + size);
        found.push({ text: gram.join(''), whole: gram.length === size || i === 0 });
      }
    }
  }
  return found;
}

/** Words of questions and grammar that say nothing of what is sought. */
export const STOP_WORDS: ReadonlySet<string> = new Set(listed('language/stop-words'));
