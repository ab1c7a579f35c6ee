import { wholeDayOf } from '@reverie/shared/contract/whole-day';
import { inLocale } from './locale.ts';
import { clockOf, daysBetween, onClock } from './readers-clock.ts';

const numbers = inLocale((locale) => new Intl.NumberFormat(locale));
export const relativeWords = inLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const weekdayInShort = inLocale((locale) => new Intl.DateTimeFormat(locale, { weekday: 'narrow' }));
const exact = onClock({ dateStyle: 'medium', timeStyle: 'medium' });
const mediumDate = onClock({ dateStyle: 'medium' });
const date = onClock({ dateStyle: 'long' });
const day = onClock({ weekday: 'long', day: 'numeric', month: 'long' });
const clockTime = onClock({ timeStyle: 'short' });

/** `12,345`. */
export function formatCount(count: number): string {
  return numbers().format(count);
}

/** `1.5`: with this many digits behind the point at most, and at least `least` of them. */
export function formatDecimal(amount: number, most: number, least = 0): string {
  const { locale } = numbers().resolvedOptions();
  return new Intl.NumberFormat(locale, { maximumFractionDigits: most, minimumFractionDigits: least }).format(
    amount,
  );
}

/** `3 memories`, `1 memory`. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const DAY_MS = 86_400_000;
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes in the greatest unit that leaves at least 1: `812 B`, `1.4 KiB`, `23 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let amount = bytes;
  let unit: string = 'B';
  for (const next of UNITS) {
    // Rounded first: 1,048,575 bytes are 1 MiB to a reader, not 1024 KiB.
    if (Math.round(amount) < 1024) break;
    amount /= 1024;
    unit = next;
  }
  return `${formatDecimal(amount, amount < 10 ? 1 : 0)} ${unit}`;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `3 minutes ago`, `yesterday`, `in 2 days`; `just now` below a minute. */
export function formatRelative(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relativeWords().format(Math.trunc(seconds / size), unit);
  return 'just now';
}

/** `14:32`, or `2:32 PM`, in the reader's time zone. */
export function formatClock(at: number): string {
  return clockTime(clockOf(at));
}

/** The date and time to the second, in the reader's time zone. */
export function formatExact(iso: string): string {
  return exact(onReadersClock(iso));
}

/** As `formatExact`, of when something was written: a day without a time is that day in every zone. */
export function formatWritten(iso: string): string {
  return wholeDayOf(iso) === undefined ? formatExact(iso) : mediumDate(onReadersClock(iso));
}

/** As `formatRelative`, of when something was written: a day without a time is told by the days of the calendar. */
export function relativeWritten(iso: string, now: number): string {
  const day = wholeDayOf(iso);
  if (day === undefined) return formatRelative(iso, now);
  const today = clockOf(now);
  const midnight = today - (today % DAY_MS);
  return daysBetween(Date.parse(day), today) === 0
    ? relativeWords().format(0, 'day')
    : formatRelative(day, midnight);
}

/** A time as the reader's clock shows it (`clockOf`); a day without a time is its noon there, so that no zone moves it. */
export function onReadersClock(iso: string): number {
  const day = wholeDayOf(iso);
  return day === undefined ? clockOf(Date.parse(iso)) : Date.parse(`${day}T12:00:00Z`);
}

/** `Monday, 23 November`, in the reader's time zone. */
export function formatDay(iso: string): string {
  return day(clockOf(Date.parse(iso)));
}

/** `M`: the day of the week, as a small calendar has it. */
export function weekdayLetter(date: Date): string {
  return weekdayInShort().format(date);
}

/** `23 November 2026`, in the reader's time zone; a day (`2026-11-23`, or its first moment in UTC) is that day in every zone. */
export function formatDate(iso: string): string {
  return date(onReadersClock(iso));
}
