import { dates, inLocale } from './locale.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const parts = new Map<string, Intl.DateTimeFormat>();

/** What the clock of the reader's zone shows at a moment, as the time in UTC at which a clock there shows the same, ms. */
export function clockOf(at: number): number {
  const zone = dates.get().time_zone;
  if (zone === null) return at - new Date(at).getTimezoneOffset() * MINUTE_MS;
  const format = parts.get(zone) ?? partsIn(zone);
  const shown = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
}

function partsIn(zone: string): Intl.DateTimeFormat {
  const style = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  const made = new Intl.DateTimeFormat('en', { ...style, ...time, calendar: 'gregory', timeZone: zone });
  parts.set(zone, made);
  return made;
}

/** The hour that the reader's clock shows. */
export function readersHour(now: number): number {
  return new Date(clockOf(now)).getUTCHours();
}

/** The reader's day, as a date of this machine's calendar with no time: for reckoning with days alone. */
export function readersDay(now: number): Date {
  const shown = new Date(clockOf(now));
  return new Date(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate());
}

/** The moment at which a day of such a calendar begins for the reader. */
export function midnightOf(day: Date): Date {
  if (dates.get().time_zone === null || Number.isNaN(day.getTime())) return day;
  const shown = Date.UTC(day.getFullYear(), day.getMonth(), day.getDate());
  // From the offset near it to the offset at it: they differ where the clocks change in between.
  const near = shown - (clockOf(shown) - shown);
  return new Date(shown - (clockOf(near) - near));
}

/** Midnights of the reader between two times of `clockOf`: 0 on one day, 1 from yesterday on. */
export function daysBetween(from: number, to: number): number {
  return Math.floor(to / DAY_MS) - Math.floor(from / DAY_MS);
}

/** Writes times of `clockOf` in the reader's English. */
export function onClock(style: Intl.DateTimeFormatOptions): (clock: number) => string {
  const format = inLocale((locale) => new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }));
  return (clock) => format().format(clock);
}
