import fs from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { AttachmentLeftOut } from '@reverie/shared/contract/memories/attachments';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store } from '../../db/open-store.ts';
import { type HashedFiles, stampOf } from '../../platform/home/hashed-files.ts';
import { UnfitFile } from '@reverie/shared/files/regular-file';
import { isDiskFull } from '../../platform/home/room.ts';
import { createYielding } from '../../platform/yielding.ts';
import { type Ignores, messageOf } from '@reverie/memory-formats/reader';
import { isNote } from '@reverie/memory-formats/markdown/markdown';
import { walk } from '@reverie/memory-formats/files/walk';
import {
  type AttachmentRow,
  bytesOfAccount,
  deleteAttachment,
  FROM_DEVICES,
  linksToFiles,
  listAttachments,
  type NamespaceAt,
  saveAttachment,
} from './attachments.store.ts';
import { HEAD_BYTES, isAttachmentName, typeOf } from '@reverie/memory-formats/notes/attachment-kinds';
import { createFileResolver } from './naming.ts';
import type { TextLeftOut } from './texts/messages.ts';
import { textOf } from './texts/texts.store.ts';

/** Bytes of one file, and of all files of an account, at most. */
export const MOST_BYTES = { file: 25 * 1024 * 1024, account: 4 * 1024 * 1024 * 1024 } as const;

export interface TakingDeps {
  store: Store;
  files: HashedFiles;
}

/** A folder whose notes are the memories of a namespace. */
export interface FolderOfNotes extends NamespaceAt {
  /** Its real path. */
  root: string;
  ignores?: Ignores;
  /** Whether what is gone there, or not named any more, is taken away here. */
  removes: boolean;
  /** Asked between two files. */
  isStopped?: () => boolean;
}

/** What became of the files that the notes of a folder name. */
export interface TakenFiles {
  stored: number;
  unchanged: number;
  /** What was left out, and why. */
  left: AttachmentLeftOut[];
}

/**
 * Stores the pictures and PDFs below a folder that the notes of its namespace name. What was read before and looks as it did is not read
 * again. Nothing outside of the folder is read: links are not followed.
 */
export async function takeAttachments(deps: TakingDeps, folder: FolderOfNotes): Promise<TakenFiles> {
  const { store } = deps;
  const taken: TakenFiles = { stored: 0, unchanged: 0, left: [] };
  const places = await filesBelow(folder, taken);
  const turn = createYielding();
  const resolve = createFileResolver(places.keys());
  const named = new Set<string>();
  for (const link of store.read((db) => linksToFiles(db, folder))) {
    const found = resolve(link, link.from);
    if (found !== undefined) named.add(found);
    await turn();
  }
  const known = new Map(store.read((db) => listAttachments(db, folder)).map((row) => [row.path, row]));
  for (const [name, file] of places) {
    if (folder.isStopped?.()) return taken;
    if (named.has(name)) await takeFile(deps, { folder, name, file, known: known.get(name) }, taken);
    else if (isAttachmentName(name)) taken.left.push(left(name, 'not_named', 'no note names it'));
    await turn();
  }
  if (folder.removes) removeOthers(deps, { folder, known, named });
  return taken;
}

/** The files below a folder that are no notes, by path; names links to pictures that are not followed. */
async function filesBelow(
  { root, ignores }: FolderOfNotes,
  { left: out }: TakenFiles,
): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for await (const item of walk(root, (name) => !isNote(name), ignores)) {
    if (item.kind === 'file') {
      // The walk follows links to files within the folder, too.
      if (fs.lstatSync(item.file, { throwIfNoEntry: false })?.isFile()) places.set(item.path, item.file);
    } else if (isAttachmentName(item.skipped.path)) {
      const { path: name, reason, detail } = item.skipped;
      out.push(left(name, reason === 'link' ? 'link' : 'unreadable', detail));
    }
  }
  return places;
}

/** What is said of a PDF that is stored and was not read, or not all of it. */
const WITHOUT_TEXT: Readonly<Record<TextLeftOut, string>> = {
  encrypted: 'is stored, and wants a password: search finds nothing of its text',
  broken: 'is stored, and cannot be read, or not all of it: search finds nothing of that',
  empty: 'is stored, and has no text, as scanned pages have none: search finds nothing of it',
  limit: 'is stored, and too long to be read whole: search finds what was read of it',
};

function left(name: string, reason: AttachmentLeftOut['reason'], detail: string): AttachmentLeftOut {
  return { path: name, reason, detail };
}

interface NamedFile {
  folder: FolderOfNotes;
  name: string;
  file: string;
  known: AttachmentRow | undefined;
}

async function takeFile(deps: TakingDeps, named: NamedFile, taken: TakenFiles): Promise<void> {
  const { name, file, folder, known } = named;
  // What another device sent gives way to a file of this one.
  if (known && known.source !== FROM_DEVICES && known.source !== folder.root) {
    const detail = `${known.source} has a file at this path, which was taken already`;
    taken.left.push(left(name, 'duplicate', detail));
    return;
  }
  try {
    const stats = fs.lstatSync(file);
    const isThere = known !== undefined && fs.existsSync(deps.files.fileOf(known.hash));
    if (isThere && known.stamp === stampOf(stats)) {
      taken.unchanged += 1;
      const { account } = folder;
      const why = deps.store.read((db) => textOf(db, { account, hash: known.hash }))?.left_out;
      if (why) taken.left.push(left(name, 'no_text', WITHOUT_TEXT[why]));
      return;
    }
    const why = await storeFile(deps, named);
    if (why) taken.left.push({ path: name, ...why });
    else taken.stored += 1;
  } catch (cause) {
    // Nothing can be stored now, whatever the file.
    if (isDiskFull(cause) || cause instanceof Problem) throw cause;
    const detail = cause instanceof UnfitFile ? 'is not a file' : messageOf(cause);
    taken.left.push(left(name, 'unreadable', detail));
  }
}

/** Reads a file once, and stores it with its row; answers why it was left out. */
async function storeFile(
  { store, files }: TakingDeps,
  { folder, name, file }: NamedFile,
): Promise<Omit<AttachmentLeftOut, 'path'> | undefined> {
  // A folder on the way may have become a link since it was walked.
  const below = path.relative(folder.root, await realpath(file));
  if (below.split(path.sep)[0] === '..' || path.isAbsolute(below))
    return { reason: 'link', detail: 'lies outside of the folder' };
  let type: AttachmentRow['type'] | undefined;
  const begins = (head: Buffer) => (type = typeOf(head)) !== undefined;
  const copied = await files.copy(file, { bytes: MOST_BYTES.file, head: HEAD_BYTES, begins });
  if (copied.kind === 'too_large')
    return { reason: 'too_large', detail: `has ${copied.size} bytes; the most is ${MOST_BYTES.file}` };
  if (copied.kind === 'unwanted' || type === undefined)
    return { reason: 'other_type', detail: 'is no PNG, JPEG, GIF, WebP, AVIF, SVG or PDF by what it holds' };
  if (copied.kind === 'changed')
    return { reason: 'changed', detail: 'was written while it was read; it is looked at again later' };
  const { hash, size, stamp } = copied;
  const row: AttachmentRow = { path: name, hash, size, type, source: folder.root, stamp };
  try {
    return store.write((db) => {
      if (bytesOfAccount(db, folder.account) + size > MOST_BYTES.account) {
        const detail = `all pictures together may have ${MOST_BYTES.account} bytes, and are full with it`;
        return { reason: 'full' as const, detail };
      }
      // The name first: a row without its file would be a picture that is not there.
      copied.place();
      saveAttachment(db, folder, row);
      return undefined;
    });
  } finally {
    copied.discard();
  }
}

/** Takes away the rows of files that are gone, or that no note names any more. */
function removeOthers(
  { store }: TakingDeps,
  {
    folder,
    known,
    named,
  }: { folder: FolderOfNotes; known: ReadonlyMap<string, AttachmentRow>; named: ReadonlySet<string> },
): void {
  const gone = [...known.values()].filter(
    ({ path: name, source }) => source === folder.root && !named.has(name),
  );
  if (gone.length === 0) return;
  store.write((db) => {
    for (const { path: name } of gone) deleteAttachment(db, folder, name);
  });
}
