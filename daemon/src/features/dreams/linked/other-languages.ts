import { listed } from '../../../language/word-lists.ts';

const GERMAN = new Set(listed('dreams/german-words'));
const ROMANCE = new Set(listed('dreams/romance-words'));

/** How many words of a text are German for certain. Only words in small letters count, for every German noun has a capital. */
export function germanWordsIn(text: string): number {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.filter((word) => GERMAN.has(word) || /^\p{Ll}*[äöüß]\p{Ll}*$/u.test(word)).length;
}

/** How many words of a text are French, Spanish or Italian for certain: words in small letters, `l'eau` among them. */
export function romanceWordsIn(text: string): number {
  const words = text.match(/(?<!\p{L})(?:[ldnsjc]['’]\p{Ll}+|\p{L}+)(?!\p{L})/gu) ?? [];
  return words.filter(
    (word) => ROMANCE.has(word) || /['’]/u.test(word) || /^\p{Ll}*[éèêàçùñ]\p{Ll}*$/u.test(word),
  ).length;
}
