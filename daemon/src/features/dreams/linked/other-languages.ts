import { listed } from '../../../language/word-lists.ts';

const GERMAN = new Set(listed('dreams/german-words'));
const ROMANCE = new Set(listed('dreams/romance-words'));

/** How many words of a text no English one has, of German, where every noun has a capital; they have small letters. */
export function germanWordsIn(text: string): number {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.filter((word) => GERMAN.has(word) || /^\p{Ll}*[äöüß]\p{Ll}*$/u.test(word)).length;
}

/** How many words of a text no English one has, of French, Spanish and Italian; they have small letters, and `l'eau` is one. */
export function romanceWordsIn(text: string): number {
  const words = text.match(/(?<!\p{L})(?:[ldnsjc]['’]\p{Ll}+|\p{L}+)(?!\p{L})/gu) ?? [];
  return words.filter(
    (word) => ROMANCE.has(word) || /['’]/u.test(word) || /^\p{Ll}*[éèêàçùñ]\p{Ll}*$/u.test(word),
  ).length;
}
