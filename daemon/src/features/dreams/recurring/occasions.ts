import type { FindDates } from '../../../language/dates.ts';
import { namedDays } from '../../../language/days-ahead.ts';
import { headDay, keyDay } from '../../../language/head-day.ts';
import type { Telling } from './tellings.ts';

/** When something happened: the day (days since 1970) that its telling names, else the day on which the telling was stored. */
export interface Occasion {
  readonly telling: Telling;
  readonly day: number;
  /** Whether the text names the day. */
  readonly isTold: boolean;
}

const DAY = 86_400_000;
/** `In 2 weeks` names no day of the past. */
const SPAN = /day|week|month|year|tag|woche|monat|jahr|jour|semaine|mois/iu;
/** A day without its year that comes so soon is planned, and not that of last year. */
const SOON = 120 * DAY;
const MINUTE = 60_000;

/**
 * The occasions on which one thing happened, by day: the day that the text names, else that of storing. Several tellings of one day are
 * several occasions only where they are told so: `again`, another run, or stored within one minute, which nobody does as it happens.
 */
export function occasionsOf(tellings: readonly Telling[], findDates: FindDates): Occasion[] {
  const dated = tellings
    .map((telling): Occasion => {
      const told = dayOf(telling, findDates);
      return { telling, day: Math.floor((told ?? telling.of.memory.time) / DAY), isTold: told !== undefined };
    })
    .filter(({ day, telling }) => day * DAY <= telling.of.memory.time)
    .sort(
      (a, b) =>
        a.day - b.day ||
        Number(b.isTold) - Number(a.isTold) ||
        a.telling.of.memory.id - b.telling.of.memory.id,
    );
  const kept: Occasion[] = [];
  for (const one of dated) {
    const same = kept.filter(({ day }) => day === one.day);
    if (same.length === 0 || same.every((other) => isApart(one, other, tellings))) kept.push(one);
  }
  return kept;
}

/** Whether two of one day are told as two occasions. */
function isApart(a: Occasion, b: Occasion, all: readonly Telling[]): boolean {
  if (a.isTold || b.isTold) return a.isTold !== b.isTold && isAtOnce(all);
  if (a.telling.of.memory.digest === b.telling.of.memory.digest) return false;
  return a.telling.isAgain || isOfAnotherRun(a.telling, b.telling) || isAtOnce(all);
}

function isAtOnce(tellings: readonly Telling[]): boolean {
  const times = tellings.map(({ of }) => of.memory.time);
  return Math.max(...times) - Math.min(...times) < MINUTE;
}

/** `Run 4121` and `run 4160`. */
function isOfAnotherRun(a: Telling, b: Telling): boolean {
  const runOf = ({ sentence }: Telling) => RUN.exec(sentence.text)?.[1];
  const [ofA, ofB] = [runOf(a), runOf(b)];
  return ofA !== undefined && ofB !== undefined && ofA !== ofB;
}

const RUN =
  /(?:(?<!\p{L})(?:run|build|job|pipeline|ticket|attempt|trip|no|nr)\.?\s?#?|#)(\d+)(?![\d.,:]\d)/iu;

/** The day that a telling names: in its sentence, at the head of its line or note, or in the key. */
function dayOf({ of, sentence, verbs }: Telling, findDates: FindDates): number | undefined {
  const { memory, sentences } = of;
  const own = headDay(sentence.text);
  if (own !== undefined) return own;
  const date = namedDays(sentence.text, memory.time, findDates).find(
    ({ text, grain }) => grain === 'day' && /\d/u.test(text) && !SPAN.test(text),
  );
  const isAhead = date && verbs.size === 0 && date.on - memory.time < SOON;
  // What is written down on its day names no day of last year.
  const isSameDay = date && Math.floor(date.on / DAY) === Math.floor(memory.time / DAY);
  if (date) return date.isSure || isAhead || isSameDay ? date.on : yearBefore(date.on);
  const before = sentences.slice(0, sentences.indexOf(sentence)).flatMap(({ text }) => headDay(text) ?? []);
  return before.at(-1) ?? keyDay(memory.key);
}

function yearBefore(on: number): number {
  const date = new Date(on);
  return Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth(), date.getUTCDate());
}
