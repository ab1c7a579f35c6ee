import { basename } from 'node:path/posix';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { dayOfKey } from '../days/days-in-names.ts';
import { type ImportDraft, memoriesOf } from '../draft.ts';
import { tagsOf } from '../fit.ts';
import type { ReadItem } from '../reader.ts';
import { frontmatterOf, readableFields, unendedFrontmatter } from './frontmatter.ts';
import { timeOf, timesIn } from '../days/times.ts';

/** A text file, and what it says about itself; the text stays as it is. */
export interface Note {
  /** The frontmatter, as JSON. */
  fields: JsonObject;
  title: string;
  tags: string[];
  created: string | undefined;
  updated: string | undefined;
  /** The text without its frontmatter. */
  body: string;
  /** Why the frontmatter, or some of it, could not be read. */
  problem: string | undefined;
}

/** Reads the frontmatter, the title and the tags of a note. */
export function noteOf(text: string, path: string): Note {
  const found = frontmatterOf(text);
  const { fields, problem } = found
    ? readableFields(found.yaml)
    : { fields: {}, problem: unendedFrontmatter(text) };
  const body = found ? text.slice(found.bodyAt) : text;
  const times = timesIn(fields, 'local');
  return {
    fields,
    title: titleOf(fields, body, path),
    tags: tagsOf(fields['tags'] ?? fields['tag']),
    created: times.created ?? dayInName(path),
    updated: times.updated,
    body,
    problem,
  };
}

function titleOf(fields: JsonObject, body: string, path: string): string {
  for (const name of ['title', 'name']) {
    const given = fields[name];
    if (typeof given === 'string' && given.trim() !== '') return given.trim();
    if (typeof given === 'number') return String(given);
  }
  return headingOf(body.slice(0, 4096)) ?? stemOf(path);
}

/** The first heading of Markdown or reStructuredText: `# Title`, or a line over `===`. */
function headingOf(top: string): string | undefined {
  let before = '';
  for (const line of top.split('\n')) {
    const text = line.trim();
    if (/^#\s/.test(text)) {
      const heading = text.slice(1).trim();
      if (heading !== '') return heading;
    }
    if (/^={3,}$/.test(text) && /^[^\s#=]/.test(before)) return before;
    before = text;
  }
  return undefined;
}

/** The day that the path of a note names, as those of daily notes do (`2024-05-06.md`, `2024_05_06 Meeting.md`). */
function dayInName(path: string): string | undefined {
  const on = dayOfKey(path);
  return on === undefined ? undefined : new Date(on).toISOString();
}

/** The name of a file without its folder and its ending. */
export function stemOf(path: string): string {
  const name = basename(path).replace(/\.gz$/i, '');
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Metadata of a note: its frontmatter, title and tags, and under `imported` where it is from. */
export function metadataOf(note: Note, imported: JsonObject): JsonObject {
  return {
    ...note.fields,
    title: note.title,
    ...(note.tags.length > 0 && { tags: note.tags }),
    imported: { ...imported, ...(note.problem !== undefined && { note: note.problem }) },
  };
}

/** The text of a note, and when its file was changed, in milliseconds since 1970. */
interface NoteText {
  text: string;
  modified: number | undefined;
}

/** Yields the memories of a note, word for word, with the times that it gives itself. */
export function memoriesOfNote(
  note: Note,
  { text, modified }: NoteText,
  draft: Pick<ImportDraft, 'path' | 'key' | 'namespace' | 'metadata' | 'source'>,
): Generator<ReadItem> {
  const times = noteTimes(note, timeOf(modified, 'utc'));
  return memoriesOf({ ...draft, ...times, value: text, metadataAlsoIn: 'text' });
}

/** When a note was made and changed: what it or its name says, else the file's time. */
function noteTimes(note: Pick<Note, 'created' | 'updated'>, modified: string | undefined) {
  const created = note.created ?? note.updated ?? modified;
  const updated = note.updated ?? modified ?? created;
  if (created === undefined || updated === undefined) return {};
  return { created_at: created, updated_at: updated < created ? created : updated };
}
