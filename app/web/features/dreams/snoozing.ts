import { midnightOf, readersDay } from '../../platform/readers-clock.ts';

/** A day until which a proposal may be put off. */
export interface SnoozeChoice {
  name: string;
  /** The midnight of the reader with which that day begins. */
  until: Date;
}

/** Tomorrow, the next Monday after that, and this day of the next month, or its last one. */
export function snoozeChoices(now: number): SnoozeChoice[] {
  const today = readersDay(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const tomorrow = new Date(year, month, day + 1);
  const sinceMonday = (tomorrow.getDay() + 6) % 7;
  const lastOfNext = new Date(year, month + 2, 0).getDate();
  return [
    { name: 'Tomorrow', until: midnightOf(tomorrow) },
    { name: 'Next week', until: midnightOf(new Date(year, month, day + 8 - sinceMonday)) },
    { name: 'In a month', until: midnightOf(new Date(year, month + 1, Math.min(day, lastOfNext))) },
  ];
}

/** When a day of a date field begins for the reader; undefined where it is not a day to come. */
export function dayToCome(text: string, now: number): Date | undefined {
  const day = midnightOf(new Date(`${text}T00:00:00`));
  return day.getTime() > now ? day : undefined;
}
