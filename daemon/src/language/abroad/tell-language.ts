import { foldText, wordsIn } from '../words/words.ts';
import type { Dictionary } from './dictionary.ts';
import { ENGLISH_WORDS, FUNCTION_WORDS, SHARED_WORDS } from './function-words.ts';
import { type Abroad, ABROAD } from './inflection.ts';

export type TextLanguage = Abroad | 'en';

/** Words that tell a language, each with a bit for those that have it; the first bit is English. */
const TELLING = new Map<string, number>();
const SHARED = new Set(SHARED_WORDS.split(' '));
for (const [at, list] of [ENGLISH_WORDS, ...ABROAD.map((language) => FUNCTION_WORDS[language])].entries())
  for (const word of list.split(/\s+/u))
    if (!SHARED.has(word)) TELLING.set(word, (TELLING.get(word) ?? 0) | (1 << at));

/** Words that are looked at: a language shows at once. */
const MOST = 60;
/** What a word of the dictionary tells beside a word of grammar. */
const KNOWN = 0.6;
/** By how much another language has to be ahead of English, where words of the dictionary decide. */
const AHEAD = 0.5;

/** How many words of grammar a text has of English, then of each of `ABROAD`. */
function counted(words: readonly string[]): number[] {
  const counts = [ENGLISH_WORDS, ...ABROAD].map(() => 0);
  for (const word of words) {
    const bits = TELLING.get(word) ?? 0;
    for (let at = 0; bits >> at !== 0; at++) if (((bits >> at) & 1) === 1) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/**
 * Tells a text's language by its words of grammar; where it has none, as `Zahnarzt Dienstag 14:30`, by those that dictionaries have. English where neither
 * says another one; `fallback` where nothing says anything.
 */
export function tellLanguage(
  text: string,
  dictionary: () => Dictionary,
  fallback: TextLanguage = 'en',
): TextLanguage {
  const words = wordsOf(text);
  const counts = counted(words);
  const [english = 0] = counts;
  if (english > 0 && english >= Math.max(...counts.slice(1))) return 'en';
  if (words.length === 0) return fallback;
  const known = dictionary();
  const long = words.filter((word) => word.length > 2);
  const scores = counts.map((count, at) => {
    const language = at === 0 ? 'en' : ABROAD[at - 1];
    const has = (word: string) =>
      language === 'en' ? known.isEnglish(word) : language !== undefined && known.has(language, word);
    return count + KNOWN * long.filter(has).length;
  });
  const [own = 0, ...others] = scores;
  const most = Math.max(...others);
  const found = ABROAD[others.indexOf(most)];
  if (found && most >= own + AHEAD) return isTitle(text, found) ? fallback : found;
  return own > most ? 'en' : fallback;
}

/** `El Niño`, `Die Hard`: an article and a capital, where a language has capitals for names alone. */
function isTitle(text: string, language: Abroad): boolean {
  return language !== 'de' && /^\s*\p{Lu}\p{Ll}{0,3}(?: \p{Lu}\p{L}*){1,2}\s*$/u.test(text);
}

function wordsOf(text: string): string[] {
  return wordsIn(foldText(text.slice(0, 12 * MOST)).toLowerCase()).slice(0, MOST);
}

/** A sentence of another language has so many words of its grammar, or it is a note without any. */
const FEW = 2;

/**
 * Whether a text is plainly English as a whole: it has words of English grammar, and hardly any that are another language's alone. Told at once, for most of what is
 * stored is; what is not told so is read sentence by sentence.
 */
export function isPlainlyEnglish(text: string): boolean {
  let [english, others] = [0, 0];
  const lower = text.toLowerCase();
  for (const [word] of (ASCII.test(lower) ? lower : foldText(lower)).matchAll(LETTERS)) {
    const bits = TELLING.get(word) ?? 0;
    if ((bits & 1) === 1) english += 1;
    else if (bits > 0 && (others += 1) >= FEW) return false;
  }
  return english > 0;
}
const ASCII = /^[\x00-\x7f]*$/;
const LETTERS = /[a-z]+/g;
