/** A day of the proleptic Gregorian calendar; months from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** How wide a date is. Weeks begin on Monday; a weekend is Saturday and Sunday. */
export type Grain = 'minute' | 'hour' | 'day' | 'weekend' | 'week' | 'month' | 'quarter' | 'season' | 'year';

const DAY = 86_400_000;

/** Midnight at which a day begins, in milliseconds since 1970, UTC, for a local time so many minutes east of it. */
export function toUtc({ year, month, day }: Day, offsetMinutes: number): number {
  return Date.UTC(year, month - 1, day) - offsetMinutes * 60_000;
}

function fromTime(time: number): Day {
  const date = new Date(time);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** A day later by so much; 31 January and a month is the last of February. */
export function add({ year, month, day }: Day, by: { years?: number; months?: number; days?: number }): Day {
  const months = (year + (by.years ?? 0)) * 12 + (month - 1) + (by.months ?? 0);
  const to = { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 };
  const longest = new Date(Date.UTC(to.year, to.month, 0)).getUTCDate();
  return fromTime(Date.UTC(to.year, to.month - 1, Math.min(day, longest)) + (by.days ?? 0) * DAY);
}

/** 0 is Monday. */
function weekday(day: Day): number {
  return (new Date(toUtc(day, 0)).getUTCDay() + 6) % 7;
}

/** The first day of the day's year, month, week … */
export function startOf(day: Day, grain: Grain): Day {
  switch (grain) {
    case 'year':
      return { year: day.year, month: 1, day: 1 };
    case 'quarter':
    case 'season':
      return { year: day.year, month: day.month - ((day.month - (grain === 'season' ? 0 : 1)) % 3), day: 1 };
    case 'month':
      return { ...day, day: 1 };
    case 'week':
      return add(day, { days: -weekday(day) });
    case 'weekend':
      return add(day, { days: 5 - weekday(day) });
    default:
      return day;
  }
}

/** The day after the last one of the day's year, month, week … */
export function endOf(day: Day, grain: Grain): Day {
  const start = startOf(day, grain);
  switch (grain) {
    case 'year':
      return add(start, { years: 1 });
    case 'quarter':
    case 'season':
      return add(start, { months: 3 });
    case 'month':
      return add(start, { months: 1 });
    case 'week':
      return add(start, { days: 7 });
    case 'weekend':
      return add(start, { days: 2 });
    default:
      return add(start, { days: 1 });
  }
}
