import { ENGLISH_WEEKDAYS, monthNames } from '../../../language/date-names.ts';
import type { ReadMemory } from './reading.ts';

const DAY = 86_400_000;

const MONTHS = monthNames('en');

/** A day for people, `3 March 2026`; takes milliseconds since 1970. */
export function longDate(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
}

/** The day that a memory tells of, `3 March 2026`. */
export function dayOf({ memory }: ReadMemory): string {
  return longDate(memory.time);
}

/** `2026-03-03`. */
export function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The weekday of a day since 1970, for people; `Thursday` is day 0. */
export function weekdayName(day: number): string {
  return ENGLISH_WEEKDAYS[new Date(day * DAY).getUTCDay()] ?? '';
}

/** The first sentence of a memory, word for word. */
export function firstSentence({ memory, sentences }: ReadMemory): string {
  return sentences[0]?.text ?? memory.value.trim().slice(0, 600);
}

/** A text cut to so many characters at a blank. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  const blank = cut.lastIndexOf(' ');
  return `${(blank > longest / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}
