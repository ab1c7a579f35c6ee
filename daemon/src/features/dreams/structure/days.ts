import { MONTH_OF } from '../../../language/date-names.ts';
import { foldText } from '../../../language/words/words.ts';

const DAY = 86_400_000;

/** A day or a month that a text names in full: its beginning in milliseconds since 1970, UTC; where it stands, in UTF-16 units. */
export interface NamedDay {
  readonly on: number;
  readonly grain: 'day' | 'month';
  readonly start: number;
  readonly end: number;
  /** The year follows from when it was written. */
  readonly isWithoutYear: boolean;
}

const YEAR = '(?<year>20\\d\\d)';
const NAME = '(?<name>[\\p{L}\\p{M}]{3,10})\\.?';
const NUMBER = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?';
const FORMS = [
  `${YEAR}-(?<month>\\d\\d)-(?<day>\\d\\d)(?!\\d)`,
  `(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.\\s?${YEAR}(?!\\d)`,
  `${NUMBER}\\s(?:of\\s|de\\s)?${NAME},?\\s(?:de[l]?\\s)?${YEAR}(?!\\d)`,
  `${NAME}\\s(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s${YEAR}(?!\\d)`,
  `${YEAR}-(?<month>0[1-9]|1[0-2])(?![\\d-])`,
  `(?<month>0?[1-9]|1[0-2])/${YEAR}(?!\\d)`,
  `${NAME},?\\s(?:de[l]?\\s)?${YEAR}(?!\\d)`,
  `${NUMBER}\\s(?:of\\s|de\\s)?${NAME}(?!\\p{L})`,
  `${NAME}\\s(?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:.,]\\d|\\d)`,
  `(?<=(?:am|bis|zum|den|vom)\\s)(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?!\\d)`,
].map((form) => new RegExp(`(?<![\\p{L}\\p{N}_/.=-])${form}(?![\\p{L}_]|[/-]\\p{L})`, 'gu'));

/** The days and months that a text that was written at `time` names, in order, none overlapping; one without a year is the next. */
export function daysIn(text: string, time: number): NamedDay[] {
  const found: NamedDay[] = [];
  if (!/\d/u.test(text)) return found;
  for (const form of FORMS)
    for (const { groups = {}, index, 0: said } of text.matchAll(form)) {
      const at = placeOf(groups, time);
      if (!at || found.some(({ start, end }) => index < end && start < index + said.length)) continue;
      found.push({ ...at, start: index, end: index + said.length });
    }
  return found.sort((a, b) => a.start - b.start);
}

type Place = Omit<NamedDay, 'start' | 'end'> | undefined;

function placeOf(
  { year, month: figure, name, day }: Record<string, string | undefined>,
  time: number,
): Place {
  const month = name === undefined ? Number(figure) - 1 : MONTH_OF.get(foldText(name).toLowerCase());
  if (month === undefined || month < 0 || month > 11) return undefined;
  // `may 3 people come`
  if (name !== undefined && /^(?:may|march|mar|sept?)$/u.test(name)) return undefined;
  if (day === undefined)
    return { on: Date.UTC(Number(year), month, 1), grain: 'month', isWithoutYear: false };
  const now = new Date(time).getUTCFullYear();
  const on = dayOf(Number(year ?? now), month, Number(day));
  if (year !== undefined || on === undefined)
    return on === undefined ? on : { on, grain: 'day', isWithoutYear: false };
  const next = on <= time - DAY ? dayOf(now + 1, month, Number(day)) : on;
  return next === undefined ? next : { on: next, grain: 'day', isWithoutYear: true };
}

/** There is no 31 June. */
function dayOf(year: number, month: number, day: number): number | undefined {
  const on = Date.UTC(year, month, day);
  return day > 0 && new Date(on).getUTCMonth() === month ? on : undefined;
}

/** The last day of what is named, in milliseconds since 1970. */
export function lastDayOf({ on, grain }: Pick<NamedDay, 'on' | 'grain'>): number {
  const date = new Date(on);
  return grain === 'day' ? on : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
}

const DASH = String.raw`\s*[–—-]\s*`;
const TO = String.raw`\s(?:to|until|till|bis(?:\s\p{L}+)?|au|al|tot|à|a)\s(?!\d{1,2}(?:[:.h]\d|\s?h|\su))`;
/** What stands before a day that ends a span, and behind one that begins it. */
const SPAN = {
  before: new RegExp(
    String.raw`(?:\p{L}{3,}\.?|\d\.?)${DASH}$|(?<!\p{L})(?:from|between|vom|von|zwischen|du|entre|del|desde|dal|tra|van|tussen)\s[^.;]{1,30}$`,
    'iu',
  ),
  after: new RegExp(String.raw`^${DASH}(?:\d|\p{L})|^${TO}(?:\p{L}+\s)?\d`, 'iu'),
} as const;

/** Whether a day begins or ends a span: `January–March 2026`, `from 3 to 7 May`. */
export function isOfSpan(text: string, { start, end }: Pick<NamedDay, 'start' | 'end'>): boolean {
  return (
    SPAN.before.test(text.slice(Math.max(0, start - 48), start)) || SPAN.after.test(text.slice(end, end + 24))
  );
}
