import type { AnswerType } from '../../../language/value-shapes.ts';
import { expectedTypes } from './answer-types.ts';
import { isDateWord } from '../../../language/date-words.ts';
import { type ContentWord, wordsOf } from './content-words.ts';
import { everydaySenses, inEnglish, languageAbroad } from '../../../language/abroad/in-english.ts';
import type { TextLanguage } from '../../../language/abroad/tell-language.ts';
import type { NameConcepts } from '../ports.ts';
import { isScaffold } from './question-words.ts';
import type { TagWords } from '../../../language/parts-of-speech.ts';
import { type RelativeDate, relativeDates } from '../../../language/relative-dates.ts';
import { foldText, hasUnspaced } from '../../../language/words.ts';
import { FUNCTION_WORDS } from '../../../language/abroad/function-words.ts';
import type { Abroad } from '../../../language/abroad/inflection.ts';
import { stem } from '../../../language/porter.ts';
import type { TimeSpan } from '../../../language/written-dates.ts';
import { anyOf } from '../../../language/word-lists.ts';

/** What a word is in its sentence. */
export type WordRole = 'noun' | 'verb' | 'other';

/** A word of a question, and how much it says. */
export interface QuestionTerm extends ContentWord {
  /** How rare it is in the namespace, 0..1. */
  readonly weight: number;
  /** A name, identifier or figure; part of a date; or what a tagger says; `scaffold` where it only builds the question. */
  readonly role: WordRole | 'name' | 'date' | 'scaffold';
  /** It is what the question asks for: which *instrument*, the *price* of. */
  readonly isFocus: boolean;
  /** Concepts that it names, alone or with its neighbours. */
  readonly concepts: readonly number[];
  /** The stem of the word that was asked, where it is read in English. */
  readonly own?: string | undefined;
  /** The date that it says with its neighbours, as of now: `last Friday`, `ayer`. */
  readonly span?: TimeSpan;
}

/** A word that was asked, in its own language. */
export interface AskedWord {
  /** As it stands there; undefined for what is no whole word, in scripts without blanks. */
  readonly written: string | undefined;
  /** The index has it in some form. */
  readonly isKnown: boolean;
}

/** A question as it is understood without a model. */
export interface Question {
  /** As it was asked, and in which language. */
  readonly asked: string;
  readonly language: TextLanguage;
  /** It in English, by the everyday sense of each word: what it asks for is told by it. */
  readonly text: string;
  readonly now: Date;
  /** A past time is asked about: the index knows which words there are, and not which there were. */
  readonly isPast: boolean;
  readonly words: readonly QuestionTerm[];
  readonly own: readonly AskedWord[];
  readonly expects: readonly AnswerType[];
  readonly isYesNo: boolean;
  /** Asks two things, or for all of something, so that one memory may not say it all. */
  readonly isSeveral: boolean;
  /** Asks when, or how it is now or was before: an answer needs its date. */
  readonly isAboutTime: boolean;
}

const YES_NO = new RegExp(String.raw`^\s*(?:so |and |but )?${anyOf('ask/yes-no-verbs')}\b`, 'iu');
const SEVERAL =
  /(?:,|\band\b|\bund\b|\by\b|\bet\b)\s+(?:\w+\s)?(?:how|what|which|who|whose|when|where|why|wie|was|wer|wann|wo|qué|cuándo|quand|où)\b|^\W*(?:list|name)\b|\bboth\b|\bdiffer/iu;
const ABOUT_TIME =
  /\bwhen\b|\bdate\b|\bdays?\b|\byears?\b|\bmonths?\b|\bnow\b|\bcurrent(?:ly)?\b|\bstill\b|\bthese days\b|\bbefore\b|\bago\b|\blast\b|\bnext\b|\bused to\b|\bsince\b|\buntil\b|\bpresent\b|\btoday\b|\bwann\b|\bcuándo\b|\bquand\b|什么时候|いつ/iu;
/** English questions have one of these; the others rarely. */
const ENGLISH = new RegExp(String.raw`(?<![\p{L}])${anyOf('ask/english-words')}(?![\p{L}])`, 'iu');
const NOT_ENGLISH = /[äöüßñ¿¡éèêàçœ]|[^\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/iu;

/** What understanding a question takes. */
export interface Understanding {
  /** How rare words are where it is asked, 0..1 each. */
  rarity: (words: readonly string[]) => readonly number[];
  tagWords: TagWords;
  nameConcepts: NameConcepts;
}

/** Grams of Chinese and Japanese that have grammar in them. */
const GRAMMAR =
  /^(?=.*\p{sc=Han}|.*\p{sc=Hira}).*[的是哪什么谁誰吗呢了吧多少几我你他她它们在有和与何]|^\p{sc=Hira}+$/u;

/** Words of a question that are looked at; a pasted page is no question. */
const MOST_WORDS = 32;

/** Understands a question, without looking at any memory but for the rarity of its words. */
export function understand(
  { text: asked, now, isPast = false }: { text: string; now: Date; isPast?: boolean },
  { rarity, tagWords, nameConcepts }: Understanding,
): Question {
  const language = languageAbroad(asked);
  const text = language === 'en' ? asked : inEnglish(asked);
  const words = wordsOf(text)
    .filter((word) => !GRAMMAR.test(word.text))
    .slice(0, MOST_WORDS);
  const own = language === 'en' ? words : ownWords(asked, language);
  const weights = rarity([...words, ...own].map((word) => word.text));
  const senses = everydaySenses(asked);
  const ownOf = new Map([...senses].flatMap(([word, english]) => english.map((one) => [one, stem(word)])));
  const isEnglish = ENGLISH.test(text) && !NOT_ENGLISH.test(text.replace(/\p{Lu}[\p{L}\p{M}]+/gu, ''));
  const roles = isEnglish ? rolesOf(text, tagWords) : new Map<string, WordRole>();
  const concepts = nameConcepts(text);
  const focus = focusStems(
    text,
    words.find((word) => roles.get(word.text) === 'verb' && !isScaffold(word.text)),
  );
  const dates = datesIn(asked, now);
  const read = words.map((word, at): QuestionTerm => {
    const span = dates.find((date) => date.words.includes(word.text));
    const found = span ? 'date' : roleOf(word, { roles, isEnglish });
    const isFocus = focus.has(word.stem) && found !== 'name' && found !== 'date';
    // What is asked for is a noun, whatever a tagger thinks of `antibiotic`.
    const role = isFocus && found === 'other' ? 'noun' : found;
    return {
      ...word,
      weight: weights[at] ?? 1,
      role,
      isFocus,
      concepts: concepts.get(word.text) ?? [],
      own: ownOf.get(word.text),
      ...(span && { span }),
    };
  });
  return {
    asked,
    language,
    text,
    now,
    isPast,
    // A question of nothing but scaffold asks for these very words.
    words: read.some(({ role }) => role !== 'scaffold')
      ? read
      : read.map((word): QuestionTerm => ({ ...word, role: 'noun' })),
    own: own.flatMap((word, at) =>
      isScaffold(word.text)
        ? []
        : [
            {
              written: hasUnspaced(word.text) ? undefined : word.written,
              // What no chunk has is as rare as anything can be.
              isKnown: (weights[words.length + at] ?? 1) < 1,
            },
          ],
    ),
    expects: expectedTypes(text),
    isYesNo: YES_NO.test(text),
    isSeveral: SEVERAL.test(text),
    isAboutTime: ABOUT_TIME.test(text),
  };
}

/** The words of a question in another language that say something. */
function ownWords(asked: string, language: Abroad): ContentWord[] {
  const grammar = new Set(FUNCTION_WORDS[language].split(/\s+/u));
  return wordsOf(asked)
    .filter(({ text }) => !grammar.has(text))
    .slice(0, MOST_WORDS);
}

/** The dates of a question, each with its words and what they are in English. */
function datesIn(asked: string, now: Date): RelativeDate[] {
  const senses = everydaySenses(asked);
  return relativeDates(asked, now).map((date) => ({
    ...date,
    words: date.words.flatMap((word) => [word, ...(senses.get(word) ?? [])]),
  }));
}

/** Characters that are tagged: it takes 2 ms for 250. */
const MOST_TAGGED = 400;

function rolesOf(text: string, tagWords: TagWords): ReadonlyMap<string, WordRole> {
  const roles = new Map<string, WordRole>();
  for (const { text: piece, tags } of tagWords(text.slice(0, MOST_TAGGED))) {
    const role = tags.has('Noun') ? 'noun' : tags.has('Verb') ? 'verb' : 'other';
    for (const part of foldText(piece)
      .toLowerCase()
      .replace(/['’]s?$/u, '')
      .split(/[^\p{L}\p{N}]+/u))
      if (part !== '') roles.set(part, role);
  }
  return roles;
}

function roleOf(
  word: ContentWord,
  { roles, isEnglish }: { roles: ReadonlyMap<string, WordRole>; isEnglish: boolean },
): QuestionTerm['role'] {
  if (isDateWord(word)) return 'date';
  if (word.isName) return 'name';
  if (isScaffold(word.text)) return 'scaffold';
  return roles.get(word.text) ?? (isEnglish ? 'other' : 'noun');
}

const NOUNS = "((?:[\\p{L}\\p{N}'’-]+\\s*){1,5})";
const ASKED_FOR = [
  `\\b(?:which|what|whose|how many|how much|welche[rsnm]?|qué|quel(?:le)?s?)\\s+${NOUNS}`,
  `\\b(?:is|are|was|were|be|ist|war|es|est)\\s+(?:the|our|my|his|her|their|its|a|an|der|die|das|mein|meine|el|la|le)\\s+${NOUNS}`,
  `['’]s?\\s+${NOUNS}`,
].map((shape) => new RegExp(shape, 'iu'));
const STOPS_AT = new RegExp(String.raw`\b${anyOf('ask/after-nouns')}\b`, 'iu');

/** The stems of what a question asks for: nouns behind its question word, after `is the`, or what somebody's is; else its verb. */
function focusStems(text: string, verb: ContentWord | undefined): ReadonlySet<string> {
  for (const shape of ASKED_FOR) {
    const phrase = shape.exec(text)?.[1]?.split(STOPS_AT)[0] ?? '';
    const stems = wordsOf(phrase)
      .filter((word) => !isScaffold(word.text))
      .map((word) => word.stem);
    if (stems.length > 0) return new Set(stems);
  }
  return new Set(verb ? [verb.stem] : []);
}
