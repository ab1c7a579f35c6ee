import path from 'node:path';
import type { FolderIssue } from '@reverie/shared/contract/memories/folders';
import { type Ignores, messageOf } from '@reverie/memory-formats/reader';
import { isCode } from '@reverie/memory-formats/files/text-file';
import { entriesOf, type FolderEntry, UNREACHABLE } from '@reverie/memory-formats/files/walk';

/** A note that lies in a folder: `path` is relative, with `/` and in NFC; `file` is where it is on this disk. */
export interface NoteFile {
  path: string;
  file: string;
}

/** What lies in the folders that were looked at. */
export interface Listing {
  notes: NoteFile[];
  /** Of each folder that could be read, by its relative path: what notes and folders are in it. */
  folders: Map<string, Map<string, 'note' | 'folder'>>;
  issues: FolderIssue[];
}

/** Emacs locks a file by a link of this name beside it; it is no note of anybody. */
function isEditorsLock(entry: string): boolean {
  return path.posix.basename(entry).startsWith('.#');
}

interface Wanted {
  root: string;
  /** Which files are notes, by their relative path. */
  isNote: (path: string) => boolean;
  ignores: Ignores;
  /** Looks at these folders only, and at those below them that are not known yet; at all of them where omitted. */
  only?: { folders: Iterable<string>; isKnown: (folder: string) => boolean } | undefined;
}

/** Lists the notes of a folder: all of them, or those of some of its folders. Follows no link. */
export async function listNotes({ root, isNote, ignores, only }: Wanted): Promise<Listing> {
  const listing: Listing = { notes: [], folders: new Map(), issues: [] };
  const waiting = only ? [...only.folders] : [''];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (listing.folders.has(folder)) continue;
    if (folder !== '' && ignores(folder, true)) {
      // As good as gone: its parent says so.
      waiting.push(parentOf(folder));
      continue;
    }
    let entries: FolderEntry[];
    try {
      entries = await entriesOf(path.join(root, folder), folder);
    } catch (error) {
      if (folder === '') throw error;
      // Gone in the meantime: its parent says so.
      if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) waiting.push(parentOf(folder));
      else listing.issues.push({ path: folder, reason: 'unreadable', detail: messageOf(error) });
      continue;
    }
    const here = new Map<string, 'note' | 'folder'>();
    listing.folders.set(folder, here);
    for (const entry of entries) {
      if (ignores(entry.path, entry.kind === 'folder')) continue;
      if (!entry.isReachable) {
        if (entry.kind === 'folder' || (entry.kind === 'file' && isNote(entry.path)))
          listing.issues.push({ path: entry.path, reason: 'unreadable', detail: UNREACHABLE });
        continue;
      }
      if (entry.kind === 'folder') {
        here.set(entry.path, 'folder');
        if (!only?.isKnown(entry.path)) waiting.push(entry.path);
      } else if (isNote(entry.path) && entry.kind === 'file') {
        here.set(entry.path, 'note');
        listing.notes.push({ path: entry.path, file: entry.file });
      } else if (isNote(entry.path) && entry.kind === 'link' && !isEditorsLock(entry.path))
        listing.issues.push({
          path: entry.path,
          reason: 'link',
          detail: 'is a link; links are not followed, put the file itself here',
        });
    }
  }
  return listing;
}

/** The folder that something lies in, relative; empty for the root. */
export function parentOf(relative: string): string {
  const slash = relative.lastIndexOf('/');
  return slash === -1 ? '' : relative.slice(0, slash);
}

/**
 * Whether a listing shows that a note is gone, or that a folder, a link or anything else stands in its place: not where its folder was not
 * looked at, or could not be read. With `any`, a folder in its place will do.
 */
export function isGone(
  relative: string,
  { folders }: Pick<Listing, 'folders'>,
  as: 'note' | 'any' = 'note',
): boolean {
  const parts = relative.split('/');
  for (let depth = 0; depth < parts.length; depth += 1) {
    const here = folders.get(parts.slice(0, depth).join('/'));
    const kind = here?.get(parts.slice(0, depth + 1).join('/'));
    const isLast = depth === parts.length - 1;
    if (
      here &&
      (kind === undefined || (kind === 'folder' && isLast && as === 'note') || (kind === 'note' && !isLast))
    )
      return true;
  }
  return false;
}
