import { wholeDayOf } from '@reverie/shared/contract/whole-day';
import { onReadersClock, relativeWords } from './format.ts';
import { clockOf, daysBetween, onClock } from './readers-clock.ts';

const clockTime = onClock({ timeStyle: 'short' });
const weekday = onClock({ weekday: 'long' });
const shortWeekday = onClock({ weekday: 'short' });
const dayAndMonth = onClock({ day: 'numeric', month: 'short' });
const month = onClock({ month: 'long' });
const monthAndYear = onClock({ month: 'long', year: 'numeric' });
const year = onClock({ year: 'numeric' });

/** As a heading begins: `Yesterday`, `Last week`. */
const asHeading = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Days since Monday. */
const sinceMonday = (clock: number) => (new Date(clock).getUTCDay() + 6) % 7;
const isOneYear = (a: number, b: number) => new Date(a).getUTCFullYear() === new Date(b).getUTCFullYear();

/**
 * The small heading under which a memory of this time stands in a list; a time in
 * the future, from a clock that runs ahead, counts as today.
 */
export function dayOf(iso: string, now: number): string {
  const [then, today] = [onReadersClock(iso), clockOf(now)];
  const days = daysBetween(then, today);
  if (days <= 0) return asHeading(relativeWords().format(0, 'day'));
  if (days === 1) return asHeading(relativeWords().format(-1, 'day'));
  if (days <= sinceMonday(today)) return asHeading(weekday(then));
  if (days <= sinceMonday(today) + 7) return asHeading(relativeWords().format(-1, 'week'));
  return asHeading((isOneYear(then, today) ? month : monthAndYear)(then));
}

/**
 * A time in a row: `09:12` today, `Thu` within a week, `12 Nov`, `2024`. Below the heading of its day (`isUnderDay`) it is
 * the time of that day, and below that of a month the day. A day without a time has no clock to show: it is `12 Nov`.
 */
export function shortTime(iso: string, now: number, isUnderDay = false): string {
  const [then, today] = [onReadersClock(iso), clockOf(now)];
  const days = daysBetween(then, today);
  const isOfThisWeek = days <= 0 || (isUnderDay && (days === 1 || days <= sinceMonday(today)));
  if (isOfThisWeek) return (wholeDayOf(iso) === undefined ? clockTime : dayAndMonth)(then);
  if (days < 7 || (isUnderDay && days <= sinceMonday(today) + 7)) return shortWeekday(then);
  if (isUnderDay || isOneYear(then, today)) return dayAndMonth(then);
  return year(then);
}
