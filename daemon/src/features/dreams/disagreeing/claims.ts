import { monthNames } from '../../../language/date-names.ts';
import type { TagWords } from '../../../language/parts-of-speech.ts';
import { anyOf } from '../../../language/word-lists.ts';
import { isForeign } from '../notes/foreign-text.ts';
import { isPast } from '../notes/told-past.ts';
import { modesOf } from './sentence-modes.ts';
import type { ReadSentence } from '../notes/reading.ts';
import type { ComparedWord } from '../notes/compared-words.ts';
import type { Phrase } from './phrase.ts';
import type { Slot } from './slot.ts';

const patternOf = (list: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}'’])${anyOf(list)}(?![\\p{L}'’-])`, 'iu');
const CHANGES = patternOf('dreams/told-changes');
const PASSING = patternOf('dreams/passing');

/** `From May on`, `ab Mai`, but not `from May to July`. */
const DAYS = ['\\p{Lu}\\p{L}+day', ...monthNames('en'), ...monthNames('de')].join('|');
const FROM_A_DAY = new RegExp(
  String.raw`(?<!\p{L})(?:from|starting|effective|as of|ab|à partir) (?:on |in |the |du |le )?` +
    String.raw`(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?)?(?:${DAYS})s?(?!\p{L})(?! (?:to|until|till|bis|–|-))`,
  'iu',
);
/** `New code: …`, `our new code`; not `for new members`. */
const NEW =
  /(?:^|[.!?:]\s*|(?<!\p{L})(?:the|our|my|his|her|its|their|your|der|die|das|le|la)\s)(?:new(?:ly)?|neue[rns]?|nouvelle|nouveau)\s\p{L}/iu;
/** A text of so many characters is looked at whole. */
const SHORT = 400;

/** Whether a sentence, or the text around it, says that something changed. */
export function tellsChange({ of, text }: ReadSentence): boolean {
  const { value } = of.memory;
  const at = value.indexOf(text);
  const around =
    value.length <= SHORT ? value : value.slice(Math.max(0, at - SHORT / 2), at + text.length + SHORT / 2);
  return CHANGES.test(around) || FROM_A_DAY.test(around) || NEW.test(around);
}

/** Whether a sentence is about something that changes by itself: it passes, is counted anew, or grows. */
export function isPassing({ text }: ReadSentence): boolean {
  return PASSING.test(text);
}

/** A row of a table, a numbered step, a line of a log. */
const ROW = /^\s*(?:\d+[.)]\s|step \d|schritt \d|\|)|\||^\W*(?:\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2})/iu;

/**
 * Whether a sentence says how something is: it is no question, supposition, plan, opinion, past event or row of a table, and is not about
 * something that changes by itself.
 */
export function isClaim(sentence: ReadSentence): boolean {
  const { question, hypothetical, plan, past, opinion } = modesOf(sentence.text);
  return !(
    question ||
    hypothetical ||
    plan ||
    past ||
    opinion ||
    ROW.test(sentence.text) ||
    isPassing(sentence)
  );
}

const HOLDS = new RegExp(`(?<!\\p{L})${anyOf('dreams/holding-verbs')}(?!\\p{L})`, 'u');
/** After a number that says which one is meant: `ticket 12 is done`. */
const NAMES_ONE = /^(?:\s(?:to|and|–|-)\s\S+)?\s(?:is|are|has|have|does|can|must|ist|hat)\s/u;
/** Where whose something is, who somebody is or where something stands is said of one at a time. */
const ONE_AT_A_TIME = new RegExp(
  String.raw`(?<!\p{L})(?:is(?: called| named| with| by)?|ist|heißt|est|s'appelle|` +
    `${anyOf('dreams/running-verbs', 'dreams/standing-verbs')} (?:on|in|at|by|with|under|to|for|behind))` +
    String.raw`(?: ${anyOf('dreams/before-values')})*\s$|:\s$`,
  'iu',
);
/** Where a bare word is the name of a machine or a place: `runs on dunlin`. */
const AT_ONE_PLACE = new RegExp(
  String.raw`(?<!\p{L})${anyOf('dreams/running-verbs')} (?:on|in|at)(?: the (?:box|host|machine|node|server))?\s$`,
  'iu',
);
/** One of several: `a dentist is Dr Amari`, `a test on Tuesday`. */
const ONE_OF_SEVERAL = /(?<!\p{L})(?:an?|another|some|any|also|ein(?:e|en|em)?|une?)\s/iu;
const LABELS = new RegExp(String.raw`(?<!\p{L})${anyOf('dreams/value-labels')}\s\S*$`, 'iu');

/**
 * Whether both sentences state, by their grammar, what they differ in. The tagger reads English; for other languages the place of the words
 * decides.
 */
export function isStated({ phrases, fillings, isDenial, extra }: Slot, tag: TagWords): boolean {
  const read = phrases.map((phrase, side) => {
    const clause = clauseOf(phrase, fillings[side] ?? []);
    const verbs = tag(clause).flatMap(({ text, tags }) => (tags.has('Verb') ? [text.toLowerCase()] : []));
    return { phrase, first: fillings[side]?.[0], clause, verbs };
  });
  if (read.some(({ clause }) => isPast(clause, tag))) return false;
  if (extra && !read.some(({ phrase, verbs }) => verbIn(phrase, verbs) === extra)) return false;
  if (isDenial) return read.some(({ phrase, verbs }) => verbs.length > 0 || HOLDS.test(phrase.sentence.text));
  if (!read.every(({ first, phrase }) => first && isInPlace(first, phrase))) return false;
  return read.some(({ first, phrase, verbs }) => first && isSaid(first, phrase, verbs));
}

const BORDER = /[,;()—–]|\s-\s|[.!]\s/gu;

/** What stands around a slot between two commas or the like; the whole sentence where it is short of a slot. */
function clauseOf({ sentence: { text } }: Phrase, items: readonly ComparedWord[]): string {
  const [from, to] = [items[0]?.token.start, items.at(-1)?.token.end];
  if (from === undefined || to === undefined) return text;
  const borders = [...text.matchAll(BORDER)].map(({ index }) => index);
  const [start = -1, end = text.length] = [
    borders.findLast((at) => at < from),
    borders.find((at) => at >= to),
  ];
  return text.slice(start + 1, end);
}

function verbIn({ items }: Phrase, verbs: readonly string[]): ComparedWord | undefined {
  const [first, ...others] = items;
  const isVerb = ({ kind, token }: ComparedWord) =>
    kind === 'word' && verbs.includes(token.text.toLowerCase());
  const isInflected = ({ kind, token }: ComparedWord) =>
    kind === 'word' && /^\p{Ll}{2,}[^s\P{L}]s$/u.test(token.text);
  return others.find(isVerb) ?? others.find(isInflected) ?? (first && isVerb(first) ? first : undefined);
}

/** Whether a value stands where one thing at a time is said: a number that names (`line 3 stops`) and one of several do not. */
function isInPlace(first: ComparedWord, { sentence: { text }, items }: Phrase): boolean {
  const at = items.indexOf(first);
  const before = text.slice(0, first.token.start);
  if (
    (at < 1 && (PASSES_BY.has(first.kind) || before.trim() === '')) ||
    (first.kind === 'figure' && !HOLDS.test(before) && NAMES_ONE.test(text.slice(first.token.end)))
  )
    return false;
  if (first.kind === 'word') return AT_ONE_PLACE.test(before);
  if (first.kind === 'name') return ONE_AT_A_TIME.test(before) && !ONE_OF_SEVERAL.test(before);
  const isDay = first.kind === 'weekday' || first.kind === 'month';
  if (isDay && ONE_OF_SEVERAL.test(before)) return false;
  return at > 1 || HOLDS.test(before) || before.includes(':') || !PASSES_BY.has(first.kind);
}

/** Whether a verb, a colon or a word such as `code` leads to a value. What is to be done (`call Ilse on Monday`) says only with what: `use tabs`. */
function isSaid(first: ComparedWord, phrase: Phrase, verbs: readonly string[]): boolean {
  const { sentence, items } = phrase;
  const before = sentence.text.slice(0, first.token.start);
  if (HOLDS.test(before) || /:\s/u.test(before) || LABELS.test(before)) return true;
  const [begin = '', ...words] = before.toLowerCase().match(/[\p{L}'’-]+/gu) ?? [];
  const verb = verbIn(phrase, verbs);
  const isLedTo = verb && verb !== items[0] && verb.token.start < first.token.start;
  if (isLedTo || words.some((word) => verbs.includes(word))) return true;
  const isLate = items.indexOf(first) > 1;
  if (isLate && isForeign(sentence.text)) return true;
  if (verbs.includes(begin)) return !PASSES_BY.has(first.kind);
  return isLate && /^\p{L}+s\s/u.test(sentence.text);
}

/** What is another one each time that the same is done. */
const PASSES_BY = new Set(['figure', 'month', 'name', 'path', 'span', 'weekday', 'word']);
