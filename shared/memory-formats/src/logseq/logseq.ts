import fs from 'node:fs';
import { join } from 'node:path';
import { dayOfKey } from '../days/days-in-names.ts';
import { pageName, pageProperties } from './pages.ts';
import { readRegular, UnfitFile } from '@reverie/shared/files/regular-file';
import { sha256, tagsOf } from '../fit.ts';
import { isNote, memoriesOfFile } from '../markdown/markdown.ts';
import { filesOf, measureFiles, placesOfFiles, readFiles, type FileRead } from '../files/note-files.ts';
import { memoriesOfNote, metadataOf, noteOf, stemOf } from '../notes/note.ts';
import { originOf, rootId } from '../files/origin.ts';
import { isOwnFile } from '../markdown/own-file.ts';
import {
  messageOf,
  namespaceOf,
  skip,
  type ReadItem,
  type ReadOptions,
  type SourceReader,
} from '../reader.ts';
import { isCode } from '../files/text-file.ts';

/** Settings of a graph that are about its files. */
export interface LogseqSettings {
  /** The folder of journals. */
  journals: string;
  /** How the page of a day is called, and its file. */
  titleFormat: string;
  fileFormat: string;
  /** Dots in names of files part namespaces, as Logseq named files at first. */
  hasDots: boolean;
  /** Why they could not be read, where they are there: pages are called as Logseq does it by itself then. */
  unread?: string;
}

/** The place of the settings within a graph. */
export const SETTINGS = 'logseq/config.edn';
/** Folders of Logseq that hold no page, and what they hold. */
const BOOKKEEPING: readonly [folder: string, what: string][] = [
  ['logseq', 'holds what Logseq keeps for itself: settings, copies of before, and pages that were deleted'],
  ['whiteboards', 'holds whiteboards of Logseq, which are no text'],
];

/** Tells whether a folder is a graph of Logseq. */
export function isLogseqGraph(root: string): boolean {
  return fs.existsSync(join(root, SETTINGS));
}

/** Tells whether a file of a graph is one of its pages: none of what Logseq keeps for itself. */
export function isLogseqPage(path: string): boolean {
  return isNote(path) && !BOOKKEEPING.some(([folder]) => path.toLowerCase().startsWith(`${folder}/`));
}

/** Reads the settings of a graph; what they do not say is as Logseq has it. */
export function logseqSettings(root: string): LogseqSettings {
  const { edn, unread } = settingsText(root);
  const setting = (name: string) =>
    new RegExp(String.raw`:${name}\s+"([^"\\\n]{0,100})"`, 'u').exec(edn)?.[1];
  return {
    journals: (setting('journals-directory') ?? 'journals').replaceAll(/^\/+|\/+$/gu, ''),
    titleFormat: setting('journal/page-title-format') ?? 'MMM do, yyyy',
    fileFormat: setting('journal/file-name-format') ?? 'yyyy_MM_dd',
    // Settings that say nothing of it are of that time.
    hasDots: edn !== '' && !/:file\/name-format\s+:triple-lowbar/u.test(edn),
    ...(unread !== undefined && { unread }),
  };
}

/** The settings without their comments; empty where there are none, or none that can be read. */
function settingsText(root: string): { edn: string; unread?: string } {
  try {
    const text = readRegular(join(root, SETTINGS)).toString('utf8');
    return { edn: text.replaceAll(/^[ \t]*;.*$/gmu, '') };
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return { edn: '' };
    const why = cause instanceof UnfitFile ? 'is not a file, or too large' : messageOf(cause);
    return { edn: '', unread: `${why}: pages are called as Logseq does it without settings` };
  }
}

/**
 * A graph of Logseq. Key and text are those of the file, so that what is written back is Logseq's own; the title is what the page is called
 * there, and the properties of the page are metadata.
 */
export const logseqReader: SourceReader = {
  format: 'logseq',
  measure: (path) => measureFiles(path, isLogseqPage),
  // Their ids are those of notes: a graph that was taken in as Markdown before goes on as what it is.
  places: (path, options) => placesOfFiles('markdown', path, options),
  async *read(path, options) {
    const origin = await originOf(path);
    const id = await rootId(origin.root, options);
    const settings = logseqSettings(origin.root);
    if (settings.unread !== undefined) yield skip(SETTINGS, 'unreadable', settings.unread);
    if (origin.kind === 'folder')
      for (const [folder, what] of BOOKKEEPING)
        if (fs.existsSync(join(origin.root, folder))) yield skip(`${folder}/`, 'bookkeeping', what);
    for await (const read of readFiles(filesOf(origin, isLogseqPage, options), options))
      if ('kind' in read) yield read;
      else yield* memoriesOfPage(read, { root: id, settings }, options);
  },
};

/** The memories of one file of a graph: `root` is how source ids name the graph. */
export function* memoriesOfPage(
  read: FileRead,
  { root, settings }: { root: string; settings: LogseqSettings },
  options: ReadOptions,
): Generator<ReadItem> {
  const { path, file } = read;
  if (isOwnFile(file.bytes)) {
    yield* memoriesOfFile(read, root, options);
    return;
  }
  const note = noteOf(file.text, path);
  const properties = pageProperties(note.body);
  const tags = [...new Set([...note.tags, ...tagsOf(listOf(properties['tags']))])];
  const title = properties['title'] ?? pageTitle(path, settings);
  const fields = { ...properties, ...note.fields };
  yield* memoriesOfNote(note, file, {
    path,
    key: path,
    namespace: namespaceOf(options),
    metadata: metadataOf({ ...note, fields, tags, title }, { format: 'logseq', path }),
    // A page that is called otherwise says something else.
    source: {
      id: `markdown:${root}/${path}`,
      hash: sha256(Buffer.concat([Buffer.from(`${title}\n`), file.bytes])),
    },
  });
}

/** What Logseq calls the page of a file: a day as its settings write it, else the name with its namespaces. */
function pageTitle(path: string, { journals, titleFormat, hasDots }: LogseqSettings): string {
  const isJournal = path.startsWith(journals === '' ? '' : `${journals}/`);
  const day = isJournal ? dayOfKey(path) : undefined;
  if (day !== undefined) return formattedDay(titleFormat, new Date(day));
  const stem = stemOf(path);
  const name = hasDots ? stem.replaceAll(/(?<=[^.\s])\.(?=[^.\s])/gu, '/') : stem;
  return pageName(name) ?? name;
}

/** Names of a property: `a, [[b c]], #d`. */
function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^#?\[\[(.*)\]\]$|^#/u, '$1'))
    .filter((name) => name !== '');
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A day, at its first moment in UTC, as a format of Logseq writes it: `yyyy_MM_dd`, `EEEE, do MMM yyyy`; text stands in `'…'`. */
export function formattedDay(format: string, day: Date): string {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  const two = (of: number) => String(of).padStart(2, '0');
  const weekday = WEEKDAYS[day.getUTCDay()] ?? '';
  return format.replaceAll(/'([^']*)'|yyyy|yy|M{1,4}|do|dd?|E{1,4}/gu, (token, text: string | undefined) => {
    if (text !== undefined) return text;
    switch (token) {
      case 'yyyy':
        return String(year);
      case 'yy':
        return two(year % 100);
      case 'MMMM':
        return MONTHS[month] ?? '';
      case 'MMM':
        return MONTHS[month]?.slice(0, 3) ?? '';
      case 'MM':
        return two(month + 1);
      case 'M':
        return String(month + 1);
      case 'do':
        return ordinal(date);
      case 'dd':
        return two(date);
      case 'd':
        return String(date);
      default:
        return token === 'EEEE' ? weekday : weekday.slice(0, 3);
    }
  });
}

function ordinal(date: number): string {
  const isTeen = date >= 11 && date <= 13;
  return `${date}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][date % 10] ?? 'th')}`;
}
