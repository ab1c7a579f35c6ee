import { isSpecific } from '../concepts.ts';
import type { Line, Note } from './notes.ts';

const BEGINS =
  /^(?:on|in|at|for|under|within|with|during|auf|im|in|am|bei|für|dans|chez|sur|pour|en|para)\s(?:\S+\s?){1,3}/iu;

/** Whether a line begins with where or for what it holds, and the other memory does not speak of that: `On the lab cluster …`. */
export function holdsElsewhere(line: Line, { memory }: Note): boolean {
  const begin = BEGINS.exec(line.sentence.text)?.[0];
  if (begin === undefined) return false;
  const terms = line.terms.filter(
    ({ term, start, isValue, isNumber }) => start < begin.length && !isValue && !isNumber && isSpecific(term),
  );
  return terms.length > 0 && !terms.some(({ term }) => memory.terms.has(term));
}

const DAY = 86_400_000;

/** Whether the date of the older line had passed when the newer one named one that had not: the one thing is over. */
export function hasPassed(
  [older, newer]: readonly [string, string],
  [then, now]: readonly [number, number],
): boolean {
  const [was, is] = [dayOf(older, then), dayOf(newer, now)];
  return was !== undefined && is !== undefined && was < now && is >= now && !areNear(was, is);
}

/** Within weeks of each other in the year: the one day, told twice. */
function areNear(a: number, b: number): boolean {
  const apart = Math.abs(a - b) % 365;
  return Math.min(apart, 365 - apart) <= 45;
}

/** The day of a date (`06-18`, `06-18-2026`), since 1970; without a year the next one after a day, or a week before it. */
function dayOf(date: string, after: number): number | undefined {
  const [month = 0, day = 0, year] = date.split('-').map(Number);
  if (!(month >= 1 && day >= 1)) return undefined;
  const first = new Date((after - 7) * DAY).getUTCFullYear();
  const years = year === undefined ? [first, first + 1] : [year];
  const days = years.map((one) => Math.floor(Date.UTC(one, month - 1, day) / DAY));
  return year === undefined ? days.find((one) => one >= after - 7) : days[0];
}
