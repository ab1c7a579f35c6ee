import { type NoteLink, noteLinks } from './note-links.ts';
import { pageName } from '@reverie/memory-formats/logseq/pages';
import { foldName, folderOf, joined, lastPart, withoutEnding } from './note-names.ts';

/** A note that is named otherwise now, and where the note lies that links to it: it may have moved, too. */
export interface Renaming {
  readonly from: { readonly old: string; readonly now: string };
  readonly to: { readonly old: string; readonly now: string };
}

/** A name, and how it is written in its link. */
export interface NewName {
  readonly target: string;
  readonly written: string;
}

/** The text with what some of its links name written anew; undefined leaves a link as it is. */
export function mendedText(text: string, writtenFor: (link: NoteLink) => string | undefined): string {
  let mended = '';
  let at = 0;
  for (const link of noteLinks(text)) {
    const written = writtenFor(link);
    if (written === undefined) continue;
    mended += text.slice(at, link.from) + written;
    at = link.to;
  }
  return mended + text.slice(at);
}

/**
 * How a link may name a note after a renaming, in its own form, the likest first: a name stays a name where that is enough, a path a path,
 * with or without its ending, and a Markdown link stays relative where it was.
 */
export function namesFor(link: NoteLink, text: string, { from, to }: Renaming): NewName[] {
  const ended = (path: string) => (withoutEnding(link.target) === link.target ? withoutEnding(path) : path);
  const names = candidatesFor(link, { from, to }).map(ended);
  const all = [...new Set([...names, ended(to.now), to.now])];
  return link.form === 'wiki'
    ? all.filter((name) => !/[[\]|#^\n]/u.test(name)).map((name) => ({ target: name, written: name }))
    : all.map((name) => ({ target: name, written: asAddress(name, text[link.from - 1] === '<') }));
}

function candidatesFor({ form, target }: NoteLink, { from, to }: Renaming): string[] {
  const page = pageName(lastPart(withoutEnding(to.old)));
  if (page !== undefined && foldName(page) === foldName(target))
    return [pageName(lastPart(withoutEnding(to.now))) ?? withoutEnding(lastPart(to.now))];
  const slash = target.startsWith('/') ? '/' : '';
  if (slash !== '') return [`/${to.now}`];
  const isDotted = /^\.\.?\//u.test(target);
  if (!target.includes('/') && form === 'wiki') return [lastPart(to.now)];
  const isRelative = foldName(joined(folderOf(from.old), target) ?? '') === foldName(to.old);
  const isWhole = foldName(target) === foldName(to.old);
  if (!isDotted && (form === 'wiki' || !isRelative))
    return isWhole || form === 'wiki' ? [to.now] : [lastPart(to.now)];
  const path = relativePath(folderOf(from.now), to.now);
  return [target.startsWith('./') && !path.startsWith('../') ? `./${path}` : path];
}

/** The path from a folder to a note. */
function relativePath(folder: string, key: string): string {
  const [here, there] = [folder === '' ? [] : folder.split('/'), key.split('/')];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
}

/** A path as it stands in a Markdown link: without what would end it. */
function asAddress(path: string, isAngled: boolean): string {
  const unfit = isAngled ? /[<>\n\\%#]/gu : /[\s<>()\\%#?]/gu;
  return path.replaceAll(unfit, (character) =>
    '()'.includes(character) ? `%${character.charCodeAt(0).toString(16)}` : encodeURIComponent(character),
  );
}

/** Whether two texts differ in nothing but what their links name; the links of the second are answered, else undefined. */
export function linksInstead(text: string, other: string): NoteLink[] | undefined {
  const frame = (whole: string, links: readonly NoteLink[]) => {
    const ends = links.map(({ to }) => to);
    return JSON.stringify(
      [...links.map(({ from }) => from), whole.length].map((from, at) =>
        whole.slice(ends[at - 1] ?? 0, from),
      ),
    );
  };
  const [own, others] = [noteLinks(text), noteLinks(other)];
  return frame(text, own) === frame(other, others) ? others : undefined;
}
