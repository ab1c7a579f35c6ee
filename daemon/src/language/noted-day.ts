import { frontmatterOf } from '../portable/frontmatter.ts';
import { CREATED } from '../portable/times.ts';
import { msOfTimestamp } from '../platform/timestamp.ts';
import { headDay, midnightOf, WRITTEN_DAYS } from './head-day.ts';

/** A note, as its own day is read from it. */
interface DatedNote {
  readonly key: string;
  readonly value: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The day that a note gives itself: its first moment in UTC, in milliseconds since 1970. */
export interface NotedDay {
  readonly on: number;
  /** It says only when the note was made; what stands there may be of later. */
  readonly isOfMaking: boolean;
}

/** A day as it is told: `2026-09-14`. */
export function isoDay(on: number): string {
  return new Date(on).toISOString().slice(0, 10);
}

/** A name of a property as it is compared: `created-at` is `createdAt`. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[ _-]/gu, '');

/** Properties that name a day, those first that say what a note is of. A `timestamp` is the moment at which something was said. */
const OF_DAY: readonly string[] = ['date', 'datum'];
const PROPERTIES: readonly string[] = [...new Set([...OF_DAY, ...CREATED.map(bare)])].filter(
  (name) => name !== 'timestamp',
);

const DAY = 86_400_000;
/** Characters of a text that are read, of a property, and of a part of a key. */
const READ = 16_384;
const LONGEST = 100;
const LONGEST_NAME = 512;
/** Lines below the front matter in which a note may say its day. */
const HEAD_LINES = 20;

/**
 * The day that a note is of: the one in its name, else a property of its front matter, its first lines or its metadata, else its first
 * heading, where that is a day. Read from what stands there alone, so that every device reads the same.
 */
export function notedDay({ key, value, metadata }: DatedNote): NotedDay | undefined {
  const named = dayOfKey(key);
  if (named !== undefined) return { on: named, isOfMaking: false };
  const text = value.slice(0, READ);
  const front = frontmatterOf(text);
  const { properties, heading } = headOf(text.slice(front?.bodyAt ?? 0));
  const all = [...frontProperties(front?.yaml ?? ''), ...properties, ...Object.entries(metadata)].map(
    ([name, given]) => ({ name: bare(name), given }),
  );
  for (const name of PROPERTIES)
    for (const { given } of all.filter((one) => one.name === name)) {
      const on = dayOfProperty(given);
      if (on !== undefined) return { on, isOfMaking: !OF_DAY.includes(name) };
    }
  const on = heading !== undefined && HAS_YEAR.test(heading) ? headDay(heading) : undefined;
  return on === undefined ? undefined : { on, isOfMaking: false };
}

/**
 * When a memory was said, in milliseconds since 1970: its `timestamp`, else its own day, else when it was changed. A day on which it was
 * only made says nothing of what stands there since.
 */
export function saidAt(note: DatedNote & { readonly updated_at: number }): number {
  const day = notedDay(note);
  const { updated_at } = note;
  return (
    msOfTimestamp(note.metadata['timestamp']) ??
    (day && !day.isOfMaking ? momentOf(day.on, updated_at) : updated_at)
  );
}

/** A moment for a day: the time at which something was stored, where that was on this day, else its first. */
export function momentOf(day: number, stored: number): number {
  return Math.floor(stored / DAY) * DAY === day ? stored : day;
}

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

/** The properties of front matter that stand on a line of their own. */
function frontProperties(yaml: string): [name: string, value: string][] {
  return yaml.split(/\r?\n/u).flatMap((line) => {
    const [, name, value] = /^["']?([^\s"':][^"':]{0,30})["']?[ \t]*:[ \t]+(\S.*)$/u.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

/** What stands at the beginning of a text: `Date: 2026-09-14`, `date:: 2026-09-14`, and the first heading. */
function headOf(body: string): { properties: [name: string, value: string][]; heading: string | undefined } {
  const properties: [string, string][] = [];
  const lines = body.split(/\r?\n/u, HEAD_LINES + 1);
  let heading: string | undefined;
  for (const [at, line] of lines.slice(0, HEAD_LINES).entries()) {
    if (/^\s*(?:```|~~~)/u.test(line)) break;
    const isUnderlined = /^\s*[^\s=-]/u.test(line) && /^(?:={3,}|-{3,})\s*$/u.test(lines[at + 1] ?? '');
    const named = /^(?:[-*+] )?#{1,6}[ \t]+(\S.*)$/u.exec(line)?.[1] ?? (isUnderlined ? line : undefined);
    if (named !== undefined && heading !== undefined) break;
    heading ??= named;
    const [, name = '', marks, value] =
      /^(?:[-*+] )?[*_]{0,2}(\p{L}[\p{L} _-]{1,30})[*_]{0,2}(::?)[*_]{0,2}[ \t]+(\S.*)$/u.exec(line) ?? [];
    const isProperty = marks === '::' || OF_DAY.includes(bare(name));
    if (value !== undefined && isProperty) properties.push([name, value]);
  }
  return { properties, heading };
}
