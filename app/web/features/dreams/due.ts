import { readersDay } from '../../platform/readers-clock.ts';

const DAY_MS = 86_400_000;
/** Days within which something is said to be due within a week. */
const SOON = 7;

/** How many days of the reader's calendar are between now and a day (`2026-12-03`); less than 0 where it has passed. */
export function daysUntil(day: string, now: number): number {
  const today = readersDay(now);
  const midnight = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate());
  return Math.round((Date.parse(`${day}T00:00:00Z`) - midnight) / DAY_MS);
}

/** How near a day is, in words and by how much it presses. */
export function nearness(days: number): { said: string; press: 'now' | 'soon' | 'later' } {
  const press = days <= 2 ? 'now' : days <= 14 ? 'soon' : 'later';
  if (days < 0) return { said: days === -1 ? 'Yesterday' : `${-days} days ago`, press };
  if (days === 0) return { said: 'Today', press };
  if (days === 1) return { said: 'Tomorrow', press };
  if (days < 14) return { said: `In ${days} days`, press };
  if (days < 60) return { said: `In ${Math.round(days / 7)} weeks`, press };
  return { said: `In ${Math.round(days / 30)} months`, press };
}

/** Whether a day is so near that the greeting names it. */
export function isSoon(days: number): boolean {
  return days >= 0 && days <= SOON;
}

/** The part of a calendar that a day is in. */
export function partOf(days: number): string {
  if (days < 0) return 'Overdue';
  if (days <= SOON) return 'Within a week';
  return days <= 31 ? 'Within a month' : 'After that';
}
