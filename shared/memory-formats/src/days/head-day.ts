import { MONTHS } from './month-names.ts';

const MONTH = Object.keys(MONTHS).join('|');
const YEAR = '(?<![\\d])(?<year>(?:19|20)\\d\\d)';
/** A day with its month in words, before it or behind it. */
export const WRITTEN_DAYS: readonly string[] = [
  `(?<day>\\d{1,2})(?:st|nd|rd|th|er|\\.)?\\s(?:of\\s|de\\s)?(?<month>${MONTH})\\.?,?\\s(?:de\\s)?${YEAR}`,
  `(?<month>${MONTH})\\.?\\s(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s${YEAR}`,
];
const FORMS = [
  `${YEAR}-(?<month>\\d\\d)-(?<day>\\d\\d)`,
  `(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.\\s?${YEAR}`,
  ...WRITTEN_DAYS,
];
/** Before the day: marks of a heading or list, `Date:`, a weekday. Behind it: a time, then the end of the line or a mark. */
const HEADS = FORMS.map(
  (form) =>
    new RegExp(
      `^[#>*_\\-\\s[(]*(?:(?:date|datum|on|am):?\\s+)?(?:\\p{L}{2,10}[.,]{0,2}\\s)?${form}(?:[T,]?\\s?\\d{1,2}[:.h]\\d\\d(?:[:.\\d]*)Z?)?(?:[\\])*_]+(?=[\\s:]|$)|\\s*(?:$|[\\n|:,;.—–-](?!\\d)))`,
      'iu',
    ),
);

/** The day with which a text begins, as diaries and logs do, in milliseconds since 1970: what it tells is told of that day. */
export function headDay(text: string): number | undefined {
  for (const head of HEADS) {
    const groups = head.exec(text)?.groups;
    if (!groups) continue;
    const on = midnightOf(groups);
    if (on !== undefined) return on;
  }
  return undefined;
}

/** The first moment of a day, UTC, in milliseconds since 1970; its month in figures or in words. Undefined for one that no calendar has. */
export function midnightOf({
  year,
  month = '',
  day,
}: Readonly<Record<string, string | undefined>>): number | undefined {
  const at = /\d/u.test(month) ? Number(month) - 1 : (MONTHS[month.toLowerCase()] ?? NaN);
  const on = Date.UTC(Number(year), at, Number(day));
  return new Date(on).getUTCMonth() === at ? on : undefined;
}

const IN_KEY = /(?<![\d])(?:19|20)\d\d-\d\d-\d\d(?!\d)/u;

/** The day that a key names, `journal/2026-05-03`, in milliseconds since 1970. */
export function keyDay(key: string): number | undefined {
  const on = Date.parse(IN_KEY.exec(key)?.[0] ?? '');
  return Number.isNaN(on) ? undefined : on;
}
