import { relativeDates } from '../relative-dates.ts';
import { foldText } from '../words/words.ts';

/** A day or a month as a text writes it; the year where it says one. Months from 1. */
export interface WrittenDate {
  readonly year?: number;
  readonly month: number;
  readonly day?: number;
}

/** What a text says of dates, and the text without those that are written out. */
export interface Dated {
  readonly dates: readonly WrittenDate[];
  /** Weekdays from Sunday, 0. */
  readonly weekdays: readonly number[];
  readonly rest: string;
}

const LANGUAGES = 'en de es fr it nl pt pl cs ru uk sv da nb fi tr el ro hu'.split(' ');
const DAY = 86_400_000;

const folded = (text: string) => foldText(text).toLowerCase().replace(/\.$/u, '');

/** Names as they stand alone and behind a day: март, 3 марта. */
function names(times: readonly number[], part: 'month' | 'weekday'): Map<string, number> {
  const found = LANGUAGES.flatMap((language) =>
    [
      { [part]: 'long' },
      { [part]: 'long', day: 'numeric' },
      ...(part === 'month' ? [{ month: 'short', day: 'numeric' }] : []),
    ].flatMap((options) => {
      const format = new Intl.DateTimeFormat(language, {
        ...options,
        timeZone: 'UTC',
      } as Intl.DateTimeFormatOptions);
      return times.map((time, at) => {
        const name = format.formatToParts(time).find(({ type }) => type === part)?.value ?? '';
        return [folded(name), at] as const;
      });
    }),
  );
  return new Map(found.filter(([name]) => /^\p{L}[\p{L}\p{M}-]{2,}$/u.test(name)));
}

const MONTHS = names(
  Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 15)),
  'month',
);
const WEEKDAYS = names(
  Array.from({ length: 7 }, (_, day) => (3 + day) * DAY),
  'weekday',
);
for (const [name, day] of [...WEEKDAYS])
  if (/^(?:sabado|domingo)|-feira$/u.test(name)) WEEKDAYS.set(name.replace(/s$/u, ''), day);

const MONTH = [...MONTHS.keys()].sort((a, b) => b.length - a.length).join('|');
const YEAR = String.raw`(?:\s*(?:,|de|del|of)?\s*(?<year>(?:19|20)\d\d)(?!\d))?`;
const DAYS = String.raw`(?:(?<from>\d{1,2})\.?(?:st|nd|rd|th|er|º|ª)?\s?(?:[-–—]|\p{L}{1,3})\s?(?:the\s)?)?(?<day>\d{1,2})\.?(?:st|nd|rd|th|er|º|ª)?`;
const FORMS = [
  /(?<!\d)(?<year>\d{4})[-./](?<month>\d{1,2})[-./](?<day>\d{1,2})(?!\d)/giu,
  /(?<!\d)(?<year>\d{4})年(?<month>\d{1,2})月(?:(?<day>\d{1,2})日)?/giu,
  /(?<!\d)(?<month>\d{1,2})月(?<day>\d{1,2})日/giu,
  /(?<![\d.])(?:(?<from>\d{1,2})\.\s?[-–—]\s?)?(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.(?:\s?(?<year>\d{4}|\d{2})(?![\d:.]))?(?!\d)/giu,
  /(?<![\d.])(?<day>\d{1,2})[-./](?<month>\d{1,2})[-./](?<year>\d{4}|\d{2})(?![\d.])/giu,
  new RegExp(`(?<![\\p{L}\\d.,])${DAYS}\\s?(?:of |de |di )?(?<name>${MONTH})(?!\\p{L})\\.?${YEAR}`, 'giu'),
  new RegExp(`(?<!\\p{L})(?<name>${MONTH})\\.?\\s(?:the )?${DAYS}(?![\\d:.,]*\\d)${YEAR}`, 'giu'),
  new RegExp(`(?<!\\p{L})(?<name>${MONTH})(?!\\p{L})${YEAR}`, 'giu'),
];
/** Words that are more often something else where no day and no year stands beside them. */
const RATHER_OTHERS = /^(?:march|mars|marco|maja|(?:\p{L}{3}))$/u;

/** The dates of a text that are written out, and its weekdays. */
export function datesIn(text: string): Dated {
  const dates: WrittenDate[] = [];
  let rest = foldText(text);
  for (const form of FORMS)
    rest = rest.replace(form, (...match: unknown[]) => {
      const groups = match.at(-1) as Record<string, string | undefined>;
      const whole = match[0] as string;
      const { name, from, day, year } = groups;
      // `May` alone is a month with its capital only, and not where a sentence begins with it.
      const isAlone = name !== undefined && day === undefined && year === undefined;
      const offset = match.at(-3) as number;
      if (
        isAlone &&
        RATHER_OTHERS.test(name.toLowerCase()) &&
        !(/^(?:May|Mai|March|Mars)$/u.test(name) && offset > 0)
      )
        return whole;
      const months =
        name === undefined ? [Number(groups['month'])] : [(MONTHS.get(name.toLowerCase()) ?? NaN) + 1];
      // 3/5/2026 is in March or in May.
      if (/^\d{1,2}\/\d/u.test(whole)) months.push(Number(day));
      const written = months.flatMap((month, at) =>
        [from, at === 0 ? day : groups['month']].flatMap((one, index): WrittenDate[] =>
          index === 0 && one === undefined
            ? []
            : [
                {
                  month,
                  ...(one !== undefined && { day: Number(one) }),
                  ...(year !== undefined && { year: Number(year.length === 2 ? `20${year}` : year) }),
                },
              ],
        ),
      );
      const valid = written.filter(
        ({ month, day: of = 1 }) => month >= 1 && month <= 12 && of >= 1 && of <= 31,
      );
      if (valid.length === 0) return whole;
      dates.push(...valid);
      return ' '.repeat(whole.length);
    });
  const words =
    foldText(text)
      .toLowerCase()
      .match(/\p{L}+(?:-\p{L}+)*/gu) ?? [];
  const weekdays = words.flatMap((word) => WEEKDAYS.get(word) ?? WEEKDAYS.get(word.replace(/s$/u, '')) ?? []);
  return { dates, weekdays, rest };
}

/** Whether a date of a sentence is one of those of a text that was written at a time, also where that says `tomorrow`, or leaves out the year. */
export function isSaidIn(
  date: WrittenDate,
  { dates, weekdays }: Dated,
  { text, time }: { text: string; time: number },
): boolean {
  const written = new Date(time);
  const isNear = (year: number) => Math.abs(year - written.getUTCFullYear()) <= 1;
  const isSame = (one: WrittenDate) =>
    one.month === date.month &&
    (date.day === undefined || one.day === date.day) &&
    (date.year === undefined ||
      one.year === date.year ||
      (one.year === undefined && (isNear(date.year) || text.includes(String(date.year)))));
  if (dates.some(isSame)) return true;
  const at = Date.UTC(date.year ?? written.getUTCFullYear(), date.month - 1, date.day ?? 1);
  if (
    relativeDates(text, written).some(
      ({ from, to }) => at >= from - (date.day === undefined ? 30 * DAY : 0) && at < to,
    )
  )
    return true;
  return (
    date.day !== undefined && Math.abs(at - time) < 14 * DAY && weekdays.includes(new Date(at).getUTCDay())
  );
}

/** Whether a weekday of a sentence is said by a text that was written at a time: by its name, or as that of a date. */
export function isWeekdayIn(
  weekday: number,
  { dates, weekdays }: Dated,
  { text, time }: { text: string; time: number },
): boolean {
  if (weekdays.includes(weekday)) return true;
  const year = new Date(time).getUTCFullYear();
  const days = dates.flatMap(({ year: of, month, day }) => {
    if (day === undefined) return [];
    if (of !== undefined) return [Date.UTC(of, month - 1, day)];
    const nearest = [year - 1, year, year + 1].map((one) => Date.UTC(one, month - 1, day));
    return nearest.sort((a, b) => Math.abs(a - time) - Math.abs(b - time)).slice(0, 1);
  });
  const relative = relativeDates(text, new Date(time)).flatMap(({ from, grain }) =>
    grain === 'day' ? [from] : [],
  );
  return [...days, ...relative].some((of) => new Date(of).getUTCDay() === weekday);
}
