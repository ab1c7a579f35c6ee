import type { Chrono, ParsedComponents, ParsedResult } from 'chrono-node';
import {
  add,
  type DatePart,
  type Day,
  type Direction,
  endOf,
  type Grain,
  startOf,
  toUtc,
} from './calendar.ts';
import { monthNames, weekdayNames } from './date-names.ts';
import { ownDates } from './date-rules.ts';

/** How a text uses a date: at it, since or after it, before or until it. */
export type DateRelation = 'at' | 'since' | 'after' | 'before' | 'until';

/** A date in a text, as a window `[from, to)` in milliseconds since 1970, UTC; `start` and `end` in UTF-16 units. */
export interface FoundDate {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  readonly grain: Grain;
  readonly certain: readonly DatePart[];
  readonly relation: DateRelation;
}

export interface DateOptions {
  /** Where the year or the week is not said: questions mean the past, plans the future. Default: the nearest. */
  readonly direction?: Direction;
  /** Of the local time that the text means, in minutes east of UTC. Default 0. */
  readonly offsetMinutes?: number;
}

/** The dates of a text, in order, none overlapping; relative ones (`last Friday`) are resolved against `reference`. */
export type FindDates = (text: string, reference: number, options?: DateOptions) => FoundDate[];

/** Longer texts are looked through up to here: a date far down in a file is no date of the memory. */
const LONGEST = 20_000;

const namesIn = (language: 'es' | 'fr'): string =>
  [...weekdayNames(language), ...monthNames(language)].join('|');
/** What is worth giving to the parser of a language; German and English share the names of some months. */
const LANGUAGES = {
  de: /\b(?:gestern|vorgestern|heute|morgen|übermorgen|letzte[nrs]?|nächste[nrs]?|diese[nrs]?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|mai|juni|juli|oktober|dezember|woche[n]?|monat(?:en)?|jahr(?:en)?|tag(?:en)?)\b|\d\.\s\p{Lu}/iu,
  fr: new RegExp(
    String.raw`\b(?:hier|avant-hier|demain|aujourd'hui|${namesIn('fr')}|semaine|mois|jours?)\b`,
    'iu',
  ),
  es: new RegExp(String.raw`(?:^|[^\p{L}])(?:ayer|anteayer|mañana|hoy|${namesIn('es')})(?![\p{L}])`, 'iu'),
} as const;

let loading: Promise<FindDates> | undefined;

/** Loads the parser, some 100 ms the first time: for whoever may wait, and never at the start of the daemon. */
export function loadFindDates(): Promise<FindDates> {
  loading ??= Promise.all([
    import('chrono-node/en'),
    import('chrono-node/de'),
    import('chrono-node/fr'),
    import('chrono-node/es'),
  ]).then(([en, de, fr, es]) =>
    findDatesWith({ en: en.casual, de: de.casual, fr: fr.casual, es: es.casual }),
  );
  return loading;
}

function findDatesWith(parsers: Record<'en' | 'de' | 'fr' | 'es', Chrono>): FindDates {
  return (text, reference, options = {}) => {
    const { direction = 'nearest', offsetMinutes = 0 } = options;
    // `from 3 May to 7 May` would be read as three o'clock.
    const read = text.slice(0, LONGEST).replace(/\bfrom (?=\d)/giu, (from) => ' '.repeat(from.length));
    const now = localDay(reference, offsetMinutes);
    const moment: Moment = { reference, now, direction, offsetMinutes };
    const found: FoundDate[] = ownDates(read, now, direction).map(
      ({ text: said, start, from, to, grain, certain }) => ({
        text: said,
        start,
        end: start + said.length,
        from: toUtc(from, offsetMinutes),
        to: toUtc(to, offsetMinutes),
        grain,
        certain,
        relation: relationOf(read, start),
      }),
    );
    const others = [
      parsers.de.parse.bind(parsers.de),
      parsers.fr.parse.bind(parsers.fr),
      parsers.es.parse.bind(parsers.es),
    ];
    const wanted = [LANGUAGES.de, LANGUAGES.fr, LANGUAGES.es].flatMap((words, i) =>
      words.test(read) ? [others[i]] : [],
    );
    const instant = { instant: new Date(reference), timezone: offsetMinutes };
    for (const parse of [(of: string, at: typeof instant) => parsers.en.parse(of, at), ...wanted])
      for (const result of parse?.(read, instant) ?? []) {
        const date = fromChrono(result, read, moment);
        if (date && !found.some((other) => date.start < other.end && other.start < date.end))
          found.push(date);
      }
    return found.sort((a, b) => a.start - b.start);
  };
}

interface Moment {
  readonly reference: number;
  readonly now: Day;
  readonly direction: Direction;
  readonly offsetMinutes: number;
}

function localDay(time: number, offsetMinutes: number): Day {
  const date = new Date(time + offsetMinutes * 60_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const PARTS: readonly DatePart[] = ['year', 'month', 'day', 'weekday', 'hour', 'minute'];
/** Words and numbers that are dates only where they say more, or by a capital letter. */
const NO_DATE =
  /^(?:now|sat|sun|wed|mar|may|march|dec|sec|second|jetzt|maintenant|ahora|\d{1,2}\s*\/\s*\d{1,2})$/u;
/** Day or month first? Nobody can tell. */
const AMBIGUOUS = /^(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}$/u;

function fromChrono(result: ParsedResult, text: string, around: Moment): FoundDate | undefined {
  const { start } = result;
  // `upgraded to 17 last week` is no hour.
  const isBare = /^\d{1,2} (?=(?:last|next|this|yesterday|today|tomorrow)\b)/iu.test(result.text);
  const lead =
    /^(?:(?:on|am)|\d{1,2}(?= (?:last|next|this|yesterday|today|tomorrow)\b)) /iu.exec(result.text)?.[0]
      .length ?? 0;
  const which = /\b(?:last|next) (?:the )?$/iu.exec(
    text.slice(Math.max(0, result.index - 10), result.index),
  )?.[0];
  const index = result.index + lead - (which?.length ?? 0);
  const said = text.slice(index, result.index + result.text.length);
  const direction = which === undefined ? around.direction : /^last/iu.test(which) ? 'past' : 'future';
  const moment: Moment = { ...around, direction };
  if (NO_DATE.test(said) || isAmbiguous(said) || insideNumber(text, index, said)) return undefined;
  const certain = PARTS.filter(
    (part) => start.isCertain(part) && !(isBare && (part === 'hour' || part === 'minute')),
  );
  const isDate =
    certain.some((part) => part !== 'hour' && part !== 'minute') || /^(?:this|last|to)/iu.test(said);
  if (!isDate) return undefined;
  const grain = grainOf(said, certain);
  const first = settle(dayOf(start), { certain, said, moment });
  const last = result.end ? settle(dayOf(result.end), { certain, said, moment }) : first;
  const { offsetMinutes, reference } = moment;
  const at = { text: said, start: index, end: index + said.length, grain, certain };
  const relation = relationOf(text, index);
  if (grain === 'hour' || grain === 'minute') {
    const from =
      toUtc(first, offsetMinutes) + ((start.get('hour') ?? 0) * 60 + (start.get('minute') ?? 0)) * 60_000;
    return { ...at, from, to: from + (grain === 'hour' ? 3_600_000 : 60_000), relation };
  }
  const from = toUtc(startOf(first, grain), offsetMinutes);
  // `the last 30 days` are all of them, up to now.
  if (/^(?:the )?(?:last|past|previous)\s+(?:\d+|two|three|four|five|six|seven|ten|few|couple)/iu.test(said))
    return { ...at, from: toUtc(first, offsetMinutes), to: reference, relation: 'at' };
  const to =
    last.year * 400 + last.month * 31 + last.day < first.year * 400 + first.month * 31 + first.day
      ? first
      : last;
  return { ...at, from, to: toUtc(endOf(to, grain), offsetMinutes), relation };
}

function dayOf(of: ParsedComponents): Day {
  return { year: of.get('year') ?? 1970, month: of.get('month') ?? 1, day: of.get('day') ?? 1 };
}

function isAmbiguous(said: string): boolean {
  const [, a, b] = AMBIGUOUS.exec(said) ?? [];
  return a !== undefined && a !== b && Number(a) <= 12 && Number(b) <= 12;
}

/** `5433` of `v1.2024-05-03`, `10.0.3/12`: part of something longer that is no date. */
function insideNumber(text: string, start: number, said: string): boolean {
  return (
    /[\p{L}\p{N}_]$|[\p{N}\p{L}][./:_-]$/u.test(text.slice(Math.max(0, start - 2), start)) ||
    /^(?:[\p{L}\p{N}_]|[./:_-]\d)/u.test(text.slice(start + said.length, start + said.length + 2))
  );
}

const WEEK = /\b(?:weeks?|woche[n]?|semaines?|semanas?)\b/iu;

function grainOf(said: string, certain: readonly DatePart[]): Grain {
  if (/\b(?:weekend|wochenende|week-end|fin de semana)\b/iu.test(said)) return 'weekend';
  if (WEEK.test(said)) return 'week';
  if (certain.includes('minute') && /\d[:.h]\d\d|\bminutes?\b/iu.test(said)) return 'minute';
  if (certain.includes('hour')) return 'hour';
  if (certain.includes('day') || certain.includes('weekday')) return 'day';
  if (certain.includes('month')) return 'month';
  return certain.includes('year') ? 'year' : 'day';
}

/** Puts a date whose year or week the text leaves open on the side of the reference that is meant. */
function settle(day: Day, of: { certain: readonly DatePart[]; said: string; moment: Moment }): Day {
  const { certain, moment } = of;
  const { now, direction } = moment;
  if (direction === 'nearest' || certain.includes('year')) return day;
  const order = (of: Day) => Date.UTC(of.year, of.month - 1, of.day);
  const unit = certain.includes('month') ? 'month' : certain.includes('weekday') ? 'day' : undefined;
  // `last` and `next` say it themselves.
  if (unit === undefined || (unit === 'day' && SAYS.test(of.said))) return day;
  const step = unit === 'month' ? { years: 1 } : { days: 7 };
  const isMonthOnly = unit === 'month' && !certain.includes('day');
  const here = isMonthOnly ? { ...now, day: 1 } : now;
  const at = isMonthOnly ? { ...day, day: 1 } : day;
  if (direction === 'past' && order(at) > order(here)) return add(day, negative(step));
  if (direction === 'future' && order(at) < order(here)) return add(day, step);
  return day;
}

const SAYS = /\b(?:last|next|this|past|letzte|nächste|diese|dernier|prochain|pasado|próximo)/iu;

function negative(step: { years?: number; days?: number }): { years?: number; days?: number } {
  return step.years === undefined ? { days: -(step.days ?? 0) } : { years: -step.years };
}

const RELATIONS: readonly (readonly [DateRelation, RegExp])[] = [
  [
    'since',
    /\b(?:since|from|starting|beginning|as of|seit|ab|depuis|desde)\s+(?:the\s+|dem\s+|le\s+|el\s+)?$/iu,
  ],
  ['after', /\b(?:after|nach|après|después de)\s+(?:the\s+|dem\s+|le\s+|el\s+)?$/iu],
  ['before', /\b(?:before|prior to|vor|avant|antes de(?:l)?)\s+(?:the\s+|dem\s+|le\s+|el\s+)?$/iu],
  ['until', /\b(?:until|till|up to|by|bis(?: zum)?|jusqu'au|hasta)\s+(?:the\s+|le\s+|el\s+)?$/iu],
];

function relationOf(text: string, start: number): DateRelation {
  const before = text.slice(Math.max(0, start - 24), start);
  return RELATIONS.find(([, words]) => words.test(before))?.[0] ?? 'at';
}
