import { join, posix } from 'node:path';
import { isObject } from '../json/plain-json.ts';
import { dayOfKey } from '../days/days-in-names.ts';
import { readRegular } from '@reverie/shared/files/regular-file';
import { formattedDay, isLogseqGraph, logseqSettings } from '../logseq/logseq.ts';

/** The way in which notes of days are named. */
export interface DailyNotes {
  /** The key of the note of a day, at its first moment in UTC. */
  keyOf: (day: Date) => string;
  /** Their lines are blocks, as in Logseq. */
  isOutline: boolean;
  /** The key of the note that a new one begins as. */
  template?: string;
}

const DEFAULT_FORMAT = 'YYYY-MM-DD';
const DAY = 86_400_000;

/** The names of notes of days where nothing says it otherwise. */
export const plainDailyNotes: DailyNotes = {
  keyOf: (day) => `${momentDay(DEFAULT_FORMAT, day)}.md`,
  isOutline: false,
};

/** Returns how the vault or graph in a folder calls the notes of days; undefined where its settings do not say. */
export function dailyNotesOf(root: string): DailyNotes | undefined {
  if (isLogseqGraph(root)) {
    const { journals, fileFormat } = logseqSettings(root);
    return {
      keyOf: (day) => posix.join(journals, `${formattedDay(fileFormat, day)}.md`),
      isOutline: true,
    };
  }
  const settings = obsidianSettings(root);
  if (!settings) return undefined;
  const text = (name: string) => (typeof settings[name] === 'string' ? settings[name].trim() : '');
  const format = text('format') || DEFAULT_FORMAT;
  return {
    keyOf: (day) => posix.join('/', text('folder'), `${momentDay(format, day)}.md`).slice(1),
    isOutline: false,
    ...(text('template') !== '' && { template: noteKey(text('template')) }),
  };
}

/** The key of a note that settings name by its path, with or without the end of its file's name. */
function noteKey(path: string): string {
  return posix.join('/', /\.md$/iu.test(path) ? path : `${path}.md`).slice(1);
}

/** What Obsidian fills into the template of a note of a day. */
const FILLED = /\{\{(title|date|time)(?::([^{}]*))?\}\}/giu;

/** A template as the note of a day begins with it; `now` is the moment at which it is made. */
export function filledTemplate(
  template: string,
  { key, day, now }: { key: string; day: Date; now: Date },
): string {
  const title = posix.basename(key).replace(/\.md$/iu, '');
  return template.replaceAll(FILLED, (_, what: string, format?: string) => {
    if (/^title$/iu.test(what)) return title;
    return /^date$/iu.test(what)
      ? momentDay(format ?? DEFAULT_FORMAT, day)
      : momentTime(format ?? 'HH:mm', now);
  });
}

/** The time of a moment where this program runs, as a format of moment.js writes it. */
function momentTime(format: string, now: Date): string {
  const [hours, two] = [now.getHours(), (value: number) => String(value).padStart(2, '0')];
  const parts: Readonly<Record<string, string>> = {
    HH: two(hours),
    H: String(hours),
    hh: two(hours % 12 || 12),
    h: String(hours % 12 || 12),
    mm: two(now.getMinutes()),
    m: String(now.getMinutes()),
    ss: two(now.getSeconds()),
    A: hours < 12 ? 'AM' : 'PM',
    a: hours < 12 ? 'am' : 'pm',
  };
  return format.replaceAll(
    /\[([^\]]*)\]|HH?|hh?|mm?|ss|A|a/gu,
    (part, text?: string) => text ?? parts[part] ?? part,
  );
}

function obsidianSettings(root: string): Record<string, unknown> | undefined {
  try {
    const settings: unknown = JSON.parse(readRegular(join(root, '.obsidian', 'daily-notes.json')).toString());
    return isObject(settings) ? settings : undefined;
  } catch {
    // Not there, or nothing that Obsidian could read either: the notes themselves show it then.
    return undefined;
  }
}

/**
 * How a namespace calls the notes of days, by those that it has: the form by which most of the keys can be made from their days, the first of
 * several. Keys that say more than a day are none.
 */
export function formOfKeys(keys: readonly string[]): ((day: Date) => string) | undefined {
  const days = keys.flatMap((key) => {
    const on = dayOfKey(key);
    return on === undefined ? [] : [{ key, day: new Date(on) }];
  });
  const forms = new Set(days.flatMap(({ key, day }) => formOfKey(key, day) ?? []));
  const ranked = [...forms].map((form) => ({
    form,
    fitting: days.filter(({ key, day }) => momentDay(form, day) === key).length,
  }));
  const [best] = ranked.toSorted((one, other) => other.fitting - one.fitting);
  return best && ((day) => momentDay(best.form, day));
}

/** Formats of which the keys of daily notes are made, those that say the most first. */
const PARTS = [
  ...['YYYY-MM-DD', 'YYYY_MM_DD', 'YYYY.MM.DD', 'YYYYMMDD', 'DD.MM.YYYY', 'DD-MM-YYYY', 'MM-DD-YYYY'],
  ...['dddd', 'MMMM', 'YYYY', 'ddd', 'MMM', 'Do', 'MM', 'DD', 'M', 'D'],
];

/** The format of a key of which the file's name says a day and nothing else. */
function formOfKey(key: string, day: Date): string | undefined {
  if (/[[\]]/u.test(key)) return undefined;
  const written = new Map<string, string>();
  for (const format of PARTS) {
    const text = momentDay(format, day);
    if (!written.has(text)) written.set(text, format);
  }
  const texts = [...written.keys()].map((text) => text.replaceAll('.', String.raw`\.`)).join('|');
  const parts = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${texts})(?![\p{L}\p{N}])`, 'gu');
  const name = key.slice(key.lastIndexOf('/') + 1).replace(/\.md$/iu, '');
  if (/[\p{L}\p{N}]/u.test(name.replaceAll(parts, ''))) return undefined;
  let form = '';
  let end = 0;
  for (const { 0: text, index } of key.matchAll(parts)) {
    if (index > end) form += `[${key.slice(end, index)}]`;
    form += written.get(text) ?? '';
    end = index + text.length;
  }
  if (end < key.length) form += `[${key.slice(end)}]`;
  // On a day such as 9 September its parts cannot be told apart.
  const later = day.getTime() + 40 * DAY;
  return dayOfKey(momentDay(form, new Date(later))) === later ? form : undefined;
}

/** Formats of moment.js that Logseq writes otherwise. */
const AS_LOGSEQ: Readonly<Record<string, string>> = {
  YYYY: 'yyyy',
  YY: 'yy',
  DD: 'dd',
  D: 'd',
  Do: 'do',
  dddd: 'EEEE',
  ddd: 'EEE',
};

const MOMENT = /\[([^\]]*)\]|YYYY|YY|M{1,4}|Do|DD?|d{3,4}|GGGG|gggg|WW?|ww?|Q/gu;

/** A day, at its first moment in UTC, as a format of moment.js writes it, in English: `YYYY/MM/YYYY-MM-DD`; text stands in `[…]`. */
export function momentDay(format: string, day: Date): string {
  return format.replaceAll(MOMENT, (token, text: string | undefined) => {
    if (text !== undefined) return text;
    const isIso = /[GW]/u.test(token);
    if (/^[Gg]/u.test(token)) return String(weekOf(day, isIso).year);
    if (/^[Ww]/u.test(token)) return String(weekOf(day, isIso).week).padStart(token.length, '0');
    if (token === 'Q') return String(Math.floor(day.getUTCMonth() / 3) + 1);
    return formattedDay(AS_LOGSEQ[token] ?? token, day);
  });
}

/** The week of a day, and its year: by ISO 8601 that of its Thursday, else that of its Saturday, on which weeks end in English. */
function weekOf(day: Date, isIso: boolean): { year: number; week: number } {
  const weekday = day.getUTCDay();
  const last = new Date(day.getTime() + DAY * (isIso ? 4 - (weekday || 7) : 6 - weekday));
  const year = last.getUTCFullYear();
  return { year, week: Math.floor((last.getTime() - Date.UTC(year, 0, 1)) / DAY / 7) + 1 };
}
