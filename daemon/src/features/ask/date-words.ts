import type { Word } from './passages.ts';

/** The languages, as `languageOf` tells them, whose months and weekdays are known here by name. */
export const DATE_LANGUAGES: ReadonlySet<string> = new Set(['en', 'de', 'es', 'fr']);

const MONTHS: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'enero', 'janvier'],
  ['february', 'feb', 'februar', 'febrero', 'fevrier'],
  ['march', 'marz', 'marzo', 'mars'],
  ['april', 'apr', 'abril', 'avril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'junio', 'juin'],
  ['july', 'jul', 'juli', 'julio', 'juillet'],
  ['august', 'aug', 'agosto', 'aout'],
  ['september', 'sep', 'sept', 'septiembre', 'septembre'],
  ['october', 'oct', 'oktober', 'octubre', 'octobre'],
  ['november', 'nov', 'noviembre', 'novembre'],
  ['december', 'dec', 'dezember', 'diciembre', 'decembre'],
];
const DAYS = [
  'sunday sonntag domingo dimanche',
  'monday montag lunes lundi',
  'tuesday dienstag martes mardi',
  'wednesday mittwoch miercoles mercredi',
  'thursday donnerstag jueves jeudi',
  'friday freitag viernes vendredi',
  'saturday samstag sabado samedi',
].map((names) => names.split(' '));

const MONTH_OF = new Map(MONTHS.flatMap((names, month) => names.map((name) => [name, month] as const)));
const DAY_OF = new Map(DAYS.flatMap((names, day) => names.map((name) => [name, day] as const)));

/** A month, a weekday or a year; `may` and `march` with a capital only. */
export function isDateWord({ text, isName }: Word): boolean {
  if (text === 'may' || text === 'march' || text === 'mars') return isName;
  return MONTH_OF.has(text) || DAY_OF.has(text.replace(/s$/, '')) || /^(?:19|20)\d\d$/.test(text);
}

/** Whether a moment, in UTC, lies in the month or the year or on the weekday that a word names. */
export function isWithin(word: string, iso: string): boolean {
  const time = new Date(iso);
  return (
    MONTH_OF.get(word) === time.getUTCMonth() ||
    DAY_OF.get(word.replace(/s$/, '')) === time.getUTCDay() ||
    word === String(time.getUTCFullYear())
  );
}

/** Whether two words, in small letters, name one month or one weekday: `march` and `marz`. */
export function sameDateWord(a: string, b: string): boolean {
  const same = <T>(of: (word: string) => T | undefined) => of(a) !== undefined && of(a) === of(b);
  // `lunes` ends so by itself.
  const day = (word: string) => DAY_OF.get(word) ?? DAY_OF.get(word.replace(/s$/, ''));
  return same((word) => MONTH_OF.get(word)) || same(day);
}

/** The month that a word names, 0 to 11; none or one. */
export function monthsOf(word: string): readonly number[] {
  const month = MONTH_OF.get(word);
  return month === undefined ? [] : [month];
}

const IN_FIGURES =
  /(?<![\d.])(?:\d{4}[-/.](?<iso>\d{1,2})[-/.]\d{1,2}|(?<first>\d{1,2})[./](?<second>\d{1,2})(?:[./](?:\d{2}){1,2}|\.))(?!\d)/gu;

/** The months, 0 to 11, of dates in figures: 2026-03-09, 9.3.2026, 3/9/26. Where it may be the one or the other, both. */
export function monthsIn(text: string): ReadonlySet<number> {
  const months = [...text.matchAll(IN_FIGURES)].flatMap(({ groups }) => [
    groups?.['iso'],
    groups?.['second'],
    groups?.['first'],
  ]);
  return new Set(months.flatMap((month) => (month === undefined ? [] : [Number(month) - 1])));
}
