import { loadOrdinaryWords } from '../../../language/ordinary-words.ts';
import type { TagWords } from '../../../language/parts-of-speech.ts';
import { foldText } from '../../../language/words.ts';
import { isDateWord } from '../../../language/date-words.ts';
import type { ContentWord } from '../question/content-words.ts';

export interface Claiming {
  readonly words: readonly ContentWord[];
  /** As `languageOf` tells it. */
  readonly language: string;
  /** Whether its sources are in another language: `Tax Office` and `Austria` are then no names that they have to have. */
  readonly isTranslated: boolean;
  readonly tagWords: TagWords;
}

/** A word that names; somebody, where people are called so. */
export interface ClaimedName extends ContentWord {
  readonly isPerson: boolean;
}

const TITLES = new Set(
  'mr mrs ms miss dr prof sir herr herrn frau fraulein senor senora sr sra monsieur madame mme signor signora'.split(
    ' ',
  ),
);

/**
 * The words of a sentence that name somebody or something, as far as form tells: with a capital inside the sentence, or at its start
 * where English has no such word or people are called so. Figures and dates are left to others.
 */
export function claimedNames(sentence: string, claiming: Claiming): ClaimedName[] {
  const { words, language, isTranslated } = claiming;
  const capitals = words.filter(
    (word) =>
      /^\p{Lu}.|\p{Ll}\p{Lu}|_/u.test(word.written) &&
      !/\p{N}/u.test(word.text) &&
      !isDateWord(word) &&
      !TITLES.has(word.text),
  );
  if (capitals.length === 0) return [];
  const tags = tagsOf(sentence, claiming.tagWords);
  const isFirstName = ({ text }: Pick<ContentWord, 'text'>) => tags.get(text)?.has('FirstName') === true;
  const { has: isOrdinary } = loadOrdinaryWords();
  const isWord = ({ text }: ContentWord) => isOrdinary(text) || tags.get(text)?.has('Noun') === false;
  const claimed = capitals.filter((word) => {
    if (isFirstName(word)) return true;
    if (!word.isName) return language === 'en' && !isWord(word);
    if (language === 'de' && isGermanNoun(word, sentence)) return false;
    if (!isTranslated) return true;
    return !(language === 'en' && isOrdinary(word.text)) && !isOfCountry(word.text, language);
  });
  return claimed.map((word) => ({
    ...word,
    isPerson: isFirstName(word) || isBehindName(word, { sentence, isFirstName }),
  }));
}

/** Whether a word stands behind a title or a first name, as a surname does. */
function isBehindName(
  { written }: ContentWord,
  { sentence, isFirstName }: { sentence: string; isFirstName: (word: Pick<ContentWord, 'text'>) => boolean },
): boolean {
  const before = /([\p{L}\p{M}]+)[.\s]+$/u.exec(
    sentence.slice(0, Math.max(0, sentence.indexOf(written))),
  )?.[1];
  if (before === undefined) return false;
  const text = foldText(before).toLowerCase();
  return TITLES.has(text) || (/^\p{Lu}/u.test(before) && isFirstName({ text }));
}

function tagsOf(sentence: string, tagWords: TagWords): ReadonlyMap<string, ReadonlySet<string>> {
  const read = tagWords(sentence).map(
    ({ text, tags }) =>
      [
        foldText(text)
          .toLowerCase()
          .replace(/['’]s?$/u, ''),
        tags,
      ] as const,
  );
  return new Map(read);
}

/** What stands before a noun: an article or the like, or a number. */
const DETERMINER =
  /^(?:der|die|das|de[nms]|(?:ein|kein|mein|dein|sein|ihr|unser|euer|eur|dies|jen|jed|welch|manch|solch|all)(?:e[nmrs]?)?|beide[nr]?|viele[nr]?|einige[nr]?|im|am|zum|zur|vom|beim|ins|ans|\p{N}+)$/u;
const NOUN_ENDING =
  /(?:ung|heit|keit|schaft|tion|tat|chen|ismus|nis|tum|enz|anz|zeit|tag|geld|kosten|preis|nummer)(?:en|se?|e)?$/u;

/** All German nouns have a capital: one with an article, also before an adjective, or with the ending of a noun is no name. */
function isGermanNoun({ text, written }: ContentWord, sentence: string): boolean {
  if (NOUN_ENDING.test(text)) return true;
  const before = sentence.slice(0, Math.max(0, sentence.indexOf(written))).match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of before.slice(-3).reverse()) {
    if (DETERMINER.test(word.toLowerCase())) return true;
    if (!/^\p{Ll}+e[nmrs]?$/u.test(word)) return false;
  }
  return false;
}

const countries = new Map<string, readonly string[]>();

/** The names of countries and languages are translated, too: `Germany` and `German` stand in no German note. */
function isOfCountry(word: string, language: string): boolean {
  let known = countries.get(language);
  if (!known) {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    const namesBy = (type: 'region' | 'language') => {
      const names = new Intl.DisplayNames(language, { type, fallback: 'none' });
      return codes.flatMap((code) => names.of(type === 'region' ? code : code.toLowerCase()) ?? []);
    };
    known = [...namesBy('region'), ...namesBy('language')].map((name) => foldText(name).toLowerCase());
    countries.set(language, known);
  }
  return known.some((name) => name === word || (word.length > 5 && name.length > 4 && word.startsWith(name)));
}
