import type { JsonObject } from '@reverie/shared/contract/fields';
import { frontmatterOf, readableFields } from '@reverie/memory-formats/notes/frontmatter';
import { blockIdsOf } from './note-blocks.ts';
import type { NoteLink } from './note-links.ts';
import { pageName } from '@reverie/memory-formats/logseq/pages';
import { titleOf } from './title.ts';

/** By what a note is named: its file's name, an alias that it gives itself, its title, or the id of one of its blocks. */
export type NameKind = 'file' | 'alias' | 'title' | 'block';

/** A note that answers to a name. */
export interface NamedNote {
  readonly id: number;
  readonly key: string;
  /** Its key, folded. */
  readonly path: string;
  readonly kind: NameKind;
}

/** Finds the notes of a namespace that answer to a name, which is folded. */
export type FindNamed = (name: string) => readonly NamedNote[];

/** Aliases of a note that count, and how long each may be. */
const MOST = 50;
const LONGEST = 200;
const ENDING = /\.(?:md|markdown|mdx)$/iu;
/** Properties with which a page of Logseq begins. */
const PAGE_PROPERTY = /^(?:[-*] )?(?:title|alias(?:es)?)::[ \t]*(.+)$/gimu;
const READ = 2_000;

/** A name as it is compared: composed, in small letters, without the ending of Markdown. */
export function foldName(name: string): string {
  return withoutEnding(name.normalize('NFC').toLowerCase().trim());
}

/** A key or a name without the ending of Markdown. */
export function withoutEnding(name: string): string {
  return name.replace(ENDING, '');
}

/** The last part of a path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a name by which a note was found is that of its file, or what Logseq calls that. */
export function isNamedByFile({ kind, key }: NamedNote, target: string): boolean {
  const page = pageName(withoutEnding(lastPart(key)));
  return kind === 'file' || (page !== undefined && foldName(page) === foldName(target));
}

/** The names to which a note answers, folded, each with the first that it is. */
export function namesOfNote(note: {
  key: string;
  value: string;
  metadata: JsonObject;
}): Map<string, NameKind> {
  const names = new Map<string, NameKind>();
  const add = (name: string, kind: NameKind) => {
    const folded = foldName(name);
    if (folded !== '' && folded.length <= LONGEST && !names.has(folded)) names.set(folded, kind);
  };
  const fileName = lastPart(note.key);
  // A key may be longer than an alias.
  names.set(foldName(fileName), 'file');
  for (const alias of [pageName(fileName), ...aliasesOf(note)]) if (alias !== undefined) add(alias, 'alias');
  const title = titleOf(note.value, note.metadata);
  // One that was cut is nobody's name.
  if (!title.endsWith('…')) add(title, 'title');
  for (const id of blockIdsOf(note.value)) add(id, 'block');
  return names;
}

/** The aliases that a note gives itself: in its front matter, in metadata, or as a page of Logseq does. */
export function aliasesOf({ value, metadata }: { value: string; metadata: JsonObject }): string[] {
  const yaml = frontmatterOf(value)?.yaml ?? '';
  const fields = /^["']?alias/imu.test(yaml) ? readableFields(yaml).fields : metadata;
  const given = Object.entries(fields).filter(([name]) => /^alias(?:es)?$/iu.test(name));
  const properties = [...value.slice(0, READ).matchAll(PAGE_PROPERTY)].map(([, names = '']) => names);
  return [...given.map(([, names]) => names), ...properties]
    .flatMap((names): unknown[] =>
      typeof names === 'string' ? names.split(',') : Array.isArray(names) ? names : [],
    )
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.length <= LONGEST)
    .slice(0, MOST);
}

/** What of a link says where it leads. */
export type Leading = Pick<NoteLink, 'form' | 'target' | 'part'>;

/**
 * The note to which a link leads, as Obsidian has it: the one whose key it says, by the path from the note, by the end of its path (below
 * the note's own folder first, then the shortest path), by alias, by title. A Markdown link is a path from its note first of all. Without
 * difference of case, and with or without `.md`. A reference to a block leads to the note that has it. Undefined where there is none, and for
 * a link within a note.
 */
export function resolveLink(link: Leading, from: string, named: FindNamed): NamedNote | undefined {
  const { form, target, part } = link;
  if (target === '') return undefined;
  if (form === 'block') return nearest(named(target), 'block', () => true);
  // A key may have a number sign.
  const whole = part === '' ? undefined : byPath(foldName(`${target}${part}`), from, { named, form });
  const path = foldName(target);
  const found = whole ?? byPath(path, from, { named, form });
  if (found || form === 'markdown') return found;
  const others = named(path);
  return nearest(others, 'alias', () => true) ?? nearest(others, 'title', () => true);
}

/** What a file is that is no note. */
const ATTACHMENT = /\.(?!(?:md|markdown|mdx)$)[a-z]\w{1,4}$/iu;

/** Whether a link that leads to no note names a picture or another file: a name without an ending of a file is one of a note. */
export function isAttachment({ target }: Pick<Leading, 'target'>): boolean {
  return ATTACHMENT.test(target);
}

function byPath(
  path: string,
  from: string,
  { named, form }: { named: FindNamed; form: NoteLink['form'] },
): NamedNote | undefined {
  const notes = named(lastPart(path));
  if (notes.length === 0) return undefined;
  const folder = folderOf(from).normalize('NFC').toLowerCase();
  const at = (place: string | undefined) =>
    place === undefined ? undefined : nearest(notes, 'file', (one) => one === place);
  const absolute = path.replace(/^\/+/u, '');
  if (path.startsWith('/')) return at(absolute);
  const relative = joined(folder, path);
  if (/^\.\.?\//u.test(path)) return at(relative);
  const places = form === 'wiki' ? [absolute, relative] : [relative, absolute];
  const isBelow = (one: string) => folder !== '' && one.startsWith(`${folder}/`);
  return (
    at(places[0]) ??
    at(places[1]) ??
    nearest(notes, 'file', (one) => isBelow(one) && one.endsWith(`/${path}`)) ??
    nearest(notes, 'file', (one) => one.endsWith(`/${path}`))
  );
}

/** The note of some with the shortest key, of several the first, that is called so as it is to be and whose path is as wanted. */
function nearest(
  notes: readonly NamedNote[],
  kind: NameKind,
  isWanted: (path: string) => boolean,
): NamedNote | undefined {
  let best: NamedNote | undefined;
  for (const note of notes) {
    if (note.kind !== kind || !isWanted(note.path)) continue;
    if (!best || compareKeys(note.key, best.key) < 0) best = note;
  }
  return best;
}

/** Of two files or notes that are called alike, says which one a link means: the one with the shorter key, of several the first. */
export function compareKeys(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

/** The folder in which a note lies; empty for none. */
export function folderOf(key: string): string {
  return key.includes('/') ? key.slice(0, key.lastIndexOf('/')) : '';
}

/** A path from a folder; undefined where it leads out of everything. */
export function joined(folder: string, path: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..' && parts.length === 0) return undefined;
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
