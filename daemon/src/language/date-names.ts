import { MORE_MONTHS } from '@reverie/memory-formats/days/month-names';
import { foldText } from './words/words.ts';

/** The languages whose months, weekdays and words such as `last Friday` are known. */
export const DATE_LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

const DAY = 86_400_000;
/** Of 1970-01-04, a Sunday. */
const SUNDAY = 3 * DAY;

/** The weekday of northern Germany, which the platform does not give. */
const MORE_DAYS = [['sonnabend', 6]] as const;
/** The sea in Spanish and Portuguese. */
const NO_MONTH = 'mar';

/** `terça-feira` is known by its first word. */
function named(format: Intl.DateTimeFormat, time: number): string {
  return foldText(format.format(time))
    .toLowerCase()
    .replace(/-feira$/u, '');
}

function namesBy(options: Intl.DateTimeFormatOptions, times: readonly number[]): [string, number][] {
  return DATE_LANGUAGES.flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return times.map((time, at): [string, number] => [named(format, time), at]);
  });
}

const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 15));
const days = Array.from({ length: 7 }, (_, day) => SUNDAY + day * DAY);

/** The month, 0 to 11, that a word names, folded and in small letters: `marzo`, `maart`. */
export const MONTH_OF: ReadonlyMap<string, number> = new Map([
  ...namesBy({ month: 'long' }, months),
  ...MORE_MONTHS.filter(([name]) => name !== NO_MONTH),
]);

/** The weekday, 0 for Sunday, that a word names: `friday`, `venerdi`, `terca`. */
export const DAY_OF: ReadonlyMap<string, number> = new Map([
  ...namesBy({ weekday: 'long' }, days),
  ...MORE_DAYS,
]);

/** Portuguese weekdays that are ordinary numbers elsewhere: they need their `-feira`. */
export const NEEDS_FEIRA: ReadonlySet<string> = new Set(['segunda', 'quarta', 'quinta', 'sexta']);

/** The months from January, as a language writes them in a sentence: `März`. */
export function monthNames(language: (typeof DATE_LANGUAGES)[number]): string[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return months.map((time) => format.format(time));
}

/** The first three letters of the months in English and German, which write them with a capital: `Mär`. */
export const MONTH_STEMS: readonly string[] = [
  ...new Set([...monthNames('en'), ...monthNames('de')].map((name) => name.slice(0, 3))),
];

/** The weekdays from Sunday, as English writes them. */
export const ENGLISH_WEEKDAYS: readonly string[] = weekdayNames('en');

/** The weekdays from Sunday, as a language writes them in a sentence: `martes`. */
export function weekdayNames(language: (typeof DATE_LANGUAGES)[number]): string[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  return days.map((time) => format.format(time));
}
