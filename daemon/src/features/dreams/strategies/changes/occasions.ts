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
  const [one, other] = [toldIn(a), toldIn(b)];
  const anyReading = Math.max(a.cues.measure, b.cues.measure);
  return {
    eventOlder: one.once,
    // What was done is told beside what holds since: `Missed the bin again! It is emptied on Fridays.`
    eventNewer: Math.min(...near.map((line) => toldIn(line).once * (1 - 0.5 * line.tense.present))),
    otherPeriod: Number(
      one.periods.size > 0 && other.periods.size > 0 && one.periods.isDisjointFrom(other.periods),
    ),
    wished: Number(one.isWished || other.isWished),
    thisOnce: Number(one.isThisOnce || other.isThisOnce),
    dated: Number(one.year < yearOf(older) || other.year < yearOf(newer)),
    norm: one.isNorm === other.isNorm ? 0 : anyReading,
    anyReading,
  };
}

/** What a line says of when it holds, read once for all its pairs. */
interface Told {
  readonly once: number;
  readonly periods: ReadonlySet<string>;
  readonly isWished: boolean;
  readonly isThisOnce: boolean;
  readonly isNorm: boolean;
  /** The year that it tells of; endless where it names none. */
  readonly year: number;
}

const known = new WeakMap<Line, Told>();

function toldIn(line: Line): Told {
  let told = known.get(line);
  if (!told) known.set(line, (told = read(line.sentence.text)));
  return told;
}

function read(text: string): Told {
  return {
    once: tellsOnce(text),
    periods: new Set((text.match(PERIODS) ?? []).map((word) => word.toLowerCase().replace(/s$/u, ''))),
    isWished: isWished(text),
    isThisOnce: isThisOnce(text),
    isNorm: isNorm(text),
    year: Number(YEAR.exec(text)?.groups?.['year'] ?? Number.POSITIVE_INFINITY),
  };
}

const tellsOnce = (text: string): number => Math.max(Number(tellsEvent(text)), 0.6 * Number(saysOnce(text)));

const yearOf = ({ memory: { day } }: Note): number => new Date(day * DAY).getUTCFullYear();
