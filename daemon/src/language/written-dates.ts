import { add, toUtc } from './calendar.ts';
import { MONTH_OF } from './date-names.ts';
import { foldText } from './words.ts';

/** A span of time, `[from, to)` in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

const MONTHS = [...MONTH_OF.keys()].sort((a, b) => b.length - a.length).join('|');
const IN_FIGURES =
  /(?<![\d.])(?:(?<year>(?:19|20)\d\d)-(?<month>\d\d)(?:-(?<day>\d\d))?|(?<day2>\d{1,2})\. ?(?<month2>\d{1,2})\. ?(?<year2>(?:19|20)\d\d))(?![\d])/gu;
/** `13 November 2026`, `13. November`, `13 de noviembre de 2026`, `November 13, 2026`, `November 2026`, `in November`. */
const IN_WORDS = new RegExp(
  `(?<![\\p{L}\\d])(?:(?<day>\\d{1,2})(?:st|nd|rd|th|er|º|\\.)? ?(?:of |de |di )?)?(?<month>${MONTHS})(?![\\p{L}\\d])(?: (?<day2>\\d{1,2})(?:st|nd|rd|th)?(?!\\d|[:.]\\d))?(?:,? (?:de |of )?(?<year>(?:19|20)\\d\\d)(?!\\d))?`,
  'giu',
);
/** Other words, too: `may` and `march` without a capital, and the first name that `março` is without its cedilla. */
const isNoMonth = (month: string) => /^(?:may|march|[Mm]arco)$/u.test(month);

/** Whether a text writes a day, or a whole month, that lies in a span; where it says no year, in any year. */
export function writesDateWithin(text: string, span: TimeSpan): boolean {
  const folded = foldText(text);
  const years = [new Date(span.from).getUTCFullYear(), new Date(span.to - 1).getUTCFullYear()];
  const isWithin = (year: string | undefined, month: number, day: string | undefined) =>
    (year === undefined ? years : [Number(year)]).some((of) => {
      const first = { year: of, month, day: Number(day ?? 1) };
      const from = toUtc(first, 0);
      const to = toUtc(add(first, day === undefined ? { months: 1 } : { days: 1 }), 0);
      return from >= span.from && to <= span.to;
    });
  for (const { groups = {} } of folded.matchAll(IN_FIGURES))
    if (
      isWithin(
        groups['year'] ?? groups['year2'],
        Number(groups['month'] ?? groups['month2']),
        groups['day'] ?? groups['day2'],
      )
    )
      return true;
  for (const { groups = {} } of folded.matchAll(IN_WORDS)) {
    const month = groups['month'] ?? '';
    const day = groups['day'] ?? groups['day2'];
    if (day === undefined && groups['year'] === undefined && isNoMonth(month)) continue;
    if (isWithin(groups['year'], (MONTH_OF.get(month.toLowerCase()) ?? NaN) + 1, day)) return true;
  }
  return false;
}
