import type { FindDates } from '../../../language/dates.ts';
import { endOfUnit, later } from '../../../language/day-steps.ts';
import { datesAhead } from '../../../language/days-ahead.ts';
import { MONTHS, WEEKDAYS } from '../../../language/date-names.ts';
import { COUNTS, ORDINALS } from '../../../language/number-words.ts';

const DAY = 86_400_000;

/** A day, or a month: its beginning in milliseconds since 1970, UTC. */
export interface NamedDay {
  readonly on: number;
  readonly grain: 'day' | 'month';
}

/** What a model wrote as a date, `2026-12-04` or `2026-12`; undefined where it is none of the calendar. */
export function namedDay(written: string): NamedDay | undefined {
  const match = /^\s*(\d{4})-(\d{2})(?:-(\d{2})(?:T[\d:.Z+-]*)?)?\s*$/u.exec(written);
  if (!match) return undefined;
  const [, year, month, day] = match;
  const on = Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1));
  const isOfCalendar = new Date(on).getUTCMonth() === Number(month) - 1;
  return isOfCalendar ? { on, grain: day === undefined ? 'month' : 'day' } : undefined;
}

/**
 * How well a text, written at a time, bears out the day that a model read in it: to the day, to the month only, or (undefined) not at all.
 * Lenient: it is enough that our own reading agrees, or that the text has the day and month, the weekday, or the span that leads there.
 */
export function borneOut(
  { on, grain }: NamedDay,
  { text, time }: { readonly text: string; readonly time: number },
  findDates: FindDates,
): NamedDay['grain'] | undefined {
  const month = monthOf(on);
  const written = Math.floor(time / DAY) * DAY;
  const read = datesAhead(text, time, findDates);
  const found = findDates(text, time).filter((date) => date.grain !== 'year');
  const isSame = grain === 'day' ? (at: number) => at === on : (at: number) => monthOf(at) === month;
  if (grain === 'day') {
    const isRead =
      read.some((date) => date.grain === 'day' && date.on === on) ||
      found.some((date) => date.grain !== 'month' && Math.floor(date.from / DAY) * DAY === on);
    if (isRead || hasDayAndMonth(text, { on, written }) || hasWeekday(text, { on, written })) return 'day';
  }
  const bases = [written, ...found.map(({ from }) => Math.floor(from / DAY) * DAY)];
  if (spansIn(text, bases).some((reached) => reached(on, isSame))) return grain;
  // A month is said: it is its month that is due, whatever day was made of it.
  const isOfMonth =
    read.some((date) => monthOf(date.on) === month && date.grain === 'month') ||
    namesMonth(text, { on, written });
  if (isOfMonth && !read.some((date) => date.grain === 'day' && monthOf(date.on) === month)) return 'month';
  return grain === 'month' && isOfMonth ? 'month' : undefined;
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

interface Written {
  readonly on: number;
  /** The day of writing. */
  readonly written: number;
}

/** Whether a year that is said is that of the day, or none is said and it is the coming one. */
function isOfYear(text: string, { on, written }: Written): boolean {
  const years = text.match(/(?<!\d)20\d\d(?!\d)/gu);
  return years
    ? years.includes(String(new Date(on).getUTCFullYear()))
    : on >= written - DAY && on <= written + 400 * DAY;
}

function namesMonth(text: string, at: Written): boolean {
  const month = new Date(at.on).getUTCMonth();
  const names = Object.keys(MONTHS).filter((name) => MONTHS[name] === month);
  const isNamed =
    new RegExp(`(?<!\\p{L})(?:${names.join('|')})(?!\\p{L})`, 'iu').test(text) ||
    new RegExp(
      `(?<!\\d)(?:20\\d\\d-0?${month + 1}|0?${month + 1}\\/(?:20)?\\d\\d|${month + 1}月)(?!\\d)`,
      'u',
    ).test(text);
  return isNamed && isOfYear(text, at);
}

/** Whether the figure of the day and its month stand in a text; the month may be that of writing or the next, or one that we cannot read. */
function hasDayAndMonth(text: string, at: Written): boolean {
  const date = new Date(at.on);
  const [day, month] = [date.getUTCDate(), date.getUTCMonth() + 1];
  const ordinals = Object.keys(ORDINALS).filter((name) => ORDINALS[name] === day);
  const figure = `(?<![\\d.,:€£$])0?${day}(?:st|nd|rd|th|er|e|º)?(?![\\d%:]|[.,]\\d{3})`;
  if (!new RegExp(`${figure}|(?<!\\p{L})(?:${ordinals.join('|')})(?!\\p{L})`, 'iu').test(text)) return false;
  if (!isOfYear(text, at)) return false;
  const besides = `(?<!\\d)(?:0?${day}[./-]\\s?0?${month}|0?${month}[./-]0?${day})(?!\\d)`;
  if (namesMonth(text, at) || new RegExp(besides, 'u').test(text)) return true;
  // `the 28th`, `am 28.` and `15 grudnia`.
  const isOfMonth = new RegExp(
    `(?<!\\p{L})(?:the|am|bis|zum|vom|den|der|le|el|il|op|de|by|on|until|till|before)\\s(?:the\\s)?(?:${figure}|${ordinals.join('|')})`,
    'iu',
  ).test(text);
  const isForeign = new RegExp(`${figure}\\.?\\s(?:de\\s)?\\p{L}{3,}`, 'iu').test(text) && !MONTH.test(text);
  return (
    (isOfMonth && at.on - at.written <= 62 * DAY && !MONTH.test(text)) ||
    (isForeign && !UNIT_AFTER(day).test(text))
  );
}

const MONTH = new RegExp(
  `(?<!\\p{L})(?:${Object.keys(MONTHS)
    .filter((name) => name.length > 3)
    .join('|')})(?!\\p{L})`,
  'iu',
);
const UNITS =
  '(?:days?|weeks?|months?|years?|tag|woche|monat|jahr|jour|semaine|mois|an|día|semana|mes|euros?|eur|pounds?|people|times|per|percent|minutes?|hours?|metres?|kilos?)';
const UNIT_AFTER = (day: number): RegExp => new RegExp(`(?<!\\d)${day}\\.?\\s${UNITS}`, 'iu');

const SHORT = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** As far ahead as a weekday is said of: `two weeks on Friday`. */
const WEEKDAY_REACH = 24 * DAY;

function hasWeekday(text: string, { on, written }: Written): boolean {
  if (on <= written || on > written + WEEKDAY_REACH) return false;
  const weekday = new Date(on).getUTCDay();
  const names = Object.keys(WEEKDAYS).filter((name) => WEEKDAYS[name] === weekday);
  const short = SHORT[weekday] ?? '';
  return new RegExp(`(?<!\\p{L})(?:${names.join('|')}|${short}|${short}s)(?!\\p{L})`, 'iu').test(text);
}

const SPAN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?<half>half a year)|(?<fortnight>fortnight)|(?<count>\\d{1,3}|${Object.keys(COUNTS).join('|')})(?:\\s+(?:more|full|whole|working))?(?:\\s+of)?[\\s-]+(?<unit>days?|weeks?|months?|years?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?|jours?|semaines?|mois|ans?|días?|semanas?|mes(?:es)?|dagen|weken|maanden))(?![\\p{L}])`,
  'giu',
);
const NEAR: readonly (readonly [RegExp, (written: number) => readonly [from: number, to: number]])[] = [
  [/\b(?:today|tonight|heute|aujourd['’]hui|hoy|vandaag)\b/iu, (at) => [at, at]],
  [/\b(?:tomorrow|demain)\b|mañana|(?<!guten )(?<!\p{L})morgen(?!\p{L})/iu, (at) => [at + DAY, at + DAY]],
  [
    /day after tomorrow|übermorgen|overmorgen|après-demain|pasado mañana/iu,
    (at) => [at + 2 * DAY, at + 2 * DAY],
  ],
  [/\b(?:weekend|saturday or sunday)\b/iu, (at) => [at, at + 9 * DAY]],
  [
    /next week|nächste woche|semaine prochaine|volgende week|próxima semana/iu,
    (at) => [at + DAY, at + 14 * DAY],
  ],
  [/this week|diese woche|end of the week/iu, (at) => [at, at + 7 * DAY]],
  [/christmas|xmas|weihnacht|noël|navidad|kerst|natale/iu, (at) => feast(at, [11, 24, 26])],
  [
    /hogmanay|silvester|new year['’]?s eve|nochevieja|year['’]?s?[- ]end|end of (?:the|this) year|jahresende/iu,
    (at) => feast(at, [11, 31, 31]),
  ],
  [/new year(?!['’]?s eve)|neujahr|nouvel an/iu, (at) => feast(at, [0, 1, 2])],
  [/halloween/iu, (at) => feast(at, [9, 31, 31])],
];

function feast(
  written: number,
  [month, first, last]: readonly [number, number, number],
): readonly [number, number] {
  const year = new Date(written).getUTCFullYear();
  const of = Date.UTC(year, month, last) < written ? year + 1 : year;
  return [Date.UTC(of, month, first), Date.UTC(of, month, last)];
}

/** How far a span may be off, in days, by its unit: `in two months` is no day to the day. */
function slack(unit: string): number {
  if (/^(?:d|t|j|g)/iu.test(unit)) return 1;
  if (/^(?:w|s)/iu.test(unit)) return 3;
  return /^m/iu.test(unit) ? 4 : 8;
}

/** How many of which unit a match of `SPAN` says, by its groups. */
function spanOf({
  half,
  fortnight,
  count = '',
  unit = 'day',
}: Readonly<Record<string, string | undefined>>): {
  count: number;
  unit: string;
} {
  if (half !== undefined) return { count: 6, unit: 'month' };
  if (fortnight !== undefined) return { count: 2, unit: 'week' };
  const said = count.toLowerCase();
  return { count: COUNTS[said] ?? Number(said), unit: unit.toLowerCase() };
}

type Reached = (on: number, isSame: (at: number) => boolean) => boolean;

/** The days to which the spans of a text lead, from when it was written or from a day that it names. */
function spansIn(text: string, bases: readonly number[]): Reached[] {
  const [written = 0] = bases;
  const reached: Reached[] = NEAR.flatMap(([pattern, range]) => {
    if (!pattern.test(text)) return [];
    const [from, to] = range(written);
    return [(on: number) => on >= from && on <= to];
  });
  if (
    /(?:end|ende|fin|eind|finales) (?:of|de[rsl]?|du|van)|month['’]?s?[- ]end|monatsende|last day of/iu.test(
      text,
    )
  )
    for (const unit of ['week', 'month', 'quarter', 'year'])
      for (const isNext of [false, true]) {
        const end = endOfUnit(written, unit, isNext);
        reached.push((on, isSame) => isSame(end) || Math.abs(on - end) <= 2 * DAY);
      }
  if (/next month|nächste[nr]? monat|mois prochain|volgende maand/iu.test(text)) {
    const of = monthOf(later(written, 1, 'month') ?? written);
    reached.push((on) => monthOf(on) === of);
  }
  for (const { groups } of text.matchAll(SPAN)) {
    const { count, unit } = spanOf(groups ?? {});
    for (const base of bases)
      for (const way of base === written ? [1] : [1, -1]) {
        const end = later(base, way * count, unit.startsWith('an') ? 'year' : unit);
        if (end !== undefined)
          reached.push((on, isSame) => isSame(end) || Math.abs(on - end) <= slack(unit) * DAY);
      }
  }
  return reached;
}
