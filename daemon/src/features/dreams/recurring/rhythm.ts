import { longDate } from '../notes/day-and-quote.ts';

/** How regularly something happens, from the days on which it did. */
export interface Rhythm {
  /** Days from one to the next, the mean. */
  readonly every: number;
  /** Standard deviation of that; 0 for a clockwork. */
  readonly spread: number;
}

/** How regularly something happened on some days, given in order; undefined for fewer than three. */
export function rhythmOf(days: readonly number[]): Rhythm | undefined {
  if (days.length < 3) return undefined;
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  const every = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - every) ** 2, 0) / Math.max(1, gaps.length - 1);
  return { every, spread: Math.sqrt(variance) };
}

/** Whether something happens regularly: the gaps differ by less than a third of their mean. */
export function isRegular({ every, spread }: Rhythm): boolean {
  return every >= 2 && spread / every <= 0.33;
}

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
