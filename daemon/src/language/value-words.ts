import { ENGLISH_WEEKDAYS, MONTH_STEMS, monthNames, MONTHS, WEEKDAYS } from './date-names.ts';
import { anyOf } from './word-lists.ts';

// Parts of the shapes in value-shapes.ts, as they stand in regular expressions.

const longestFirst = (words: readonly string[]): string =>
  [...words].sort((a, b) => b.length - a.length).join('|');

/** Words that are seldom months: `mar` never, the others beside a figure or behind a word of time. */
const SELDOM = new Set(['mai', 'mar', 'may']);
/** Months, in any case. */
export const MONTH =
  `(?:${longestFirst(Object.keys(MONTHS).filter((name) => !SELDOM.has(name)))}|ma[yi](?=\\s\\p{N})|` +
  '(?<=(?:\\p{N}(?:st|nd|rd|th)?|(?<!\\p{L})(?:in|until|till|since|by|from|of|early|late|last|next|im|between))\\s)ma[yi])';
/** Days of the week, also where they come each week: `Mondays`. */
export const DAY = `(?:${longestFirst(Object.keys(WEEKDAYS))})s?`;
const ENGLISH = new Set(ENGLISH_WEEKDAYS.map((name) => name.toLowerCase()));
/** Days of the week that come each week; other languages than English say it without a plural, too. */
export const EACH_DAY = `(?:(?:${[...ENGLISH].join('|')})s|(?:${longestFirst(Object.keys(WEEKDAYS).filter((name) => !ENGLISH.has(name)))})s?)`;
/** A number, in digits or in words. */
export const NUMERAL = `(?:\\p{N}+|${anyOf('language/numerals')}(?![\\p{L}]))`;
/** Places in a row, in words. */
export const ORDINAL = anyOf('language/ordinals');
/** Where a word begins. */
export const BEGINS = '(?<![\\p{L}\\p{N}])';
/** The end of a word of letters. */
export const ENDS = '(?![\\p{L}])';
/** What time is measured in. */
export const TIME_UNIT = `(?:\\p{L}+\\s)?${anyOf('language/time-units')}`;
/** What length and size are measured in. */
export const LENGTH_UNIT = anyOf('language/length-units');
/** What stands before a place. */
export const PLACE_BEFORE = anyOf('language/before-places');
/** Articles and possessives. */
export const ARTICLE = anyOf('language/articles');
/** What may stand behind `PLACE_BEFORE` and is no place. */
export const NO_PLACE = `(?:${ARTICLE}|${MONTH}|${DAY}|${anyOf('language/no-places')}|[\\p{L}]+ing)`;

/** Words that have a capital and are no names: months, weekdays, Christmas, Easter and `I`. */
export const MONTH_CAPITAL = `(?:${MONTH_STEMS.join('|')})\\p{Ll}*(?![\\p{L}])|(?:${ENGLISH_WEEKDAYS.join('|')})s?(?![\\p{L}])|Christmas|Easter|I(?![\\p{L}])`;
/** Fails before a word that has its capital for another reason than being a name. */
export const PLAIN_CAPITAL = `(?!(?:${anyOf('language/plain-capitals')}|(?:${ENGLISH_WEEKDAYS.join('|')})s?|${monthNames('en').join('|')})(?![\\p{L}]))`;
/** What stands before the name of a person. */
export const TITLE = `${anyOf('language/titles')}\\.?`;
/** Roles by which people are called, such as `aunt`. */
export const ROLE = anyOf('language/roles');
