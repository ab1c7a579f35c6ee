import { isHash } from './number-runs.ts';
import { listed } from './word-lists.ts';

/** Letters that Unicode does not take apart, each with what a reader takes for it; the capital of one has the capital of the other. */
const SAME_LETTERS: ReadonlyMap<string, string> = new Map(
  listed('language/same-letters').flatMap((row): [string, string][] => {
    const [letter = '', same = ''] = row.split(' ');
    const capital = letter === 'ß' ? 'ẞ' : letter.toUpperCase();
    // Of what has no capital of its own, as ı and ς, the capital is another letter's.
    return capital.toLowerCase() === letter && capital !== letter
      ? [
          [letter, same],
          [capital, capital === 'Σ' ? same : same.toUpperCase()],
        ]
      : [[letter, same]];
  }),
);
// The capital of the final sigma is that of any sigma, and small letters are made of it by where it stands.
const LETTERS = new RegExp(`[${[...SAME_LETTERS.keys()].join('')}Σ]`, 'gu');

/** Marks without which a reader sees the same word; in the scripts of India and South East Asia they are vowels, in kana other sounds. */
const MARKS =
  /[[\p{M}&&[\p{sc=Zinh}\p{sc=Zyyy}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Copt}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]]--[\u3099\u309a]]|[\u0640\u07fa]/gv;

/** Letters of Europe's west and the punctuation of texts: nothing invisible, no marks that are not on a letter, no other figures. */
const LATIN = /^[\x01-\xac\xae-\u017f\u2010-\u2027]*$/;

/**
 * Folds text to what a reader takes for the same, for everything that looks for words: index, queries, phrases, filters, tags, ask, marks.
 * Compatibility forms (ﬁ, full width, ½), accents, vowel points, what is invisible, NUL (which ends a C string) and code points that are
 * no characters go, figures of any script are 0 to 9, letters as ø are those of `same-letters.txt`; letters keep their case.
 */
export function foldText(text: string): string {
  if (/^[\x01-\x7f]*$/.test(text)) return text;
  // Most of what is not ASCII: folded in a third of the time.
  if (LATIN.test(text))
    return text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .replace(LETTERS, sameLetter);
  return (
    text
      .toWellFormed()
      .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
      .replace(/\0|\p{Cn}/gu, ' ')
      // Normalising sorts marks, which takes quadratic time: no letter of any language has more than a few.
      .replace(/(\p{M}{16})\p{M}+/gu, '$1')
      .normalize('NFKD')
      .replace(MARKS, '')
      .replace(LETTERS, sameLetter)
      .replace(/[\p{Nd}--[0-9]]/gv, figureOf)
      .normalize('NFC')
  );
}

/** What a reader takes a letter for; Æ of Ærø is Ae. */
function sameLetter(letter: string, at: number, whole: string): string {
  const same = letter === 'Σ' ? 'σ' : (SAME_LETTERS.get(letter) ?? letter);
  return same.length > 1 && /^\p{Ll}/u.test(whole.slice(at + 1, at + 3))
    ? same.charAt(0) + same.slice(1).toLowerCase()
    : same;
}

/** The figure that a digit of any script is: each script has its ten in a row, from nought on. */
function figureOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (code - first < 9 && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String(code - first);
}

/** How German, Danish, Norwegian and Swedish write a letter that a keyboard lacks. */
const SPELLED_OUT: Readonly<Partial<Record<string, string>>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
};
const CAN_BE_SPELLED_OUT = /[äöüøåÄÖÜØÅ]|[aouAOU][\u0308\u030a]/u;

/** The words of a text that have a letter as ü, in small letters: each folded (`muhle`), with how it is written without (`muehle`). */
export function spelledOut(text: string): Map<string, string> {
  const spelled = new Map<string, string>();
  if (!CAN_BE_SPELLED_OUT.test(text)) return spelled;
  for (const [word] of text.normalize('NFC').matchAll(WORD)) {
    if (!CAN_BE_SPELLED_OUT.test(word)) continue;
    const lower = word.toLowerCase();
    const other = lower.replaceAll(/[äöüøå]/gu, (letter) => SPELLED_OUT[letter] ?? letter);
    spelled.set(foldText(lower).toLowerCase(), foldText(other).toLowerCase());
  }
  return spelled;
}

/** A name, a label or a value as it is compared: folded, in small letters, one blank between words. */
export function foldLine(text: string): string {
  return foldText(text).toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** Runs of what FTS5's unicode61 keeps together, and marks, which it would split at; in a text that is not folded also what is invisible. */
export const WORD = /[\p{L}\p{N}\p{M}\p{Co}][\p{L}\p{N}\p{M}\p{Co}\p{Default_Ignorable_Code_Point}]*/gu;

const ASCII = /^[\x00-\x7f]*$/;

/** The words of a text as `WORD` has them, in their order. Of one that is ASCII, as most are, they are told in a third of the time. */
export function wordsIn(text: string): string[] {
  return text.match(ASCII.test(text) ? /[A-Za-z0-9]+/g : WORD) ?? [];
}

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
    isHash(word) ||
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

/** Returns a number for a word or a stem (FNV-1a, 32 bits): of other words one of 20,000 is taken for another, and comparing takes a tenth of the time. */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619);
  return hash;
}
