const DAY_MS = 86_400_000;

const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });
const shortWeekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'long' });
const monthAndYear = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

/** Midnights of the reader's time zone between two times: 0 on one day, 1 from yesterday on. */
function daysBetween(from: Date, to: Date): number {
  const midnight = (day: Date) => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate());
  return (midnight(to) - midnight(from)) / DAY_MS;
}

/** Days since Monday. */
const sinceMonday = (day: Date) => (day.getDay() + 6) % 7;

/** Under which small heading a memory of this time stands in a list; clocks that go ahead are of today. */
export function dayOf(iso: string, now: number): string {
  const [then, today] = [new Date(iso), new Date(now)];
  const days = daysBetween(then, today);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days <= sinceMonday(today)) return weekday.format(then);
  if (days <= sinceMonday(today) + 7) return 'Last week';
  return then.getFullYear() === today.getFullYear() ? month.format(then) : monthAndYear.format(then);
}

/**
 * A time in a row: `09:12` today, `Thu` within a week, `12 Nov`, `2024`. Below the heading of its day (`isUnderDay`) it is
 * the time of that day, and below that of a month the day.
 */
export function shortTime(iso: string, now: number, isUnderDay = false): string {
  const [then, today] = [new Date(iso), new Date(now)];
  const days = daysBetween(then, today);
  if (days <= 0 || (isUnderDay && (days === 1 || days <= sinceMonday(today)))) return clockTime.format(then);
  if (days < 7 || (isUnderDay && days <= sinceMonday(today) + 7)) return shortWeekday.format(then);
  if (isUnderDay || then.getFullYear() === today.getFullYear()) return dayAndMonth.format(then);
  return String(then.getFullYear());
}
