import type { Word } from './passages.ts';

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
