import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { flushFolder } from '../../../platform/home/new-file.ts';
import { readRegular } from '@reverie/shared/files/regular-file';
import { isPlainPath } from '@reverie/memory-formats/markdown/file-names';
import { isCode, maxFileBytes } from '@reverie/memory-formats/files/text-file';
import { isWithin } from '../root.ts';

/** Where files go whose memory was deleted here. */
const TRASH = '.reverie-trash';

/** The bytes of a file; undefined where there is none. A link or anything else that is no file throws. */
export function bytesAt(file: string): Buffer | undefined {
  try {
    return readRegular(file, { refusesLinks: true, most: maxFileBytes });
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Whether a key can be the path of a file below the folder on every platform; `.gz` is refused, for it stands for a packed file. */
export function isSafePath(key: string): boolean {
  return !/\.gz$/i.test(key) && isPlainPath(key);
}

/** Writes a draft beside a file, on disk when it returns. */
function draftBeside(file: string, text: string, mode: number): string {
  const draft = path.join(path.dirname(file), `.reverie-${randomBytes(6).toString('hex')}.tmp`);
  const handle = fs.openSync(draft, 'wx', mode);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  } finally {
    fs.closeSync(handle);
  }
  return draft;
}

/** Puts a text in the place of a file, whole or not at all; not where the file is not as expected. Answers whether it did. */
export function writeOver(file: string, text: string, isExpected: (bytes: Buffer) => boolean): boolean {
  const draft = draftBeside(file, text, fs.statSync(file).mode & 0o777);
  try {
    // As late as can be: nothing else runs in this process until the file is in its place.
    const bytes = bytesAt(file);
    if (!bytes || !isExpected(bytes)) return false;
    fs.renameSync(draft, file);
    flushFolder(path.dirname(file));
    return true;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Makes the folders of a path, none of which may lead elsewhere; answers the file, or undefined where one does. */
function placeFor(root: string, relative: string): string | undefined {
  const file = path.join(root, ...relative.split('/'));
  const parent = path.dirname(file);
  let there = parent;
  while (!fs.existsSync(there)) there = path.dirname(there);
  if (!isWithin(root, fs.realpathSync(there)) || fs.realpathSync(there) !== there) return undefined;
  fs.mkdirSync(parent, { recursive: true, mode: 0o700 });
  return file;
}

/** Writes a file that is not there yet, whole or not at all; answers whether it did. */
export function writeNew(root: string, relative: string, text: string): boolean {
  const file = placeFor(root, relative);
  if (file === undefined || fs.lstatSync(file, { throwIfNoEntry: false })) return false;
  const draft = draftBeside(file, text, 0o600);
  try {
    putNew(draft, file);
    flushFolder(path.dirname(file));
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Gives a file a name that is free; a link, unlike a renaming, never takes the place of another file. */
function putNew(from: string, to: string): void {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    // A file system without links.
    if (!isCode(error, 'EPERM') && !isCode(error, 'ENOTSUP') && !isCode(error, 'EOPNOTSUPP')) throw error;
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  }
  fs.rmSync(from, { force: true });
}

/** Gives a file another path below the folder, where that is free; answers whether it did. */
export function moveTo(root: string, file: string, relative: string): boolean {
  const target = placeFor(root, relative);
  if (target === undefined) return false;
  try {
    putNew(file, target);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Moves a file out of the way, into a folder that nothing looks at. It is never deleted. */
export function moveAside(root: string, file: string, relative: string): void {
  const { dir, name, ext } = path.posix.parse(relative);
  for (let count = 0; ; count += 1) {
    const mark = count === 0 ? '' : ` (${count})`;
    if (moveTo(root, file, path.posix.join(TRASH, dir, `${name}${mark}${ext}`))) return;
    if (count === 10_000)
      throw new Error(`${path.join(root, TRASH)} takes no more files named ${name}${ext}`);
  }
}
