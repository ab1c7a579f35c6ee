import { saysOnce, tellsEvent } from '../tense.ts';
import { isNorm, isThisOnce, isWished } from './cues.ts';
import type { Line, Note } from './notes.ts';

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';
/** Names of stretches of time (a month without a day is one): what is measured in one says nothing of the next. */
const PERIODS = new RegExp(
  `(?<!\\p{L})(?:(?<!\\d(?:st|nd|rd|th)? (?:of )?)(?:${MONTHS})(?! \\d)|spring|summer|autumn|winter|q[1-4]|weekends?|weekdays?|workdays?|mornings?|evenings?|nights?|today|yesterday|tonight|this (?:week|month|year|season)|last (?:night|week|month|year))(?!\\p{L})`,
  'giu',
);
const YEAR = /(?<!\p{L})(?:in|back in|anno|around|by) (?<year>(?:19|20)\d\d)(?![\d-])/iu;
const DAY = 86_400_000;

/** What tells that a line is of one occasion, of a wish or of a measure, and not of how things are: 0..1 each. */
export interface Occasions {
  /** It tells what happened once. */
  readonly eventOlder: number;
  readonly eventNewer: number;
  /** Each names times that the other does not: `Door frame, March`, `Door frame, September`. */
  readonly otherPeriod: number;
  /** Somebody asks for it, offers it, or thinks so. */
  readonly wished: number;
  /** It is so this one time. */
  readonly thisOnce: number;
  /** It was so in a year that is over. */
  readonly dated: number;
  /** One says how a measure should be, the other how it was. */
  readonly norm: number;
  /** One gives a measure as it was then. */
  readonly anyReading: number;
}

export function occasionsOf(
  { older, newer, lines: [a, b] }: { older: Note; newer: Note; lines: readonly [Line, Line] },
  near: readonly Line[],
): Occasions {
  const [one, other] = [a.sentence.text, b.sentence.text];
  const anyReading = Math.max(a.cues.measure, b.cues.measure);
  return {
    eventOlder: tellsOnce(one),
    // What was done is told beside what holds since: `Missed the bin again! It is emptied on Fridays.`
    eventNewer: Math.min(
      ...near.map(({ sentence, tense }) => tellsOnce(sentence.text) * (1 - 0.5 * tense.present)),
    ),
    otherPeriod: Number(haveOtherPeriods(one, other)),
    wished: Number(isWished(one) || isWished(other)),
    thisOnce: Number(isThisOnce(one) || isThisOnce(other)),
    dated: Number(tellsOfYear(one, older) || tellsOfYear(other, newer)),
    norm: isNorm(one) === isNorm(other) ? 0 : anyReading,
    anyReading,
  };
}

const tellsOnce = (text: string): number => Math.max(Number(tellsEvent(text)), 0.6 * Number(saysOnce(text)));

function haveOtherPeriods(a: string, b: string): boolean {
  const [one, other] = [a, b].map(
    (text) => new Set((text.match(PERIODS) ?? []).map((word) => word.toLowerCase().replace(/s$/u, ''))),
  );
  if (!one || !other || one.size === 0 || other.size === 0) return false;
  return one.isDisjointFrom(other);
}

/** Whether a text tells of a year that was over when it was written. */
function tellsOfYear(text: string, { memory: { day } }: Note): boolean {
  const year = YEAR.exec(text)?.groups?.['year'];
  return year !== undefined && Number(year) < new Date(day * DAY).getUTCFullYear();
}
