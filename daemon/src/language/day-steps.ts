const DAY = 86_400_000;

/** The day that is `count` days, weeks, months or years after that of `time`; both in ms since 1970, UTC. */
export function later(time: number, count: number, unit: string): number | undefined {
  const day = Math.floor(time / DAY) * DAY;
  if (/^(?:d|t|jour)/u.test(unit)) return day + count * DAY;
  if (/^(?:w|s)/u.test(unit)) return day + count * 7 * DAY;
  const date = new Date(day);
  const months = date.getUTCMonth() + (/^(?:y|jahr|an)/u.test(unit) ? 12 : 1) * count;
  if (!Number.isFinite(months)) return undefined;
  const last = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return Date.UTC(date.getUTCFullYear(), months, Math.min(date.getUTCDate(), last));
}

/** The last day of the week (its Friday), month, quarter or year of `time`, or of the one after that where `isNext`; ms since 1970, UTC. */
export function endOfUnit(time: number, unit: string, isNext: boolean): number {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const more = isNext ? 1 : 0;
  if (/^(?:w|s)/u.test(unit)) return comingWeekday(time - DAY, 5) + more * 7 * DAY;
  if (/^q/u.test(unit)) return Date.UTC(year, (Math.floor(month / 3) + 1 + more) * 3, 0);
  if (/^(?:y|j|ann)/u.test(unit)) return Date.UTC(year + more, 11, 31);
  return Date.UTC(year, month + 1 + more, 0);
}

/** The first day of a month (from 0), ms since 1970, UTC: of the given year, else of this one, or of the next where the month is over. */
export function monthAhead(time: number, month: number, year: string | undefined): number {
  const now = new Date(time);
  if (year !== undefined) return Date.UTC(Number(year), month, 1);
  return Date.UTC(now.getUTCFullYear() + (month < now.getUTCMonth() ? 1 : 0), month, 1);
}

/** The `first` to `fourth` or `last` of one weekday (0 for Sunday) in the month that begins at `month`; ms since 1970, UTC. */
export function nthWeekday(month: number, nth: string, weekday: number): number {
  const first = new Date(month);
  const on = 1 + ((weekday - first.getUTCDay() + 7) % 7);
  if (nth !== 'last') return month + (on - 1 + 7 * ['first', 'second', 'third', 'fourth'].indexOf(nth)) * DAY;
  const end = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  return end.getTime() - ((end.getUTCDay() - weekday + 7) % 7) * DAY;
}

/** `04/12/2026`: the day first, as most of the world writes it, unless only the other reading lies ahead. */
export function dayOrMonthFirst(
  a: number,
  b: number,
  { year, time }: { year: number; time: number },
): number | undefined {
  const read = (day: number, month: number) =>
    month >= 1 && month <= 12 && day >= 1 && day <= 31 ? Date.UTC(year, month - 1, day) : undefined;
  const [dayFirst, monthFirst] = [read(a, b), read(b, a)];
  if (dayFirst !== undefined && (dayFirst >= time - DAY || monthFirst === undefined)) return dayFirst;
  return monthFirst !== undefined && monthFirst >= time - DAY ? monthFirst : dayFirst;
}

/** The next time that a day of a month (from 0) comes round, ms since 1970, UTC; undefined for a day that no month has. */
export function yearly(time: number, month: number, day: number): number | undefined {
  if (day < 1 || day > 31) return undefined;
  const year = new Date(time).getUTCFullYear();
  const on = Date.UTC(year, month, day);
  return on > time - DAY ? on : Date.UTC(year + 1, month, day);
}

/** The next day of this number, of the next month where `isNext`, ms since 1970, UTC; the month's last day where it is shorter. */
export function dayOfMonth(time: number, day: number, isNext: boolean): number | undefined {
  if (day < 1 || day > 31) return undefined;
  const now = new Date(time);
  const month = now.getUTCMonth() + (isNext || day < now.getUTCDate() ? 1 : 0);
  const last = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(now.getUTCFullYear(), month, Math.min(day, last));
}

/** The first day after that of `time` that is this weekday (0 for Sunday); ms since 1970, UTC. */
export function comingWeekday(time: number, weekday: number): number {
  const day = Math.floor(time / DAY);
  const ahead = (weekday - new Date(day * DAY).getUTCDay() + 7) % 7;
  return (day + (ahead === 0 ? 7 : ahead)) * DAY;
}

/** `next Friday`, said on a Thursday, is that of the week after, which begins with a Monday. */
export function weekdayOfNextWeek(time: number, weekday: number): number {
  const day = Math.floor(time / DAY);
  const sinceMonday = (new Date(day * DAY).getUTCDay() + 6) % 7;
  return (day - sinceMonday + 7 + ((weekday + 6) % 7)) * DAY;
}
