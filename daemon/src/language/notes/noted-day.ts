import { frontmatterOf } from '@reverie/memory-formats/notes/frontmatter';
import { CREATED } from '@reverie/memory-formats/days/times';
import { msOfTimestamp } from '@reverie/shared/time/timestamp';
import { dayOfKey, dayOfProperty } from '@reverie/memory-formats/days/days-in-names';
import { headDay } from '@reverie/memory-formats/days/head-day';

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
/** Characters of a text that are read. */
const READ = 16_384;
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
  const on = heading === undefined ? undefined : headDay(heading);
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
