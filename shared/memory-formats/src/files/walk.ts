import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { basename } from 'node:path/posix';
import { sha256 } from '../fit.ts';
import { type Ignores, messageOf, type Skipped } from '../reader.ts';

/** A file below a root: `path` is relative to it, in NFC and with `/`, and different for different files. */
interface WalkedFile {
  kind: 'file';
  path: string;
  file: string;
}

export type WalkedItem = WalkedFile | { kind: 'skipped'; skipped: Skipped };

/** Folders that hold no notes of their own. */
const IGNORED = new Set(['node_modules', '.git', '.obsidian', '.trash', '.reverie-trash', '.reverie']);

/** Tells whether a real path lies where the system shows itself: what looks like files there are devices, and what other processes hold; /dev/shm has files. */
export function isOfSystem(real: string): boolean {
  return /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/.test(real);
}

/** Tells whether a folder of this name is passed over, wherever it stands below the root. */
export function isIgnoredFolder(name: string): boolean {
  return IGNORED.has(name.toLowerCase());
}

/**
 * The files below `root` that `includes` takes by their relative path, in an order that depends on names only.
 * Never leaves the root: links to folders are not followed, and links to files only where they end inside it,
 * at a file that is not taken by itself.
 */
export async function* walk(
  root: string,
  includes: (path: string) => boolean,
  ignores: Ignores = () => false,
): AsyncGenerator<WalkedItem> {
  const real = await realpath(root);
  yield* walkFolder({ real, includes, ignores }, real, '');
}

interface Walk {
  real: string;
  includes: (path: string) => boolean;
  ignores: Ignores;
}

/** One thing in a folder: `path` as `walk` names it, below the prefix of the folder. */
export interface FolderEntry {
  path: string;
  file: string;
  kind: 'folder' | 'file' | 'link' | 'other';
  /** False where its name is no UTF-8: no text leads to it then. */
  isReachable: boolean;
}

/** The entries of one folder, in the order of their names. Throws where it cannot be read. */
export async function entriesOf(folder: string, prefix: string): Promise<FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  return namedOnce(entries).map(({ entry, shown }) => ({
    path: prefix === '' ? shown : `${prefix}/${shown}`,
    file: join(folder, entry.name.toString('utf8')),
    kind: kindOf(entry),
    isReachable: isUtf8(entry.name),
  }));
}

function kindOf(entry: Dirent<Buffer>): FolderEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Words for something whose name is no UTF-8. */
export const UNREACHABLE = 'its name is not valid UTF-8; rename it';

async function* walkFolder(at: Walk, folder: string, prefix: string): AsyncGenerator<WalkedItem> {
  let entries: FolderEntry[];
  try {
    entries = await entriesOf(folder, prefix);
  } catch (error) {
    yield left(prefix === '' ? '.' : prefix, 'unreadable', messageOf(error));
    return;
  }
  for (const { path, file, kind, isReachable } of entries) {
    if (!isReachable) {
      if (kind === 'folder' || (kind === 'file' && at.includes(path)))
        yield left(path, 'unreadable', UNREACHABLE);
    } else if (kind === 'folder') {
      if (!isIgnoredFolder(basename(path)) && !isOfSystem(file) && !at.ignores(path, true))
        yield* walkFolder(at, file, path);
    } else if (at.ignores(path, false)) {
      continue;
    } else if (kind === 'file') {
      if (at.includes(path)) yield { kind: 'file', path, file };
    } else if (kind === 'link') {
      const linked = await followed(at, file, path);
      if (linked) yield linked;
    }
  }
}

/**
 * Gives each entry the name that it is shown by, its NFC. Where several are the same in that form, the one that is written so has it, else
 * the first, and each other one gets a mark, before the ending of a file so that it stays what it is.
 */
function namedOnce(entries: readonly Dirent<Buffer>[]): { entry: Dirent<Buffer>; shown: string }[] {
  const named = entries.map((entry) => {
    const name = entry.name.toString('utf8');
    const nfc = name.normalize('NFC');
    return { entry, nfc, rank: !isUtf8(entry.name) ? 2 : name === nfc ? 0 : 1 };
  });
  named.sort((a, b) => a.rank - b.rank || a.entry.name.compare(b.entry.name));
  const owners = new Map<string, Dirent<Buffer>>();
  for (const { entry, nfc } of named) if (!owners.has(nfc)) owners.set(nfc, entry);
  return named
    .map(({ entry, nfc }) => ({ entry, shown: owners.get(nfc) === entry ? nfc : marked(nfc, entry) }))
    .sort((a, b) => (a.shown < b.shown ? -1 : a.shown > b.shown ? 1 : 0));
}

function marked(nfc: string, entry: Dirent<Buffer>): string {
  const ending = entry.isDirectory() ? '' : (/(?<=.)\.[^.]+(?:\.gz)?$/i.exec(nfc)?.[0] ?? '');
  return `${nfc.slice(0, nfc.length - ending.length)}~${sha256(entry.name).slice(0, 12)}${ending}`;
}

async function followed(
  { real, includes }: Walk,
  file: string,
  path: string,
): Promise<WalkedItem | undefined> {
  try {
    const target = await realpath(file);
    const stats = await stat(target);
    if (stats.isDirectory())
      return left(path, 'link', 'is a link to a folder; links to folders are not followed');
    if (!stats.isFile() || !includes(path)) return undefined;
    const below = relative(real, target);
    const inside = below.split(sep);
    if (inside[0] === '..' || isAbsolute(below))
      return left(path, 'link', 'is a link to a file outside of what is imported');
    const named = inside.join('/').normalize('NFC');
    const ignored = inside.slice(0, -1).some(isIgnoredFolder);
    if (!ignored && includes(named))
      return left(path, 'link', `is a link to ${named}, which is imported itself`);
    return { kind: 'file', path, file: target };
  } catch (error) {
    return includes(path) ? left(path, 'unreadable', messageOf(error)) : undefined;
  }
}

function left(path: string, reason: Skipped['reason'], detail: string): WalkedItem {
  return { kind: 'skipped', skipped: { path, reason, detail } };
}
