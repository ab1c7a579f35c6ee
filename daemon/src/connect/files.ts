import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CannotEdit } from '@reverie/agent-connect/cannot-edit';
import { writePrivateFile } from '../platform/home/home.ts';
import { flushFolder } from '../platform/home/new-file.ts';
import { readRegular, UnfitFile } from '@reverie/shared/files/regular-file';

/** Bytes of a config that is edited at most: agents keep what they were asked in theirs, too. */
const LARGEST = 64 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A file's text, with its byte order mark; undefined where it is not there. Throws `CannotEdit` where it is no file, or no UTF-8. */
export function readText(file: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readRegular(file, { most: LARGEST });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (cause instanceof UnfitFile) throw new CannotEdit(`${cause.message}, and was not changed.`);
    throw cause;
  }
  try {
    return utf8.decode(bytes);
  } catch {
    // Its bytes would not come back as they were.
    throw new CannotEdit(`${file} was not changed: it is no text in UTF-8.`);
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Where a file really is: what a link leads to is written, so that the link stays one. */
function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    return file;
  }
}

/** Writes a file whole or not at all, in place of one of the same mode; makes its folder. Throws where it may not be written. */
function replaceFile(given: string, text: string): void {
  const file = realPath(given);
  const folder = path.dirname(file);
  fs.mkdirSync(folder, { recursive: true });
  const old = fs.statSync(file, { throwIfNoEntry: false });
  // A rename asks the folder alone: who made a file read-only meant it.
  if (old) fs.accessSync(file, fs.constants.W_OK);
  const draft = `${file}.${randomBytes(6).toString('hex')}.reverie`;
  const handle = fs.openSync(draft, 'wx', old ? old.mode & 0o777 : 0o600);
  try {
    try {
      if (old) fs.fchmodSync(handle, old.mode & 0o777);
      fs.writeFileSync(handle, text);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(draft, file);
    flushFolder(folder);
  } catch (cause) {
    fs.rmSync(draft, { force: true });
    throw cause;
  }
}

/** Makes a file say this, or not be there; nothing where it is so already. */
export function makeFile(file: string, text: string | undefined): void {
  if (readText(file) === text) return;
  if (text === undefined) fs.rmSync(file);
  else replaceFile(file, text);
}

/** Keeps a copy of a text, readable for its user alone; answers where it is. */
export function keepCopy(text: string, { folder, name }: { folder: string; name: string }): string {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = path.join(folder, `${name}.${randomBytes(6).toString('hex')}`);
  writePrivateFile(copy, text);
  return copy;
}
