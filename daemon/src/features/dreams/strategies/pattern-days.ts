import { isRegular, rhythmOf } from './intervals.ts';
import { longDate } from './telling.ts';

const DAY = 86_400_000;

/** The days (since 1970) on which something happened, and how regular they are, for people. */
export function describeDays(days: readonly number[]): string {
  const rhythm = rhythmOf(days);
  const regularity = !rhythm
    ? ''
    : isRegular(rhythm)
      ? ` About every ${Math.round(rhythm.every)} days (± ${Math.round(rhythm.spread)}).`
      : ` Irregular: ${Math.round(rhythm.every)} days apart on average (± ${Math.round(rhythm.spread)}).`;
  return `It happened on ${days.map((day) => longDate(day * DAY)).join(', ')}: ${days.length} days.${regularity}`;
}
