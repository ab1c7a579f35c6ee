import type { FindDates, FoundDate } from './dates.ts';
import { MONTHS, WEEKDAYS } from './date-names.ts';
import { COUNTS, ORDINALS } from './number-words.ts';
import {
  comingWeekday,
  dayOfMonth,
  dayOrMonthFirst,
  endOfUnit,
  later,
  monthAhead,
  nthWeekday,
  weekdayOfNextWeek,
  yearly,
} from './day-steps.ts';

/** A day or month that a text names and that lay ahead when it was written. */
export interface DateAhead {
  /** As it stands in the text. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The beginning of the day or month, milliseconds since 1970, UTC. */
  readonly on: number;
  readonly grain: 'day' | 'month';
  /** Whether the year is said, or follows from the time of writing: `in two weeks` has one, `3 March` does not. */
  readonly isSure: boolean;
}

const DAY = 86_400_000;
const lower = (text: string | undefined): string => (text ?? '').toLowerCase();
const COUNT = `(?<count>\\d{1,3}|${Object.keys(COUNTS).join('|')})(?:\\s+of)?`;
const UNIT =
  '(?<unit>days?|weeks?|months?|years?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?|jours?|semaines?|mois|ans?|días?|semanas?|mes(?:es)?)';
const MONTH = `(?<month>${Object.keys(MONTHS).join('|')})\\.?`;
const WEEKDAY = `(?<weekday>${Object.keys(WEEKDAYS).join('|')})`;
const IS_NO_LETTER = '(?![\\p{L}\\p{N}])';

/** What goes before a day that is written `3.12.`; between them a weekday may stand. */
const BEFORE_DAY = `(?:(?<!\\p{L})(?:am|bis|zum|vom|ab|den|der|dem|seit|vor|nach|ist|frist|termin|abgabe|fällig|until|till|by|before|due|${Object.keys(WEEKDAYS).join('|')}|mo|di|mi|do|fr|sa|so)[.,:]?\\s+)`;

interface Rule {
  readonly pattern: RegExp;
  read(
    groups: Record<string, string | undefined>,
    time: number,
  ): Omit<DateAhead, 'text' | 'start' | 'end'> | undefined;
}

const rule = (pattern: string, read: Rule['read']): Rule => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})${IS_NO_LETTER}`, 'giu'),
  read,
});
const sure = (on: number | undefined) =>
  on === undefined ? undefined : ({ on, grain: 'day', isSure: true } as const);

const FEASTS = [
  { said: "valentine['’]?s? day|valentinstag", month: 1, day: 14 },
  { said: 'halloween', month: 9, day: 31 },
  { said: "new year['’]?s day|neujahr", month: 0, day: 1 },
  { said: "new year['’]?s eve|silvester", month: 11, day: 31 },
];

/** Ways to say a day of the future that the general parser reads otherwise or not at all; the first that fits a place wins. */
const RULES: readonly Rule[] = [
  // Before `in a week`: what is filled in `a week on Wednesday` is not filled in in a week.
  rule(
    `${COUNT}\\s+(?<unit>weeks?|days?)\\s+(?:from|on|after)\\s+(?:(?<tomorrow>tomorrow)|${WEEKDAY})`,
    ({ count, unit, tomorrow, weekday }, time) => {
      const from = tomorrow ? time + DAY : comingWeekday(time, WEEKDAYS[lower(weekday)] ?? 0);
      return sure(later(from, countOf(count), lower(unit)));
    },
  ),
  rule(
    `(?<!heute\\s)(?:in|within|inside|(?:with)?in the next|in another|binnen|innerhalb von|innerhalb der nächsten|dans(?: les)?|sous|dentro de)\\s+(?:about\\s+)?(?:a\\s+(?=couple))?${COUNT}\\s+${UNIT}(?:['’]s?\\s+time|\\s+time)?`,
    ({ count, unit }, time) => sure(later(time, countOf(count), lower(unit))),
  ),
  rule(`(?:in|within|inside)\\s+a\\s+fortnight(?:['’]s\\s+time)?`, (_, time) => sure(later(time, 14, 'd'))),
  rule(`(?:in|within)\\s+half\\s+a\\s+year|in\\s+einem\\s+halben\\s+jahr`, (_, time) =>
    sure(later(time, 6, 'm')),
  ),
  rule(
    `${COUNT}\\s+${UNIT}\\s+from\\s+(?:now|today)|heute\\s+in\\s+${again(COUNT)}\\s+${again(UNIT)}`,
    (of, time) => sure(later(time, countOf(of.count ?? of.count2), lower(of.unit ?? of.unit2))),
  ),
  rule(
    `(?<=(?:have|has|gives?|given|leaves?|got|allows?|haben|bleiben)(?:\\s\\p{L}+){0,3}\\s|within\\s)${COUNT}\\s+${UNIT}(?=(?:\\s(?:left|now))?\\s(?:to|um|zum|pour|in which)\\s)`,
    ({ count, unit }, time) => sure(later(time, countOf(count), lower(unit))),
  ),
  rule(
    `(?:next\\s+week(?:\\s+on)?|nächste\\s+woche)[\\s,]+(?:am\\s+)?${WEEKDAY}|${again(WEEKDAY)}\\s+(?:of\\s+)?(?:next\\s+week|nächster\\s+woche|de la semaine prochaine)`,
    ({ weekday, weekday2 }, time) => sure(weekdayOfNextWeek(time, WEEKDAYS[lower(weekday ?? weekday2)] ?? 0)),
  ),
  rule(
    `(?:the\\s+)?(?:first|1st)\\s+of\\s+(?:next|the)\\s+month|(?:zum\\s+)?(?:nächsten\\s+)?ersten\\s+des\\s+(?:nächsten\\s+)?monats`,
    (_, time) => sure(dayOfMonth(time, 1, true)),
  ),
  rule(
    `(?:the\\s+)?end\\s+of\\s+(?:the\\s+|this\\s+)?(?<next>next\\s+)?(?<what>week|month|quarter|year)|(?<eom>eom|month['’]?s?[- ]end|monatsende|fin du mois(?! d[e'’])|fin de mes)|ende\\s+(?:der|dieser|des|dieses|(?<naechst>nächste[nrs]))\\s+(?<was>woche|monats|quartals|jahres)|(?<fin>fin\\s+de\\s+la\\s+semaine|fin\\s+de\\s+l['’]année)`,
    ({ next, naechst, what, was, eom, fin }, time) => {
      const unit = eom !== undefined ? 'm' : lower(what ?? was ?? fin?.replace(/^fin de l[a'’]?\s?/iu, ''));
      return sure(endOfUnit(time, unit, next !== undefined || naechst !== undefined));
    },
  ),
  rule(
    `(?:the\\s+)?last\\s+day\\s+of\\s+(?:(?:this|the)\\s+|(?<next>next\\s+))(?<what>month|quarter|year)|(?:am\\s+)?letzten\\s+tag\\s+des\\s+(?<naechst>nächsten\\s+)?(?<was>monats|quartals|jahres)|le\\s+dernier\\s+jour\\s+du\\s+mois(?<prochain>\\s+prochain)?`,
    ({ next, what, naechst, was, prochain }, time) =>
      sure(
        endOfUnit(
          time,
          lower(what ?? was ?? 'month'),
          next !== undefined || naechst !== undefined || prochain !== undefined,
        ),
      ),
  ),
  rule(
    `(?:the\\s+)?(?:end\\s+of|last\\s+day\\s+of|late|ende|fin|fin du mois d[e'’]|finales de)\\s*${MONTH}(?:\\s+(?<year>20\\d\\d))?`,
    ({ month, year }, time) => {
      const of = monthAhead(time, MONTHS[lower(month)] ?? 0, year);
      const end = new Date(of);
      return {
        on: Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0),
        grain: 'day',
        isSure: year !== undefined,
      };
    },
  ),
  rule(
    `(?:the\\s+)?(?<nth>first|second|third|fourth|last)\\s+${WEEKDAY}\\s+(?:of|in)\\s+(?:${MONTH}|(?<next>next\\s+month|the\\s+month))`,
    ({ nth, weekday, month, next }, time) => {
      const now = new Date(time);
      const of =
        month !== undefined
          ? monthAhead(time, MONTHS[lower(month)] ?? 0, undefined)
          : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + (/^next/iu.test(next ?? '') ? 1 : 0), 1);
      return { on: nthWeekday(of, lower(nth), WEEKDAYS[lower(weekday)] ?? 0), grain: 'day', isSure: false };
    },
  ),
  rule(
    `(?<day>\\d{1,2})(?:\\.|er|st|nd|rd|th)?\\s+(?:of\\s+|de\\s+)?${MONTH}(?:,?\\s+(?:de\\s+)?(?<year>20\\d\\d))?(?!,?\\s?\\d{3})`,
    ({ day, month, year }, time) =>
      dayOfYear(time, { day: Number(day), month: MONTHS[lower(month)] ?? 0, year }),
  ),
  ...FEASTS.map(({ said, month, day }) =>
    rule(said, (_, time) => dayOfYear(time, { day, month, year: undefined })),
  ),
  rule(
    `(?:a\\s+)?(?<count>week|fortnight)\\s+(?:from\\s+)?today|today\\s+week|heute\\s+in\\s+einer\\s+woche`,
    ({ count }, time) => sure(later(time, lower(count) === 'fortnight' ? 14 : 7, 'd')),
  ),
  rule(`(?<a>\\d{1,2})[/-](?<b>\\d{1,2})[/-](?<year>20\\d\\d)`, ({ a, b, year }, time) =>
    sure(dayOrMonthFirst(Number(a), Number(b), { year: Number(year), time })),
  ),
  // At the end of a sentence `2.5.` may be a number with a full stop.
  rule(
    `(?<![\\d.])(?<day>\\d{1,2})\\.(?<month>\\d{1,2})(?:\\.(?=[\\s,;]*[\\p{L},;(–—])|\\.(?!\\s?\\d)(?<=${BEFORE_DAY}\\d{1,2}\\.\\d{1,2}\\.)|(?<=(?:am|bis|zum|until|till|by|before)\\s\\d{1,2}\\.\\d{1,2})(?=[,;\\s]*$))`,
    ({ day, month }, time) => {
      const on =
        Number(month) >= 1 && Number(month) <= 12 ? yearly(time, Number(month) - 1, Number(day)) : undefined;
      return on === undefined ? undefined : { on, grain: 'day', isSure: false };
    },
  ),
  rule(
    `(?<=(?:expires?|expiry|valid|exp\\.?|gültig|until|thru)[^.;]{0,24})(?<month>0?[1-9]|1[0-2])\\/(?<year>\\d\\d)(?!\\/)`,
    ({ month, year }) => ({
      on: Date.UTC(2000 + Number(year), Number(month) - 1, 1),
      grain: 'month',
      isSure: true,
    }),
  ),
  rule(
    `(?<=(?:on|by|until|till|before|due|for|from)\\s)the\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)(?:\\s+of\\s+(?<which>this|the|next)\\s+month)?(?!\\s+(?:of\\s+)?(?:${Object.keys(MONTHS).join('|')}|floor|time|attempt|row|century|line|page))`,
    ({ day, which }, time) => sure(dayOfMonth(time, Number(day), lower(which) === 'next')),
  ),
  rule(
    `(?<=(?:by|until|till|before)\\s)the\\s+(?<day>${Object.keys(ORDINALS).join('|')})(?:\\s+of\\s+(?<which>this|the|next)\\s+month)?(?=\\s*(?:[.,;:!)–—]|$))`,
    ({ day, which }, time) => sure(dayOfMonth(time, ORDINALS[lower(day)] ?? 0, lower(which) === 'next')),
  ),
  rule(
    `(?<=(?:am|bis zum|zum|vor dem|avant le|pour le|jusqu['’]au)\\s)(?<day>\\d{1,2})\\.?(?=[\\s.,;]*$|\\s(?:um|à|abgeben|fällig|zahlen|einreichen)|[,;])`,
    ({ day }, time) => sure(dayOfMonth(time, Number(day), false)),
  ),
];
const WEEKDAY_RULES: readonly Rule[] = [
  rule(
    `(?<which>next|this|coming|the coming|nächste[nr]?|kommende[nr]?|diese[nr]?|ce|el próximo|este)\\s+${WEEKDAY}|(?<!last\\s|\\ban?\\s|every\\s|each\\s|most\\s|letzten\\s|jeden\\s|chaque\\s|day\\s?(?:to|and|–|-|through)\\s?|tag\\s?(?:bis|und|–|-)\\s?)${again(WEEKDAY)}(?:\\s+(?<after>prochain|in einer woche|week(?!end)|que viene))?(?!\\s+(?:dernier|pasado|before|night was|was)|\\s?(?:to|–|-|through|bis)\\s?\\p{L}+day)`,
    ({ which, weekday, weekday2, after }, time) => {
      const of = WEEKDAYS[lower(weekday ?? weekday2)] ?? 0;
      const isNext = /^(?:next|nächste)/iu.test(which ?? '');
      const extra = /^(?:week|in einer)/iu.test(after ?? '') ? 7 : 0;
      // This Monday, on a Monday, is today.
      if (/^(?:this|diese|ce)/iu.test(which ?? '') && new Date(time).getUTCDay() === of) return undefined;
      return sure((isNext ? weekdayOfNextWeek(time, of) : comingWeekday(time, of)) + extra * DAY);
    },
  ),
];

function dayOfYear(
  time: number,
  { day, month, year }: { day: number; month: number; year: string | undefined },
): ReturnType<Rule['read']> {
  const on = year === undefined ? yearly(time, month, day) : Date.UTC(Number(year), month, day);
  // There is no 31 June.
  if (on === undefined || day < 1 || new Date(on).getUTCDate() !== day) return undefined;
  return { on, grain: 'day', isSure: year !== undefined };
}

/** Days and months that a text names and that lay ahead when it was written, in order, none overlapping. */
export function datesAhead(text: string, time: number, findDates: FindDates): DateAhead[] {
  return namedDays(text, time, findDates).filter(({ on, grain }) => on > time - DAY || grain === 'month');
}

/** Days and months that a text names, in order, none overlapping; those without a year are the next after it was written. */
export function namedDays(text: string, time: number, findDates: FindDates): DateAhead[] {
  const found: DateAhead[] = [];
  const add = (date: DateAhead): void => {
    if (!found.some(({ start, end }) => date.start < end && start < date.end)) found.push(date);
  };
  const apply = (rules: readonly Rule[]): void => {
    for (const { pattern, read } of rules)
      for (const match of text.matchAll(pattern)) {
        const date = read(match.groups ?? {}, time);
        if (date) add({ ...date, text: match[0], start: match.index, end: match.index + match[0].length });
      }
  };
  apply(RULES);
  for (const date of findDates(text, time, { direction: 'future' })) {
    const ahead = fromFound(date, text);
    if (ahead) add(ahead);
  }
  apply(WEEKDAY_RULES);
  return found.sort((a, b) => a.start - b.start);
}

/** What the general parser found, where it is a day or a month of the calendar; spans of time are read above. */
function fromFound(
  { text: said, start, end, from, grain, certain }: FoundDate,
  text: string,
): DateAhead | undefined {
  const isMonth = grain === 'month' && certain.includes('month');
  const isDay = grain === 'day' || grain === 'hour' || grain === 'minute';
  if (!isMonth && !isDay) return undefined;
  // `April 8,940 €` is no day of April.
  if (/^[,.]\d/u.test(text.slice(end, end + 2))) return undefined;
  const isCalendar = certain.includes('month');
  const isNear = /tomorrow|tonight|morgen|demain|mañana|today|heute|aujourd/iu.test(said);
  if (!isNear && (!isCalendar || SPAN_OF_TIME.test(said))) return undefined;
  return {
    text: said,
    start,
    end,
    on: Math.floor(from / DAY) * DAY,
    grain: isMonth ? 'month' : 'day',
    isSure: certain.includes('year') || isNear,
  };
}

const SPAN_OF_TIME =
  /(?<!\p{L})(?:hours?|hrs?|minutes?|mins?|seconds?|stunden?|minuten?|sekunden?|heures?|horas?|minutos?|weeks?|months?|days?(?! after tomorrow)|years?|wochen?|monaten?|tagen?|semaines?|mois|jours?|ago|later)(?!\p{L})/iu;

/** The same group under another name, for a pattern may name each once. */
function again(pattern: string): string {
  return pattern.replaceAll(/\?<(\p{L}+)>/gu, '?<$12>');
}

function countOf(count: string | undefined): number {
  return COUNTS[lower(count)] ?? Number(count);
}
