import { basename, dirname, join } from 'node:path/posix';
import { parse } from 'csv-parse/sync';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type BundledText, leftOut, measureBundle, openBundle } from '../files/bundle.ts';
import { memoriesOfNote, metadataOf, noteOf, stemOf } from '../notes/note.ts';
import {
  messageOf,
  namespaceOf,
  skip,
  type ReadItem,
  type ReadOptions,
  type SourceReader,
} from '../reader.ts';

/** The id of a page, which stands behind its title in the names of files and folders. */
const ID = / ([0-9a-f]{32})(?=(?:_all)?(?:\.\w+)?$)/i;

/** The folder around all that was exported. */
const WRAPPER = /^Export-[0-9a-f-]{32,36}\//i;

/** Tells whether a file has the name of a page or a table of Notion. */
export function isOfNotion(path: string): boolean {
  return /\.(?:md|csv)$/i.test(path) && ID.test(basename(path));
}

/** A path without the ids of pages. */
function withoutIds(path: string): string {
  return path
    .replace(WRAPPER, '')
    .split('/')
    .map((name) => name.replace(ID, ''))
    .join('/');
}

/** Where each page is now: its path without ids; of several that would be the same, all but the first keep a part of theirs. */
function keysOf(pages: readonly string[]): Map<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  const isFree = (key: string) => !taken.has(key.toLowerCase());
  for (const path of pages) {
    const short = withoutIds(path);
    const id = ID.exec(basename(path))?.[1]?.slice(0, 8);
    const marked = id === undefined ? path : short.replace(/(?=\.md$)/i, ` ${id}`);
    const key = [short, marked].find(isFree) ?? path;
    taken.add(key.toLowerCase());
    keys.set(path, key);
  }
  return keys;
}

/** The pages of an export, by path and by id. */
interface Pages {
  keys: ReadonlyMap<string, string>;
  byId: ReadonlyMap<string, string>;
}

const LINK = /\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/g;

/** The text of a page, whose links to other pages of the export lead where these are now. */
function withLinks(text: string, from: string, { keys, byId }: Pages): string {
  const here = dirname(keys.get(from) ?? from);
  return text.replaceAll(LINK, (whole, given: string) => {
    const [, target = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(given) ?? [];
    const id = /^https:\/\/(?:www\.)?notion\.so\/\S*?([0-9a-f]{32})(?:\?\S*)?$/i.exec(target)?.[1];
    const path = id === undefined ? join(dirname(from), decoded(target)) : byId.get(id.toLowerCase());
    const key = path === undefined ? undefined : keys.get(path);
    return key === undefined ? whole : `](${encodedPath(relativeTo(here, key))}${anchor})`;
  });
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    // No percent-encoding: the name is as it stands.
    return target;
  }
}

function encodedPath(path: string): string {
  return path
    .split('/')
    .map((name) => encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');
}

function relativeTo(folder: string, key: string): string {
  const from = folder === '.' ? [] : folder.split('/');
  const to = key.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

/** An export of Notion as Markdown and CSV: a folder or its zip archive. Pages are notes; a row of a table that has no page is one, too. */
export const notionReader: SourceReader = {
  format: 'notion',
  measure: measureBundle,
  async *read(path, options) {
    const bundle = await openBundle('notion', path, options);
    const { root } = bundle;
    const keys = keysOf(bundle.paths.filter((file) => /\.md$/i.test(file)));
    const byId = new Map([...keys.keys()].flatMap((file) => idOf(file).map((id) => [id, file] as const)));
    const tables = tablesOf(bundle.paths);
    const taken = new Set([...keys.values()].map((key) => key.toLowerCase()));
    yield* bundle.skipped;
    for (const file of bundle.paths)
      if (/\.csv$/i.test(file) && !tables.has(file))
        yield skip(
          file,
          'no_note',
          'is a part of the table whose rows are all in the file that ends in _all.csv',
        );
      else if (!keys.has(file) && !tables.has(file)) yield leftOut(file);
    for await (const read of bundle.read((file) => keys.has(file) || tables.has(file)))
      if ('kind' in read) yield read;
      else if (tables.has(read.path)) yield* rowsOf(read, { root, options, taken });
      else {
        const text = withLinks(read.text, read.path, { keys, byId });
        yield* noteAt(
          { ...read, text },
          { key: keys.get(read.path) ?? read.path, id: `${root}/${read.path}`, options },
        );
      }
  },
};

function idOf(path: string): string[] {
  const id = ID.exec(basename(path))?.[1];
  return id === undefined ? [] : [id.toLowerCase()];
}

/** The tables of an export: of one that is there twice the file with all rows. */
function tablesOf(paths: readonly string[]): ReadonlySet<string> {
  const tables = paths.filter((path) => /\.csv$/i.test(path));
  const all = new Set(tables);
  return new Set(tables.filter((path) => !all.has(path.replace(/\.csv$/i, '_all.csv'))));
}

function noteAt(
  read: BundledText,
  { key, id, options }: { key: string; id: string; options: ReadOptions },
): Iterable<ReadItem> {
  const { path, text } = read;
  const note = noteOf(text, key);
  return memoriesOfNote(note, read, {
    path,
    key,
    namespace: namespaceOf(options),
    metadata: metadataOf(note, { format: 'notion', path }),
    source: { id },
  });
}

const Rows = z.array(z.array(z.string()));

interface TableAt {
  root: string;
  options: ReadOptions;
  /** Keys that are given, in lower case. */
  taken: Set<string>;
}

/** The rows of a table as notes, with its columns as their properties. One that has a page is there already, with them in its text. */
function* rowsOf(read: BundledText, { root, options, taken }: TableAt): Generator<ReadItem> {
  let rows: string[][];
  try {
    const settings = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
    rows = Rows.parse(parse(read.text, settings));
  } catch (error) {
    yield skip(read.path, 'malformed', `cannot be read as a table: ${messageOf(error)}`);
    return;
  }
  const [header = [], ...records] = rows;
  const folder = withoutIds(read.path).replace(/(?:_all)?\.csv$/i, '');
  const pages = new Set(
    [...taken].filter((key) => dirname(key) === folder.toLowerCase()).map((key) => lettersOf(stemOf(key))),
  );
  for (const [at, record] of records.entries()) {
    const title = record[0]?.trim() || `Row ${at + 1}`;
    if (pages.has(lettersOf(title))) continue;
    const named = title
      .replaceAll(/[\u0000-\u001f/\\:*?"<>|]/g, '_')
      .slice(0, 80)
      .toWellFormed();
    const key = freeKey(`${folder}/${named}`, taken);
    const properties = header.flatMap((column, place) => {
      const value = record[place]?.trim() ?? '';
      return place === 0 || column.trim() === '' || value === '' ? [] : [[column.trim(), value] as const];
    });
    const yaml = properties.length > 0 ? `---\n${stringify(Object.fromEntries(properties))}---\n` : '';
    const text = `${yaml}# ${title.replaceAll(/\s+/g, ' ')}\n`;
    yield* noteAt({ ...read, text }, { key, id: `${root}/${read.path}#${key}`, options });
  }
}

function freeKey(stem: string, taken: Set<string>): string {
  let key = `${stem}.md`;
  for (let count = 2; taken.has(key.toLowerCase()); count++) key = `${stem} (${count}).md`;
  taken.add(key.toLowerCase());
  return key;
}

/** What file names keep of a title. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
