import { listed } from '../../../language/word-lists.ts';

/** Small words by which a language is told; of other languages nothing is known. */
const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  listed('ask/languages').map((row) => {
    const [language = '', words = ''] = row.split(': ');
    return [language, new Set(words.split(' '))];
  }),
);

/** Scripts other than Latin; a character of the first ones is a syllable or a word, and weighs more than a letter. */
const SCRIPTS: readonly { readonly name: string; readonly letters: RegExp; readonly weight: number }[] = [
  { name: 'Japanese', letters: /[\p{sc=Hira}\p{sc=Kana}]/gu, weight: 3 },
  { name: 'Han', letters: /\p{sc=Han}/gu, weight: 3 },
  { name: 'Hangul', letters: /\p{sc=Hang}/gu, weight: 3 },
  ...['Cyrl', 'Grek', 'Arab', 'Hebr', 'Thai', 'Deva', 'Armn', 'Geor', 'Beng', 'Taml'].map((name) => ({
    name,
    letters: new RegExp(`\\p{sc=${name}}`, 'gu'),
    weight: 1,
  })),
];

/** The language of a text: one of seven (`en`), or a script that is not Latin (`Cyrl`); undefined where nothing tells. */
export function languageOf(text: string): string | undefined {
  const countOf = (letters: RegExp) => text.match(letters)?.length ?? 0;
  const latin = countOf(/\p{sc=Latin}/gu);
  const written = SCRIPTS.map(({ name, letters, weight }) => ({ name, size: weight * countOf(letters) }));
  const [most] = [...written].sort((a, b) => b.size - a.size);
  if (most && most.size > 0 && written.reduce((sum, { size }) => sum + size, 0) >= latin)
    // Japanese is written with many characters of Chinese; Chinese has none of Japanese.
    return most.name === 'Han' && (written[0]?.size ?? 0) > 0 ? 'Japanese' : most.name;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(SMALL_WORDS).map(
    ([language, small]) => [language, words.filter((word) => small.has(word)).length] as const,
  );
  const [best, next] = counts.sort((a, b) => b[1] - a[1]);
  // A tie tells nothing.
  return best && best[1] > (next?.[1] ?? 0) ? best[0] : undefined;
}

/** Whether a language that `languageOf` tells is written in Latin letters. */
export function isLatin(language: string): boolean {
  return language in SMALL_WORDS;
}
