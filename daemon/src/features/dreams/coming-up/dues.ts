import type { FindDates } from '../../../language/dates.ts';
import { type DateAhead, namedDays } from '../../../language/days-ahead.ts';
import { monthNames, WEEKDAYS } from '../../../language/date-names.ts';
import { denies, type GrammarList, pastIn, saidIn, says } from '../../../language/grammar.ts';
import { headDay, keyDay } from '../../../language/head-day.ts';
import { anyOf } from '../../../language/word-lists.ts';
import type { ReadMemory, ReadSentence } from '../notes/reading.ts';

/** That something is due, or takes place, on a day or in a month still to come. */
export interface Due {
  readonly sentence: ReadSentence;
  /** The beginning of the day or month, milliseconds since 1970, UTC. */
  readonly on: number;
  readonly grain: DateAhead['grain'];
  /** Where the sentence puts the date, in UTF-16 units. */
  readonly said: { readonly start: number; readonly end: number };
  /** `limit`: it ends, or has to be done by then. `sure`: it says that it is to come. `yearly`: a birthday or the like. */
  readonly kind: 'limit' | 'sure' | 'named' | 'yearly';
}

/** How dues are looked for. */
export interface DueContext {
  readonly findDates: FindDates;
  readonly now: number;
}

const DAY = 86_400_000;
const LONGEST = 500;
/** Without its year nothing further away is meant. */
const WITHOUT_YEAR = 300 * DAY;
/** Of a date without its year, told of in the past, that of last year is meant but where it is as near as this. */
const BOOKED = 90 * DAY;
/** A birthday that is further away is not news yet. */
const SOON = 183 * DAY;
/** Nobody keeps the birthday of somebody who was born before. */
const OLDEST = 110;
/** Characters around a date in which a word belongs to it. */
const NEAR = { before: 60, after: 40 } as const;

/** So many characters may stand between the word that makes a month without its year due and the month. */
const BESIDE = 14;

/** `Rewritten by Ines in May`: who did it, not by when. */
const BY_SOMEBODY = /(?<!\p{L})by\s\S+\sin\s$/iu;

/** What is worth giving to the parser of dates. */
const MONTH_NAMES = [...monthNames('en'), ...monthNames('de')].join('|');
const MAY_NAME_DAY = new RegExp(
  String.raw`\d|(?:\p{L}day|tag|di)(?!\p{L})|${MONTH_NAMES}|${anyOf('dreams/day-words')}`,
  'iu',
);
const WEEKDAY_ALONE = new RegExp(
  `^(?:(?:on|by|until|till|am|bis)\\s)?(?:the\\s)?(?:${Object.keys(WEEKDAYS).join('|')})$`,
  'iu',
);
const COUNTED = /^(?:in|within|inside|binnen|innerhalb|dans|sous|dentro)\s/iu;
const FEAST = new RegExp(`^${anyOf('dreams/feasts')}`, 'iu');
/** `2026.12.1` is a version. */
const VERSION = /^\d{4}\.\d{1,2}\.\d{1,2}$/u;
const BREAK = /[,;:()—–|]|\s-\s/u;
const NOT_ON =
  /(?<!\p{L})(?:from|not|not on|instead of|rather than|statt(?: am)?|nicht|vom)\s(?:the\s)?(?:\p{L}+day,?\s)?$/iu;
const INSTEAD = /(?<!\p{L})(?:instead|rather|statt)(?!\p{L})/iu;
/** `Has to be paid` is open; `is paid, was due` is not, nor `was paid until May`, whatever is done. */
const OPEN = new RegExp(String.raw`(?<!\p{L})${anyOf('dreams/before-undone')}\s(?:\p{L}+ly\s)?$`, 'iu');
const STAYS_OPEN = /^\s(?:(?:\p{L}+\s){0,2}(?:by|until|till|thru|through|bis|jusqu)|werden|sein)(?!\p{L})/iu;
const IS_OVER = /^\s*(?:[.,;:!)]|$|for(?!\p{L}))/u;
/** `Seventeen weeks to the end of the year` counts, and asks for nothing. */
const COUNTDOWN =
  /(?:days|weeks|months|tage|wochen|monate)\s(?:to|until|till|before|bis)(?:\s(?:the|zum))?\s$/iu;
const WAS_DUE =
  /(?<!\p{L})(?:was|were|had been|war|waren|était)\s(?:\p{L}+\s)?(?:due|supposed|meant|planned|going|to|fällig)(?!\p{L})/iu;

/** A date, and what stands around it. */
interface Named {
  readonly text: string;
  readonly date: DateAhead;
  /** What belongs to it: up to the next comma or the like on both sides. */
  readonly clause: string;
  readonly before: string;
  readonly near: string;
  /** What the note was written on, or says that it tells of. */
  readonly time: number;
}

/**
 * What a memory says is due, each of its sentences at most once. A past day in its key, or at the head of a line, is the day from which its
 * dates are counted.
 */
export function duesIn(memory: ReadMemory, { findDates, now }: DueContext): Due[] {
  const today = Math.floor(now / DAY) * DAY;
  let time = memory.memory.time;
  const isOver = (on: number | undefined): on is number => on !== undefined && on <= now;
  const ofKey = keyDay(memory.memory.key);
  if (isOver(ofKey)) time = ofKey;
  return memory.sentences.flatMap((sentence, index) => {
    const { text } = sentence;
    const head = headDay(text);
    if (isOver(head)) time = head;
    if (text.length > LONGEST || !MAY_NAME_DAY.test(text) || isNothing(text)) return [];
    const dates = namedDays(text, time, findDates).map((date) => named(text, date, time));
    if (says(text, 'yearly')) return yearlyOf(sentence, dates, today);
    const next = memory.sentences.slice(index + 1, index + 3);
    if (next.some((after) => after.text.length < 50 && isDone(after.text))) return [];
    const ahead = dates.filter(
      ({ date: { on, grain } }) => (grain === 'month' ? endOfMonth(on) : on) >= today && on > time - 31 * DAY,
    );
    const best = bestOf(text, ahead.filter(isDue));
    return best ? [dueOf(sentence, best)] : [];
  });
}

/** Asked, imagined, long ago, ticked off: whatever day it names, nothing is due. */
function isNothing(text: string): boolean {
  return (
    /\?\s*["”»)]*\s*$|^\s*[-*]\s\[x\]/iu.test(text) ||
    says(text, 'imagined') ||
    says(text, 'formerly') ||
    WAS_DUE.test(text)
  );
}

/** Done in the clause of the date or behind it, before it where no year is said; or off. */
function isSettled({ text, clause, before, date }: Named): boolean {
  const from = /(?:19|20)\d\d/u.test(date.text) ? date.start - before.length : 0;
  return isDone(text.slice(from)) || isOff(clause);
}

/** Whether a text says that something has been done: `has to be paid` does not, nor `not paid` or `paid until May`. */
export function isDone(text: string): boolean {
  return saidIn(text, 'done').some(({ start, end }) => {
    const after = text.slice(end);
    if (STAYS_OPEN.test(after)) return false;
    const open = OPEN.exec(text.slice(0, start))?.[0] ?? '';
    return open === '' || (/^(?:is|are)\s$/iu.test(open) && IS_OVER.test(after));
  });
}

/** Whether a text says that something does not take place; another day that it has is told of. */
function isOff(text: string): boolean {
  return says(text, 'called-off') && !says(text, 'moved');
}

function named(text: string, date: DateAhead, time: number): Named {
  const before = text.slice(0, date.start);
  const after = text.slice(date.end);
  const from = [...before.matchAll(new RegExp(BREAK, 'gu'))].at(-1);
  const clauseBefore = from ? before.slice(from.index + from[0].length) : before;
  const end = after.search(BREAK);
  return {
    text,
    date,
    before: clauseBefore,
    clause: `${clauseBefore}${date.text}${end < 0 ? after : after.slice(0, end)}`,
    near: text.slice(Math.max(0, date.start - NEAR.before), date.end + NEAR.after),
    time,
  };
}

function isDue(one: Named): boolean {
  const { text, date } = one;
  if (VERSION.test(date.text) || isSettled(one) || isQuoted(one) || isDenied(one)) return false;
  if (COUNTDOWN.test(text.slice(0, date.start))) return false;
  const has = (list: GrammarList) => says(one.near, list);
  const isLimit = has('limits');
  const isToCome = isLimit || has('to-come') || has('moved');
  const hasYear = /(?:19|20)\d\d/u.test(date.text);
  if (!hasYear && says(isLimit ? one.near : text, 'habitual')) return false;
  const limit = saidIn(one.before, 'limits').at(-1);
  if (FEAST.test(date.text)) return /(?:by|until|till|bis)\s$/iu.test(one.before);
  if (date.grain === 'month' && !hasYear)
    return limit !== undefined && one.before.length - limit.end < BESIDE && !BY_SOMEBODY.test(one.before);
  const isPast = pastIn(one.clause).length > 0;
  if (isPast && !isToCome && says(text, 'just-now')) return false;
  if (WEEKDAY_ALONE.test(date.text))
    return isToCome && !(isPast && !has('to-come')) && !says(text, 'habitual');
  if (COUNTED.test(date.text)) return !isPast && (isToCome || /^(?:in|dans)\s/iu.test(date.text));
  if (/^(?:\d+|\p{L}+) (?:days|weeks|months)$/iu.test(date.text)) return isToCome;
  if (date.isSure) return hasYear || !isPast || isToCome;
  const away = date.on - one.time;
  return away <= WITHOUT_YEAR && !(isPast && away > BOOKED);
}

/** In quotation marks, in a link, or a word of a title: `Tomorrow, and Tomorrow`. */
function isQuoted({ text, date }: Named): boolean {
  // `"expires":"2026-12-02"` is no quotation.
  const isValue = (quote: string, index: number) =>
    quote.length <= date.text.length + 2 && /[:=]\s*$/u.test(text.slice(0, index));
  const isInside = (pattern: RegExp) =>
    [...text.matchAll(pattern)].some(
      ({ 0: quote, index }) =>
        index < date.start && date.end < index + quote.length && !isValue(quote, index),
    );
  if (
    isInside(/["“„«‘][^"“”„«»‘’]+["”»’“]|(?<![\p{L}\p{N}])[*_](?![*_])[^*_]+[*_](?![*_])|\S*(?:=|:\/\/)\S*/gu)
  )
    return true;
  const { start } = date;
  // Within a sentence a word for a day has a small letter.
  return (
    !/\d/u.test(date.text) &&
    /^(?:Tomorrow|Today|Tonight|Demain|Morgen)$/u.test(date.text) &&
    (!/(?:^|[.:!?—–\]*-]\s*)$/u.test(text.slice(0, start)) ||
      text.slice(date.end).toLowerCase().includes(date.text.toLowerCase()))
  );
}

/** Denied in its clause, before it: `no rehearsal on 24 November`, but not `don't forget` and `no later than`. */
function isDenied({ before }: Named): boolean {
  let said = before;
  for (const list of ['to-come', 'limits'] as const)
    for (const { start, end } of saidIn(before, list).toReversed())
      said = said.slice(0, start) + ' '.repeat(end - start) + said.slice(end);
  return denies(said);
}

/** Of the days of a sentence the one that it is moved to, else that by which it has to be done, else the first. */
function bestOf(text: string, all: readonly Named[]): Named | undefined {
  const [moved] = saidIn(text, 'moved');
  if (moved)
    return all.findLast(
      ({ date }) =>
        !NOT_ON.test(text.slice(0, date.start)) && (date.start > moved.start || INSTEAD.test(text)),
    );
  const isLimited = ({ date }: Named) => says(text.slice(Math.max(0, date.start - 24), date.start), 'limits');
  const days = all.filter(({ date }) => date.grain === 'day');
  const among = days.length > 0 ? days : all;
  return among.find(isLimited) ?? among[0];
}

function dueOf(sentence: ReadSentence, { date, near, text }: Named): Due {
  const isTimed = /^[^.;]{0,12}\d{1,2}[:.]\d\d(?!\d)/u.test(text.slice(date.end));
  const kind = says(near, 'limits') ? 'limit' : says(near, 'to-come') || isTimed ? 'sure' : 'named';
  return { sentence, on: date.on, grain: date.grain, said: date, kind };
}

/** The next of a day that comes every year. */
function yearlyOf(sentence: ReadSentence, dates: readonly Named[], today: number): Due[] {
  const one = dates.find((date) => date.date.grain === 'day' && !isQuoted(date) && !isDenied(date));
  if (!one) return [];
  const on = nextYearly(one.date.on, today);
  return on === undefined ? [] : [{ sentence, on, grain: 'day', said: one.date, kind: 'yearly' }];
}

/**
 * When a yearly day comes next (ms since 1970), where that is within half a year; undefined where it is later, or where `day` is more than
 * 110 years ago.
 */
export function nextYearly(day: number, today: number): number | undefined {
  const date = new Date(day);
  const year = new Date(today).getUTCFullYear();
  if (date.getUTCFullYear() < year - OLDEST) return undefined;
  const inYear = (of: number) => Date.UTC(of, date.getUTCMonth(), date.getUTCDate());
  const next = inYear(year) >= today ? inYear(year) : inYear(year + 1);
  return next - today <= SOON ? next : undefined;
}

function endOfMonth(on: number): number {
  const date = new Date(on);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
}
