import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { readersDay } from '../../platform/readers-clock.ts';
import { daysUntil } from '../dreams/due.ts';

/** Something that comes up, and in how many days; less than 0 where its day has passed. */
export interface AgendaEntry {
  insight: Insight;
  due_on: string;
  days: number;
}

/** Days ahead that a small calendar shows. */
export const WEEKS_AHEAD = 4;
const SHOWN_OVERDUE = 2;
const SHOWN_AHEAD = 5;

/** What comes up, the soonest first. */
export function entriesOf(insights: readonly Insight[], now: number): AgendaEntry[] {
  return insights
    .flatMap((insight) =>
      insight.due_on === null
        ? []
        : [{ insight, due_on: insight.due_on, days: daysUntil(insight.due_on, now) }],
    )
    .toSorted((a, b) => a.days - b.days);
}

/** The entries that a small calendar lists: what was missed last, and what comes next. */
export function shownOf(entries: readonly AgendaEntry[]): AgendaEntry[] {
  const ahead = entries.filter(({ days }) => days >= 0);
  return [...entries.filter(({ days }) => days < 0).slice(-SHOWN_OVERDUE), ...ahead.slice(0, SHOWN_AHEAD)];
}

/** A day of the small calendar. */
export interface CalendarDay {
  /** Of the reader's calendar. */
  date: Date;
  days: number;
  /** How many things are due. */
  due: number;
}

/** The weeks from that of today on, each from Monday. */
export function weeksOf(entries: readonly AgendaEntry[], now: number): CalendarDay[][] {
  const today = readersDay(now);
  const sinceMonday = (today.getDay() + 6) % 7;
  return Array.from({ length: WEEKS_AHEAD }, (_week, week) =>
    Array.from({ length: 7 }, (_day, at) => {
      const days = week * 7 + at - sinceMonday;
      return {
        date: new Date(today.getFullYear(), today.getMonth(), today.getDate() + days),
        days,
        due: entries.filter((entry) => entry.days === days).length,
      };
    }),
  );
}
