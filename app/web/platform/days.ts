import { wholeDayOf } from '@reverie/shared/contract/whole-day';
import { onReadersClock } from './format.ts';
import { locale } from './locale.ts';

const DAY_MS = 86_400_000;

const clockTime = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' });
const shortWeekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat(locale, { month: 'long' });
const monthAndYear = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const year = new Intl.DateTimeFormat(locale, { year: 'numeric' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** As a heading begins: `Yesterday`, `Letzte Woche`. */
const asHeading = (words: string) => words.charAt(0).toLocaleUpperCase(locale) + words.slice(1);

/** Midnights of the reader's time zone between two times: 0 on one day, 1 from yesterday on. */
function daysBetween(from: Date, to: Date): number {
  const midnight = (day: Date) => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate());
  return (midnight(to) - midnight(from)) / DAY_MS;
}

/** Days since Monday. */
const sinceMonday = (day: Date) => (day.getDay() + 6) % 7;

/**
 * The small heading under which a memory of this time stands in a list; a time in
 * the future, from a clock that runs ahead, counts as today.
 */
export function dayOf(iso: string, now: number): string {
  const [then, today] = [onReadersClock(iso), new Date(now)];
  const days = daysBetween(then, today);
  if (days <= 0) return asHeading(relative.format(0, 'day'));
  if (days === 1) return asHeading(relative.format(-1, 'day'));
  if (days <= sinceMonday(today)) return asHeading(weekday.format(then));
  if (days <= sinceMonday(today) + 7) return asHeading(relative.format(-1, 'week'));
  return asHeading((then.getFullYear() === today.getFullYear() ? month : monthAndYear).format(then));
}

/**
 * A time in a row: `09:12` today, `Thu` within a week, `12 Nov`, `2024`. Below the heading of its day (`isUnderDay`) it is
 * the time of that day, and below that of a month the day. A day without a time has no clock to show: it is `12 Nov`.
 */
export function shortTime(iso: string, now: number, isUnderDay = false): string {
  const [then, today] = [onReadersClock(iso), new Date(now)];
  const days = daysBetween(then, today);
  const isOfThisWeek = days <= 0 || (isUnderDay && (days === 1 || days <= sinceMonday(today)));
  if (isOfThisWeek) return (wholeDayOf(iso) === undefined ? clockTime : dayAndMonth).format(then);
  if (days < 7 || (isUnderDay && days <= sinceMonday(today) + 7)) return shortWeekday.format(then);
  if (isUnderDay || then.getFullYear() === today.getFullYear()) return dayAndMonth.format(then);
  return year.format(then);
}
