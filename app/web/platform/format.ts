import { wholeDayOf } from '@reverie/shared/contract/whole-day';
import { locale } from './locale.ts';

const numbers = new Intl.NumberFormat(locale);
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const relativeInEnglish = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const mediumDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
const weekdayInShort = new Intl.DateTimeFormat(locale, { weekday: 'narrow' });
const clockTime = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/** `12,345`. */
export function formatCount(count: number): string {
  return numbers.format(count);
}

/** `1.5`: with this many digits behind the point at most, and at least `least` of them. */
export function formatDecimal(amount: number, most: number, least = 0): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: most, minimumFractionDigits: least }).format(
    amount,
  );
}

/** `3 memories`, `1 memory`. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

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

/** `3 minutes ago`, `yesterday`, `in 2 days`; `just now` below a minute. In the reader's language. */
export function formatRelative(iso: string, now: number): string {
  return told(relative, iso, now);
}

/** As `formatRelative`, but always in English, for the middle of a sentence. */
export function relativeInSentence(iso: string, now: number): string {
  return told(relativeInEnglish, iso, now);
}

function told(words: Intl.RelativeTimeFormat, iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit);
  return words.resolvedOptions().locale.startsWith('en') ? 'just now' : words.format(0, 'second');
}

/** `14:32`, or `2:32 PM`, in the reader's time zone. */
export function formatClock(at: number): string {
  return clockTime.format(at);
}

/** The date and time to the second, in the reader's time zone. */
export function formatExact(iso: string): string {
  return exact.format(new Date(iso));
}

/** As `formatExact`, of when something was written: a day without a time is that day in every zone. */
export function formatWritten(iso: string): string {
  return wholeDayOf(iso) === undefined ? formatExact(iso) : mediumDate.format(onReadersClock(iso));
}

/** As `formatRelative`, of when something was written: a day without a time is told by the days of the calendar. */
export function relativeWritten(iso: string, now: number): string {
  const day = wholeDayOf(iso);
  if (day === undefined) return formatRelative(iso, now);
  const today = new Date(now);
  const midnight = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate());
  return Date.parse(day) === midnight ? relative.format(0, 'day') : told(relative, day, midnight);
}

/** A time by the clock of the reader; a day without a time is its noon there, so that no zone moves it. */
export function onReadersClock(iso: string): Date {
  const day = wholeDayOf(iso);
  return new Date(day === undefined ? iso : `${day}T12:00:00`);
}

/** `Monday, 23 November`, in the reader's time zone. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}

/** `M`: the day of the week, as a small calendar has it. */
export function weekdayLetter(date: Date): string {
  return weekdayInShort.format(date);
}

/** `23 November 2026`, in the reader's time zone; a day (`2026-11-23`, or its first moment in UTC) is that day in every zone. */
export function formatDate(iso: string): string {
  return date.format(onReadersClock(iso));
}
