import { DATE_LANGUAGES as KNOWN, DAY_OF, MONTH_OF, NEEDS_FEIRA } from './date-names.ts';

/** The languages, as `languageOf` tells them, whose months and weekdays are known here by name. */
export const DATE_LANGUAGES: ReadonlySet<string> = new Set(KNOWN);

/** A word as it stands in a text, and folded in small letters. */
interface WrittenWord {
  readonly text: string;
  readonly written: string;
  /** It has the capital of a name. */
  readonly isName: boolean;
}

/** A month, a weekday or a year; `may` and `march` with a capital only, and no `segunda`, which is a number, too. */
export function isDateWord({ text, isName, written }: WrittenWord): boolean {
  // Without its cedilla `março` is a first name.
  if (text === 'marco') return /ç/iu.test(written.normalize('NFC'));
  if (text === 'may' || text === 'march') return isName;
  return (
    MONTH_OF.has(text) ||
    (dayOf(text) !== undefined && !NEEDS_FEIRA.has(text)) ||
    /^(?:19|20)\d\d$/.test(text)
  );
}

/** The weekday of a word, also where it is said of each week: `Mondays`; `lunes` ends so by itself. */
function dayOf(word: string): number | undefined {
  return DAY_OF.get(word) ?? DAY_OF.get(word.replace(/s$/, ''));
}

/** Whether a moment, in UTC, lies in the month or the year or on the weekday that a word names. */
export function isWithin(word: string, iso: string): boolean {
  const time = new Date(iso);
  return (
    MONTH_OF.get(word) === time.getUTCMonth() ||
    dayOf(word) === time.getUTCDay() ||
    word === String(time.getUTCFullYear())
  );
}

/** Whether two words, in small letters, name one month or one weekday: `march` and `marz`. */
export function sameDateWord(a: string, b: string): boolean {
  const same = <T>(of: (word: string) => T | undefined) => of(a) !== undefined && of(a) === of(b);
  return same((word) => MONTH_OF.get(word)) || same(dayOf);
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
