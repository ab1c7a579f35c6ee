import { add, type DatePart, type Day, type Direction, endOf, type Grain, startOf } from './calendar.ts';
import { monthNames, MONTHS } from './date-names.ts';

/** A date that a rule of our own found: whole days, `to` the day after the last. */
export interface OwnDate {
  readonly text: string;
  readonly start: number;
  readonly from: Day;
  readonly to: Day;
  readonly grain: Grain;
  readonly certain: readonly DatePart[];
}

interface Rule {
  readonly pattern: RegExp;
  /** The day that a match means, and how wide it is; undefined where it is none after all. */
  read(groups: Record<string, string | undefined>, now: Day, direction: Direction): FoundDay | undefined;
}

interface FoundDay {
  readonly day: Day;
  readonly grain: Grain;
  readonly certain: readonly DatePart[];
  /** Where it ends with another than its grain's end. */
  readonly to?: Day;
}

/** English ones are read by the parser of dates. */
const FOREIGN_MONTHS = [...(['de', 'es', 'fr'] as const).flatMap(monthNames), 'jänner'].join('|');
const SEASONS: Readonly<Record<string, number>> = {
  spring: 3,
  summer: 6,
  autumn: 9,
  fall: 9,
  winter: 12,
  frühling: 3,
  frühjahr: 3,
  sommer: 6,
  herbst: 9,
};
const YEAR = '(?<year>(?:19|20)\\d\\d)';

/** What chrono does not read: years, quarters, seasons, German dates with dots, a month as `2026-06`, Christmas. */
const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}./-])(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.\\s?${YEAR}(?![\\p{N}-])`,
      'giu',
    ),
    read: ({ day, month, year }) => real({ year: Number(year), month: Number(month), day: Number(day) }),
  },
  {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}./-])${YEAR}-(?<month>0[1-9]|1[0-2])(?![\\p{N}.-])`, 'giu'),
    read: ({ year, month }) => ({
      day: { year: Number(year), month: Number(month), day: 1 },
      grain: 'month',
      certain: ['year', 'month'],
    }),
  },
  {
    pattern: new RegExp(`\\bQ(?<quarter>[1-4])(?:[\\s/-]*${YEAR})?(?![\\p{L}\\p{N}])`, 'gu'),
    read: ({ quarter, year }, now, direction) => {
      const day = { year: Number(year ?? now.year), month: Number(quarter) * 3 - 2, day: 1 };
      return {
        day: year ? day : towards(day, now, direction),
        grain: 'quarter',
        certain: year ? ['year', 'month'] : ['month'],
      };
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:(?<which>last|next|this|in|letzten|nächsten|diesen|im)\\s+)?(?:the\\s+)?(?<season>spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst)(?:\\s+(?:of\\s+)?${YEAR})?\\b`,
      'giu',
    ),
    read: seasonOf,
  },
  {
    pattern: new RegExp(
      `\\b(?<feast>Christmas|Weihnachten|New Year's Eve|Silvester)(?:\\s+${YEAR})?\\b`,
      'gu',
    ),
    read: ({ feast, year }, now, direction) => {
      const isEve = feast === "New Year's Eve" || feast === 'Silvester';
      const day = { year: Number(year ?? now.year), month: 12, day: isEve ? 31 : 24 };
      const at = year ? day : towards(day, now, direction);
      return {
        day: at,
        to: add(at, { days: isEve ? 1 : 3 }),
        grain: 'day',
        certain: year ? ['year', 'month', 'day'] : ['month', 'day'],
      };
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:in|since|during|of|by|until|till|before|after|from|for|early|late|mid|year|im jahr|im jahre|seit|bis|en|depuis|desde)[\\s-]+${YEAR}(?![\\p{L}\\p{N}]|[.:/-]\\d)`,
      'giu',
    ),
    read: ({ year }) => ({ day: { year: Number(year), month: 1, day: 1 }, grain: 'year', certain: ['year'] }),
  },
  {
    pattern: /\b(?:the )?end of (?:the|this) year\b|\bEnde des Jahres\b|\bJahresende\b/giu,
    read: (_, now) => ({
      day: { year: now.year, month: 12, day: 1 },
      grain: 'month',
      certain: ['year', 'month'],
    }),
  },
  {
    pattern: /\bla semana (?<es>pasada|que viene|próxima)\b/giu,
    read: ({ es }, now) => ({
      day: add(now, { days: es === 'pasada' ? -7 : 7 }),
      grain: 'week',
      certain: ['year', 'month', 'day'],
    }),
  },
  {
    pattern: /\bthis week\b|\bdiese Woche\b|\bcette semaine\b|\besta semana\b/giu,
    read: (_, now) => ({ day: now, grain: 'week', certain: ['year', 'month', 'day'] }),
  },
  {
    pattern: /\b(?<which>this|last|next|past) weekend\b/giu,
    read: ({ which }, now) => {
      const days = which?.toLowerCase() === 'next' ? 7 : which?.toLowerCase() === 'this' ? 0 : -7;
      return { day: add(now, { days }), grain: 'weekend', certain: ['year', 'month', 'day'] };
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:im|in|seit|bis|ab|en|depuis|jusqu'en|desde|hasta)\s+(?<month>${FOREIGN_MONTHS})(?:\s+(?:de\s+)?(?<year>(?:19|20)\d\d))?(?![\p{L}\p{N}])`,
      'giu',
    ),
    read: ({ month: name = '', year }, now, direction) => {
      const month = (MONTHS[name.toLowerCase()] ?? NaN) + 1;
      const day = { year: Number(year ?? now.year), month, day: 1 };
      return {
        day: year ? day : towards(day, now, direction),
        grain: 'month',
        certain: year ? ['year', 'month'] : ['month'],
      };
    },
  },
];

function real(day: Day): FoundDay | undefined {
  const date = new Date(Date.UTC(day.year, day.month - 1, day.day));
  const isReal = date.getUTCMonth() === day.month - 1 && date.getUTCDate() === day.day;
  return isReal ? { day, grain: 'day', certain: ['year', 'month', 'day'] } : undefined;
}

/** A season alone (`I like summer`) is no date: it needs a year, or a word that makes it one. */
function seasonOf(
  groups: Record<string, string | undefined>,
  now: Day,
  direction: Direction,
): FoundDay | undefined {
  const { which, season = '', year } = groups;
  const month = SEASONS[season.toLowerCase()];
  if (month === undefined || (which === undefined && year === undefined)) return undefined;
  const word = which?.toLowerCase() ?? '';
  if (year === undefined && (word === 'in' || word === 'im')) return undefined;
  const from = { year: Number(year ?? now.year), month, day: 1 };
  const meant = /^(?:last|letzten)/u.test(word)
    ? 'past'
    : /^(?:next|nächsten)/u.test(word)
      ? 'future'
      : direction;
  return {
    day: year ? from : towards(from, now, meant),
    grain: 'season',
    certain: year ? ['year', 'month'] : ['month'],
  };
}

/** A yearly day on the side of now that is meant; the nearest where neither is. */
function towards(day: Day, now: Day, direction: Direction): Day {
  const time = (of: Day) => Date.UTC(of.year, of.month - 1, of.day);
  const [before, after] =
    time(day) <= time(now) ? [day, add(day, { years: 1 })] : [add(day, { years: -1 }), day];
  if (direction !== 'nearest') return direction === 'past' ? before : after;
  return time(now) - time(before) <= time(after) - time(now) ? before : after;
}

/** The dates that rules of our own find, none overlapping; the first rule wins. */
export function ownDates(text: string, now: Day, direction: Direction): OwnDate[] {
  const found: OwnDate[] = [];
  for (const { pattern, read } of RULES)
    for (const match of text.matchAll(pattern)) {
      const reading = read(match.groups ?? {}, now, direction);
      if (!reading) continue;
      // The word before it (`in`, `since`) tells the relation and is no part of the date.
      const lead =
        /^(?:in|since|during|of|by|until|till|before|after|from|for|im jahre?|im|seit|bis|ab|en|depuis|jusqu'en|desde|hasta)[\s-]+/iu.exec(
          match[0],
        )?.[0] ?? '';
      const start = match.index + lead.length;
      const said = match[0].slice(lead.length);
      if (found.some((other) => start < other.start + other.text.length && other.start < start + said.length))
        continue;
      const { day, grain, certain } = reading;
      found.push({
        text: said,
        start,
        from: startOf(day, grain),
        to: reading.to ?? endOf(day, grain),
        grain,
        certain,
      });
    }
  return found;
}
