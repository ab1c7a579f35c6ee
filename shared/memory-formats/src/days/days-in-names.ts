import { msOfTimestamp } from '@reverie/shared/time/timestamp';
import { midnightOf, WRITTEN_DAYS } from './head-day.ts';

const DAY = 86_400_000;
/** Characters of a property that are read, and of a part of a key. */
const LONGEST = 100;
const LONGEST_NAME = 512;

/** Folders of a year and a month, as some keep their daily notes: `2026/09/14`. */
const IN_FOLDERS = /(?:^|\/)(?<year>(?:19|20)\d\d)\/(?<month>\d\d)\/(?<day>\d\d)(?![\p{L}\p{N}])[^/]*$/u;

/** The day that the name of a note names, without the folders that it is kept in; undefined where it names several. */
export function dayOfKey(key: string): number | undefined {
  const folders = IN_FOLDERS.exec(key)?.groups;
  const inFolders = folders && midnightOf(folders);
  if (inFolders !== undefined) return inFolders;
  return only(daysIn(key.slice(key.lastIndexOf('/') + 1).slice(0, LONGEST_NAME)));
}

/** A day as text, or the time of a program in seconds or milliseconds. */
export function dayOfProperty(given: unknown): number | undefined {
  const text = typeof given === 'number' ? String(given) : given;
  if (typeof text !== 'string' || text.length > LONGEST) return undefined;
  if (!/^\d{9,13}$/u.test(text.trim())) return only(daysIn(text));
  const on = Math.floor((msOfTimestamp(Number(text)) ?? NaN) / DAY) * DAY;
  return Number.isNaN(on) ? undefined : on;
}

const only = (days: ReadonlySet<number>): number | undefined => (days.size === 1 ? [...days][0] : undefined);

/** Most texts have none, and need no further look. */
const HAS_YEAR = /(?:19|20)\d\d/u;
const YEAR = '(?<year>(?:19|20)\\d\\d)';
/** Not inside a word or a number; behind the day a time may begin. */
const whole = (form: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${form}(?:(?=T\\d\\d)|(?![\\p{L}\\p{N}]))`, 'giu');
const FORMS: readonly RegExp[] = [
  `${YEAR}(?<mark>[-_./])(?<month>\\d\\d)\\k<mark>(?<day>\\d\\d)`,
  `${YEAR}(?<month>\\d\\d)(?<day>\\d\\d)(?:(?:[01]\\d|2[0-3])[0-5]\\d(?:[0-5]\\d)?)?`,
  `(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.\\s?${YEAR}`,
  ...WRITTEN_DAYS,
].map(whole);
/** A day and a month, or a month and a day. */
const EITHER = whole(`(?<one>\\d\\d)(?<mark>[-_/])(?<other>\\d\\d)\\k<mark>${YEAR}`);

/** The different days that a short text names with their years. Where day and month may be either, none is read. */
function daysIn(text: string): Set<number> {
  if (!HAS_YEAR.test(text)) return new Set();
  const plain = text.normalize('NFC').replace(/[_-](?=\p{L})|(?<=\p{L})[_-]/gu, ' ');
  const named = FORMS.flatMap((form) =>
    [...plain.matchAll(form)].map(({ groups }) => groups && midnightOf(groups)),
  );
  const either = [...plain.matchAll(EITHER)].map(({ groups: { year, one, other } = {} }) => {
    const days = [midnightOf({ year, month: other, day: one }), midnightOf({ year, month: one, day: other })];
    return only(new Set(days.filter((on) => on !== undefined)));
  });
  return new Set([...named, ...either].filter((on) => on !== undefined));
}
