import { foldText, WORD } from '../../../language/words.ts';
import { longDate } from '../notes/day-and-quote.ts';
import { knownNames } from '../notes/known-names.ts';
import { listed } from '../../../language/word-lists.ts';

/** Numbers, shares and places in a row as words, but `one`, which is seldom a number. */
const NUMBER_WORDS = new Set(listed('dreams/figure-words').map((word) => foldText(word)));
const DENIES =
  /(?:^|[^\p{L}])(?:not?|never|none|nothing|nobody|neither|nor|without|cannot|\p{L}+n['’]t|nicht|kein(?:e[nmrs]?)?|nie|pas|jamais)(?![\p{L}])/iu;
/** Share of its words that the notes have to have. */
const SUPPORT = 0.4;

/** `3 March 2026`. */
export function dayAt(time: number): string {
  return longDate(time);
}

/**
 * Whether a sentence says no figure, no number, no name and no word of its own beyond what was said: each stands there, it denies only
 * where that does, and two fifths of its words are from there.
 */
export function isBorneOut(sentence: string, said: string): boolean {
  const there = new Set(wordsOf(said));
  const known = knownNames();
  let shared = 0;
  const words = wordsOf(sentence);
  const capitals = new Set(
    [...sentence.matchAll(/\p{Lu}[\p{L}\p{N}]*/gu)]
      .filter(({ 0: word, index }) => !isFirst(sentence, index) || !known.isOrdinary(fold(word)))
      .map(({ 0: word }) => fold(word)),
  );
  for (const word of words) {
    if (there.has(word)) shared += 1;
    else if (/\p{N}/u.test(word) || NUMBER_WORDS.has(word) || capitals.has(word) || !known.isOrdinary(word))
      return false;
  }
  if (DENIES.test(sentence) && !DENIES.test(said)) return false;
  // `14:30`, `1.2` and `12-14` are one figure each.
  const figures = sentence.match(/\p{N}+(?:[.,:/-]\p{N}+)+/gu) ?? [];
  if (
    figures.some(
      (figure) =>
        !new RegExp(`(?<!\\p{N}[.,:/-]?)${figure.replaceAll('.', '[.]')}(?![.,:/-]?\\p{N})`, 'u').test(said),
    )
  )
    return false;
  return words.length > 0 && shared >= SUPPORT * words.length;
}

function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map(fold);
}

function fold(word: string): string {
  return foldText(word).toLowerCase();
}

/** Whether a capital is owed to the place. */
function isFirst(sentence: string, index: number): boolean {
  return index === 0 || /[.:!?"“„(]\s*$/u.test(sentence.slice(0, index));
}
