import { loadOrdinaryWords } from '../words/ordinary-words.ts';
import type { TagWords } from '../words/parts-of-speech.ts';
import { foldText, STOP_WORDS } from '../words/words.ts';

/** A word that names somebody or something. */
export interface Name {
  /** Folded, in small letters. */
  readonly word: string;
  readonly isPerson: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}_]+(?:['’‐‑-][\p{L}\p{M}\p{N}_]+)*/gu;
const TITLE =
  /^(?:mrs?|ms|miss|dr|prof|sir|herrn?|frau|senora?|sra?|signora?|monsieur|madame|mme|don|dona)$/u;
/** By these German is told, where every noun has a capital, and English, where a word is looked up. */
const GERMAN =
  /(?<!\p{L})(?:der|das|und|ist|sind|nicht|eine?[nmrs]?|de[msn]|mit|von|für|auf|auch|wie|wer|wann|welche[nrsm]?|wo|ich|mein\p{L}*|hat|wird|zum|zur|beim|vom|im)(?!\p{L})/iu;
const ENGLISH =
  /(?<!\p{L})(?:the|and|what|when|where|who|which|why|how|does|did|my|your|from|with|is|are|was)(?!\p{L})/iu;

const small = (word: string) =>
  foldText(word)
    .toLowerCase()
    .replace(/['’]s?$/u, '');

/** The words of a text, folded and in small letters: `wi-fi` also as `wi`, `fi` and `wifi`. */
export function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    const parts = small(word).split(/['’‐‑-]/u);
    return parts.length === 1 ? parts : [...parts, parts.join('')];
  });
}

/**
 * The words of a sentence that name, as far as form tells: with a capital inside, unless all nouns have one; at its start where English
 * has no such word; anywhere where people are called so or a title stands before. `around` tells the language of a short sentence.
 */
export function namesIn(
  sentence: string,
  { tagWords, around }: { tagWords: TagWords; around: string },
): Name[] {
  const said = [...sentence.matchAll(WORD)];
  if (!said.some(([word]) => /\p{Lu}|_/u.test(word))) return [];
  const tagged = tagWords(sentence);
  const withTag = (...wanted: readonly string[]) =>
    new Set(tagged.flatMap(({ text, tags }) => (wanted.some((tag) => tags.has(tag)) ? [small(text)] : [])));
  const [firstNames, persons] = [withTag('FirstName'), withTag('FirstName', 'Person')];
  const ordinary = loadOrdinaryWords();
  const isOrdinary = (word: string) => STOP_WORDS.has(word) || ordinary.has(word);
  const isGerman = GERMAN.test(`${around} ${sentence}`);
  const isEnglish = !isGerman && ENGLISH.test(`${around} ${sentence}`);
  return said.flatMap(({ 0: written, index }, at): Name[] => {
    const word = small(written);
    if (!/\p{Lu}|_/u.test(written) || word.length < 2 || TITLE.test(word) || /n['’]t$/u.test(word)) return [];
    const before = small(said[at - 1]?.[0] ?? '');
    const between = sentence.slice((said[at - 1]?.index ?? 0) + (said[at - 1]?.[0].length ?? 0), index);
    const isBehind =
      /^\.?\s+$/u.test(between) &&
      (TITLE.test(before) || (firstNames.has(before) && /^\p{Lu}\p{Ll}/u.test(written)));
    if (firstNames.has(word) || isBehind || (isEnglish && persons.has(word)))
      return [{ word, isPerson: true }];
    // 5 PM and 384 Mi are figures.
    if (/\p{N}/u.test(word) || (word.length <= 3 && /\p{N}$/u.test(before))) return [];
    if (/\p{Ll}\p{Lu}|_/u.test(written)) return [{ word, isPerson: false }];
    if (isGerman || isOrdinary(word.split(/['’]/u)[0] ?? word)) return [];
    const isFirst = at === 0 || /[.!?:…\n"“”„«»(]/u.test(between);
    return isFirst && !isEnglish ? [] : [{ word, isPerson: false }];
  });
}

/** Whether two words are one in another form: `Uhlig`, `Uhligs`; `Лена`, `Лене`; `Lactobacillus`, `Lactobacilli`. */
export function isAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (
    long.startsWith(short) &&
    short.length >= 3 &&
    /^(?:s|es|n|en|e|er|m|em)$/u.test(long.slice(short.length))
  )
    return true;
  const common = commonBeginning(one, other);
  return /^\p{sc=Latin}/u.test(one)
    ? common >= Math.max(6, long.length - 3)
    : common >= Math.max(3, long.length - 2);
}

export function commonBeginning(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Whether a word is the name of a language, as English or one of its neighbours has it: a German lesson, una clase de alemán. */
export function isOfLanguage(word: string): boolean {
  languages ??= new Set(
    'en de es fr it nl pt'.split(' ').flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: 'language' });
      return 'en de es fr it nl pt pl ru uk tr el ar zh ja ko sv da nb fi cs hu ro hi he fa'
        .split(' ')
        .map((code) => small(names.of(code) ?? ''));
    }),
  );
  return languages.has(word);
}
let languages: ReadonlySet<string> | undefined;
