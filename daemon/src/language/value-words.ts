import { ENGLISH_WEEKDAYS, monthNames } from './date-names.ts';
import { anyOf } from './word-lists.ts';

// Parts of the shapes in answer-shapes.ts, as they stand in regular expressions.

/** Months, in any case; may and mar are seldom one. */
export const MONTH =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|märz|march|apr(?:il)?|june?|juni|july?|juli|aug(?:ust)?|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|ma[yi](?=\\s\\p{N})|(?<=(?:\\p{N}(?:st|nd|rd|th)?|(?<!\\p{L})(?:in|until|till|since|by|from|of|early|late|last|next|im|between))\\s)ma[yi])';
/** Days of the week. */
export const DAY =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?)';
/** Numbers in words. */
export const NUMERAL = `(?:\\p{N}+|${anyOf('language/numerals')}(?![\\p{L}]))`;
/** Places in a row, in words. */
export const ORDINAL = anyOf('language/ordinals');
/** Where a word begins. */
export const BEGINS = '(?<![\\p{L}\\p{N}])';
/** Where a word ends, of letters. */
export const ENDS = '(?![\\p{L}])';
/** What time is measured in. */
export const TIME_UNIT = `(?:\\p{L}+\\s)?${anyOf('language/time-units')}`;
/** What length and size are measured in. */
export const LENGTH_UNIT = anyOf('language/length-units');
/** What stands before a place. */
export const PLACE_BEFORE = anyOf('language/before-places');
/** Articles and possessives. */
export const ARTICLE = anyOf('language/articles');
/** What stands behind those and is no place. */
export const NO_PLACE = `(?:${ARTICLE}|${MONTH}|${DAY}|${anyOf('language/no-places')}|[\\p{L}]+ing)`;

/** Capitals that are times. */
export const MONTH_CAPITAL =
  '(?:Jan|Feb|Mar(?:ch)?|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec|Okt|Dez|Mär|Mai|Jun|Jul)(?:\\p{Ll}*)(?![\\p{L}])|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?![\\p{L}])|Christmas|Easter|I(?![\\p{L}])';
/** Not before a word that has its capital for another reason than being a name. */
export const PLAIN_CAPITAL = `(?!(?:${anyOf('language/plain-capitals')}|(?:${ENGLISH_WEEKDAYS.join('|')})s?|${monthNames('en').join('|')})(?![\\p{L}]))`;
/** What stands before the name of a person. */
export const TITLE = `${anyOf('language/titles')}\\.?`;
/** What people are called by. */
export const ROLE = anyOf('language/roles');
