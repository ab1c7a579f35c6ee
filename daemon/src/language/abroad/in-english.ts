import { sentencesOf } from '../sentences.ts';
import { foldText, STOP_WORDS, WORD } from '../words/words.ts';
import { type Dictionary, loadDictionary, LONGEST_RUN } from './dictionary.ts';
import type { Abroad } from './inflection.ts';
import { isPlainlyEnglish, tellLanguage, type TextLanguage } from './tell-language.ts';

/** A word, a number or a time of a text in another language, with what it is in English. */
export interface WordAbroad {
  /** As it stands. */
  readonly written: string;
  /** Its English, the everyday sense first; empty for what the dictionary does not hold, names above all. */
  readonly english: readonly string[];
}

/** A sentence that is not English, word by word. */
export interface SentenceAbroad {
  readonly language: Abroad;
  readonly words: readonly WordAbroad[];
}

let loaded: Dictionary | undefined;
/** The dictionary is read with the first text that needs it. */
const dictionary = (): Dictionary => (loaded ??= loadDictionary());

// Numbers with dots or blanks between thousands, or a comma before cents; times as `14 h 30` and `14 Uhr 30`; what stands before an apostrophe; words.
const TOKEN =
  /(?<number>\d{1,3}(?:[.\u00a0\u202f]\d{3})+(?:,\d+)?|\d+,\d+)(?![\d.,]*\d)|(?<hour>\d{1,2}) ?(?:h|Uhr|uur) ?(?<minute>\d\d)(?!\p{L}|\d)|(?<elided>\p{L}{1,2})['’](?=\p{L})|[\p{L}\p{N}\p{M}\p{Co}]+/giu;

/**
 * The sentences of a text, those of another language read word by word; an English one as it stands. `fallback` is the language of what says nothing of its own,
 * such as that of the note that it stands in.
 */
export function readAbroad(text: string, fallback: TextLanguage = 'en'): (SentenceAbroad | string)[] {
  if (latest?.text === text && latest.fallback === fallback) return latest.sentences;
  const isPlain = fallback === 'en' && isPlainlyEnglish(text);
  const found = isPlain ? [text] : readSentences(text, fallback);
  // For this turn only: nothing of a text that is deleted stays in memory.
  if (!latest) setImmediate(() => (latest = undefined));
  latest = { text, fallback, sentences: found };
  return found;
}

/** What was read last: the text index and the vector of a text are made one after the other. */
let latest: { text: string; fallback: TextLanguage; sentences: (SentenceAbroad | string)[] } | undefined;

function readSentences(text: string, fallback: TextLanguage): (SentenceAbroad | string)[] {
  const whole = tellLanguage(text, dictionary, fallback);
  const sentences = sentencesOf(text).map((sentence) => sentence.text);
  let before: TextLanguage = whole;
  return sentences.map((sentence) => {
    const language = sentences.length === 1 ? whole : tellLanguage(sentence, dictionary, before);
    before = language;
    return language === 'en' ? sentence : { language, words: wordsAbroadIn(sentence, language) };
  });
}

/** The language of a text, as far as it is one whose words are known; English otherwise. */
export function languageAbroad(text: string): TextLanguage {
  return tellLanguage(text, dictionary);
}

function wordsAbroadIn(sentence: string, language: Abroad): WordAbroad[] {
  const tokens = [...sentence.matchAll(TOKEN)].filter(({ groups }) => groups?.['elided'] === undefined);
  const found: WordAbroad[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (!token) break;
    const figure = figureOf(token);
    if (figure !== undefined) {
      found.push({ written: token[0], english: figure === token[0] ? [] : [figure] });
      at += 1;
      continue;
    }
    const [count, english] = longestRun(tokens, at, { sentence, language });
    const last = tokens[at + count - 1] ?? token;
    found.push({ written: sentence.slice(token.index, last.index + last[0].length), english });
    at += count;
  }
  return found;
}

/** A number or a time as English writes it; undefined for a word. */
function figureOf({ 0: written, groups }: RegExpMatchArray): string | undefined {
  const { number, hour, minute } = groups ?? {};
  if (number !== undefined) return number.replace(/[.\u00a0\u202f]/gu, '').replace(',', '.');
  if (hour !== undefined && minute !== undefined) return `${hour.padStart(2, '0')}:${minute}`;
  return /^\p{N}+$/u.test(written) ? written : undefined;
}

/** The most words from a place on that the dictionary has together, and what they are. */
function longestRun(
  tokens: readonly RegExpMatchArray[],
  from: number,
  { sentence, language }: { sentence: string; language: Abroad },
): readonly [count: number, english: readonly string[]] {
  const longest = dictionary().begins(language, tokens[from]?.[0] ?? '') ? LONGEST_RUN : 1;
  for (let count = Math.min(longest, tokens.length - from); count > 0; count -= 1) {
    const run = tokens.slice(from, from + count);
    if (!run.every((token, at) => at === 0 || isJoined(sentence, run[at - 1], token))) continue;
    if (count === 1 && isName(run[0], sentence, language)) continue;
    const english = dictionary().lookUp(
      language,
      run.map(([word]) => word),
    );
    if (english) return [count, english];
  }
  return [1, []];
}

/** Whether two words stand beside each other, with nothing between that ends a phrase. */
function isJoined(sentence: string, before: RegExpMatchArray | undefined, after: RegExpMatchArray): boolean {
  if (!before || after.groups?.['number'] !== undefined || after.groups?.['hour'] !== undefined) return false;
  return /^(?:[\s'’-]|\p{L}['’])*$/u.test(
    sentence.slice((before.index ?? 0) + before[0].length, after.index),
  );
}

/** A capital within a sentence is that of a name, but in German. */
function isName(token: RegExpMatchArray | undefined, sentence: string, language: Abroad): boolean {
  if (!token || language === 'de' || !/^\p{Lu}/u.test(token[0])) return false;
  return !/(?:^|[.:!?¿¡"“„«»(\n–-])\s*(?:\p{L}{1,2}['’])?$/u.test(sentence.slice(0, token.index));
}

/** Whether a text has a sentence in another language whose words are known. */
export function hasAbroad(text: string): boolean {
  return readAbroad(text).some((sentence) => typeof sentence !== 'string');
}

/** Stands in the text index before the English of what is not English: no word, and nothing that anybody writes. */
export const ABROAD_MARK = '\u0002';

/** English words that each word of a text adds to the text index. */
const SENSES = 2;

/**
 * What the text index stores beside a text: the English words of its sentences that are not English, a line each, without words of grammar. Empty where all of
 * it is English, or in no language that is known.
 */
export function indexedAbroad(text: string): string {
  const lines = readAbroad(text)
    .flatMap((sentence) =>
      typeof sentence === 'string'
        ? []
        : [sentence.words.flatMap(({ english }) => contentOf(english.slice(0, SENSES))).join(' ')],
    )
    .filter((line) => line !== '');
  return lines.length === 0 ? '' : `${ABROAD_MARK}${lines.join('.\n')}`;
}

function contentOf(english: readonly string[]): string[] {
  const words = english
    .flatMap((one) => one.split(' '))
    .filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  return [...new Set(words)];
}

/**
 * The words of a query in another language, folded as the text index folds them, each with the English words that it may mean; empty for an
 * English query. Words that only mean something together each have that meaning.
 */
export function sensesOf(query: string): Map<string, readonly string[]> {
  const senses = new Map<string, readonly string[]>();
  for (const sentence of readAbroad(query)) {
    if (typeof sentence === 'string') continue;
    for (const { written, english } of sentence.words) {
      const content = contentOf(english);
      for (const word of foldText(written).toLowerCase().match(WORD) ?? [])
        if (content.length > 0) senses.set(word, content.slice(0, MOST_SENSES));
    }
  }
  return senses;
}
/** English words that one word of a query is looked for as. */
const MOST_SENSES = 5;

/** Whether a word of a text is one of its language, so that it is not misspelt. */
export function isWordAbroad(word: string, language: TextLanguage): boolean {
  return language !== 'en' && dictionary().lookUp(language, [word]) !== undefined;
}

/**
 * A text in English words: each word of another language by its everyday sense, names and what is not known as they stand. The text itself where there is nothing to
 * say in other words.
 */
export function inEnglish(text: string): string {
  const sentences = readAbroad(text, 'en');
  if (sentences.every((sentence) => typeof sentence === 'string')) return text;
  return sentences
    .map((sentence) =>
      typeof sentence === 'string'
        ? sentence
        : `${sentence.words.map(({ written, english }) => english[0] ?? written).join(' ')}.`,
    )
    .join('\n');
}
