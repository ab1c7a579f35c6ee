import { citiesIn } from '../../../language/cities.ts';
import type { TagWords } from '../../../language/parts-of-speech.ts';
import { dateOf, dayOf } from '../answer.ts';
import { type ClaimedName, claimedNames } from './claimed-names.ts';
import {
  DATE_LANGUAGES,
  isDateWord,
  monthsIn,
  monthsOf,
  sameDateWord,
} from '../../../language/date-words.ts';
import { hyphenated, isCommonNounIn, isKindred } from './kindred-words.ts';
import { type ContentWord, wordsOf } from '../question/content-words.ts';
import { labelOf } from '../reading/passages.ts';
import type { Question } from '../question/question.ts';
import type { Answering } from '../reading/reranking.ts';
import { isLatin, languageOf } from './sentence-language.ts';

/** Share of a sentence's words that its sources, or the question, have to have. */
const SUPPORT = 0.4;
/** Characters of a sentence; a longer one is none, and would take long to compare. */
const LONGEST = 1_000;
const DENIES =
  /\b(?:not?|never|none|nothing|nobody|neither|nor|without|\w+n['’]t)\b|\bkein|\bnicht\b|\bnunca\b|\bpas\b/iu;

export interface Asking {
  readonly question: Question;
  readonly tagWords: TagWords;
}

/**
 * Whether the sources say what a sentence says, as far as words tell: every figure, month, weekday and name of it stands in them or in
 * the question, and so do enough of its words; it denies nothing where they do not. Where the sources are in another language, figures,
 * dates and names have to do; where they are in another script, figures and dates; dates where their names are known in that language.
 */
export function isSupported(
  text: string,
  from: readonly Answering[],
  { question, tagWords }: Asking,
): boolean {
  if (text.length > LONGEST) return false;
  const sentence = plain(text);
  const words = wordsOf(sentence);
  if (words.length === 0) return false;
  // What a server garbled (UTF-8 that is none) was a letter of something.
  if (text.includes('\ufffd') && !from.some(({ memory }) => memory.value.includes('\ufffd'))) return false;
  const sources = from.map(
    ({ memory }) =>
      `${plain(memory.value)}\n${plain(labelOf(memory))}\n${dayOf(dateOf(memory, question) ?? memory.updated_at)}`,
  );
  const source = sources.join('\n');
  const values = from.map(({ memory }) => languageOf(memory.value));
  const own = languageOf(sentence);
  const isTranslated = own !== undefined && values.every((other) => other !== undefined && other !== own);
  const language = own ?? values.find((other) => other !== undefined) ?? 'en';
  const knowsDates = !isTranslated || values.every((other) => DATE_LANGUAGES.has(other ?? ''));
  const said = saidBy([source, plain(question.text)], { language: isTranslated ? undefined : language });
  const isDated = (word: ContentWord) => !knowsDates || !isDateWord(word) || said.hasDate(word);
  if (!words.every((word) => (isFigure(word) ? said.hasFigure(word) : isDated(word)))) return false;
  const isOtherScript =
    isTranslated && values.every((other) => !isLatin(language) || !isLatin(other ?? language));
  if (!isOtherScript) {
    const isOfCity = sameCities(sentence, [
      question.text,
      ...from.flatMap(({ memory }) => [memory.value, labelOf(memory)]),
    ]);
    const isJoined = joinedIn(sentence, said.hasJoined);
    const told = `${source}\n${question.text}`;
    const toldWords = wordsOf(told);
    const isSaid = (name: ClaimedName) => {
      if (isTranslated) return said.hasBeginning(name);
      if (name.isPerson) return said.has(name) && !(own === 'en' && isCommonNounIn(told, toldWords, name));
      return said.has(name) || said.hasKindred(name);
    };
    const names = claimedNames(sentence, { words, language, isTranslated, tagWords });
    if (!names.every((name) => isSaid(name) || isOfCity(name) || isJoined(name))) return false;
  }
  if (isTranslated) return true;
  const bounds = { asked: stemsOf(plain(question.text)), told: stemsOf(source) };
  if (DENIES.test(sentence) && !DENIES.test(source) && !mayDeny(sentence, question, bounds)) return false;
  return words.filter(said.has).length >= SUPPORT * words.length;
}

/** Whether a word of a sentence is of the name of a city which some texts name, too, perhaps as another language does. */
function sameCities(sentence: string, texts: readonly string[]): (word: ContentWord) => boolean {
  const told = new Set(texts.flatMap(citiesIn).map(({ city }) => city));
  const words = new Set(citiesIn(sentence).flatMap(({ city, words }) => (told.has(city) ? words : [])));
  return ({ text }) => words.has(text.replaceAll('ß', 'ss'));
}

const isFigure = ({ text }: ContentWord) => /\p{N}/u.test(text);

/** The words of a sentence that have a hyphen between them there, and none in the texts: `Wi-Fi` and `wifi`. */
function joinedIn(sentence: string, hasJoined: (word: string) => boolean): (word: ContentWord) => boolean {
  const parts = new Set(
    hyphenated(sentence).flatMap(({ parts, joined }) => (hasJoined(joined) ? parts : [])),
  );
  return ({ text }) => parts.has(text);
}

/** What some texts say, word by word; `language` is that of the sentence where they are in no other one. */
function saidBy(texts: readonly string[], { language }: { language: string | undefined }) {
  const words = texts.flatMap(wordsOf);
  const isEnglish = language === 'en';
  const stems = new Set(words.flatMap(({ stem }) => [stem, withoutZeros(stem)]));
  const beginnings = Map.groupBy(words, ({ text }) => text.slice(0, BEGINNING));
  const months = monthsIn(texts.join('\n'));
  const stands = (stem: string) => stems.has(stem) || stems.has(withoutZeros(stem));
  // The version 1.2 is in 1.2.3, the day 3.5. in 3.5.2026, and 9.30 may be 9:30.
  const hasFigure = ({ stem, text }: ContentWord) => {
    const [, whole, part] = /^(\d+)p(\d+)$/u.exec(text) ?? [];
    if (whole === undefined || part === undefined || stands(stem)) return stands(stem);
    return stands(whole) && (stands(part) || stands(`${part}0`));
  };
  const hasDate = (word: ContentWord) =>
    stems.has(word.stem) ||
    words.some((one) => isDateWord(one) && sameDateWord(one.text, word.text)) ||
    monthsOf(word.text).some((month) => months.has(month));
  /** Stems are English; words of other languages have endings of their own. */
  const isForm = ({ text }: ContentWord) =>
    (beginnings.get(text.slice(0, BEGINNING)) ?? []).some(
      (one) => commonBeginning(one.text, text) >= Math.max(one.text.length, text.length) - ENDING,
    );
  const has = (word: ContentWord) =>
    hasFigure(word) || (isDateWord(word) ? hasDate(word) : !isEnglish && isForm(word));
  /** Other languages write names with other endings, and of some only the beginning is the same: Munich, München. */
  const hasBeginning = (word: ContentWord) => has(word) || beginnings.has(word.text.slice(0, BEGINNING));
  const joined = new Set([
    ...texts.flatMap(hyphenated).map((word) => word.joined),
    ...words.map(({ text }) => text),
  ]);
  const hasJoined = (word: string) => joined.has(word);
  const kindred = { capitalNouns: language === 'de' };
  const hasKindred = (word: ContentWord) =>
    hasJoined(word.text) || words.some((one) => isKindred(word, one, kindred));
  return { has, hasFigure, hasDate, hasBeginning, hasKindred, hasJoined };
}

/** Letters. */
const BEGINNING = 3;
const ENDING = 2;

function commonBeginning(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

const withoutZeros = (stem: string) => stem.replace(/^0+(?=\d+$)/u, '');

const MARK = String.raw`(?:\[(?:notes?\s*)?\d+(?:\s*[,;–-]\s*\d+)*\]|【\d+[^】\s]{0,20}】)`;
// From the first blank of several only: else a long run of blanks would be read again from each of them.
const MARKS = new RegExp(`(?<!\\s)\\s*${MARK}`, 'giu');

/** The numbers in the marks that a model has written into a sentence; `[2-4]` is 2, 3 and 4. */
export function marksIn(text: string): number[] {
  return [...text.matchAll(MARKS)].flatMap(([mark]) =>
    [...mark.matchAll(/(\d{1,9})(?:\s*[–-]\s*(\d{1,9}))?/gu)]
      .flatMap(([, first, last = first]) =>
        Array.from(
          { length: Math.min(NOTES_IN_MARK, Math.max(0, Number(last) - Number(first)) + 1) },
          (_, at) => Number(first) + at,
        ),
      )
      .slice(0, NOTES_IN_MARK),
  );
}
const NOTES_IN_MARK = 20;

/** A model may have written its own marks; `items[0]` is none where a source says so. */
export function withoutMarks(text: string, from: readonly Pick<Answering, 'memory'>[] = []): string {
  return text
    .replace(MARKS, (mark, at: number) => {
      const before = /\S*$/u.exec(text.slice(Math.max(0, at - 40), at))?.[0] ?? '';
      return /^\[/u.test(mark) &&
        /[\p{L}\p{N}_\])]$/u.test(before) &&
        from.some(({ memory }) => memory.value.includes(before + mark))
        ? mark
        : '';
    })
    .trim()
    .replace(/(?<!\s)\s+(?=[.!?,;:]$)/u, '');
}

/** Which of the sources have any word of a sentence, or may have it in another language: all, where none has. */
export function bearing(text: string, from: readonly Answering[]): boolean[] {
  const stems = stemsOf(plain(text));
  const language = languageOf(text);
  const bears = from.map(({ memory }) => {
    const other = languageOf(memory.value);
    if (language !== undefined && other !== undefined && other !== language) return true;
    return wordsOf(plain(`${memory.value}\n${labelOf(memory)}`)).some(({ stem }) => stems.has(stem));
  });
  return bears.includes(true) ? bears : bears.map(() => true);
}

/** 9.50 or 9,5; no part of a date or a version, no time of day. */
const DECIMAL = /(?<![\d.,])(\d+)[.,](\d{1,2})(?![\d\p{L}]|[.,]\d|\s*(?:[ap]\.?m|uhr)(?!\p{L}))/giu;

/**
 * Without marks, with 1,307 and 1.307 as 1307, 9th as 9 and 5pm as 5 pm, and with 9.50 and 9,50 as one word, for who says 50 does not
 * say that.
 */
function plain(text: string): string {
  return withoutMarks(text)
    .replace(/(?<=\d)[,.'’\u202f](?=\d{3}(?!\d))/gu, '')
    .replace(/(?<=\d)(?:st|nd|rd|th)(?![\p{L}\p{N}])/giu, '')
    .replace(/(?<=\d)(?=[ap]m(?![\p{L}\p{N}]))/giu, ' ')
    .replace(DECIMAL, (_, whole: string, part: string) => {
      const rest = part.replace(/0+$/u, '');
      return rest === '' ? whole : `${whole}p${rest}`;
    });
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(({ stem }) => stem));
}

/**
 * Whether a sentence may deny though its sources do not: the question wants a yes or a no, or denies itself; or what is denied is
 * what only the question said, and so was taken for granted.
 */
function mayDeny(
  sentence: string,
  question: Question,
  { asked, told }: { asked: ReadonlySet<string>; told: ReadonlySet<string> },
): boolean {
  if (question.isYesNo || DENIES.test(question.text)) return true;
  const behind = sentence.slice(DENIES.exec(sentence)?.index).replace(/^\S+/u, '');
  const [first] = wordsOf(`… ${behind}`);
  return first !== undefined && asked.has(first.stem) && !told.has(first.stem);
}
