import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CannotEdit } from './edit.ts';
import { writePrivateFile } from '../platform/home.ts';
import { flushFolder } from '../platform/new-file.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Larger than any settings of an agent: those of Claude Code hold its history, and have some megabytes. */
const LONGEST = 64 * 1024 * 1024;

/** The bytes of a file; undefined where it is not there. Throws `CannotEdit` for what is no regular file, such as a pipe, which nobody may ever write to. */
function readRegularFile(file: string): Buffer | undefined {
  let handle: number;
  try {
    // A pipe that nobody writes to would keep it waiting at the open already.
    handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    // A socket.
    if (code === 'ENXIO') throw new CannotEdit(`${file} was not changed: it is no regular file.`);
    throw cause;
  }
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) throw new CannotEdit(`${file} was not changed: it is no regular file.`);
    if (stat.size > LONGEST) throw new CannotEdit(`${file} was not changed: it has more than 64 MiB.`);
    return fs.readFileSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** A file's text, with its byte order mark; undefined where it is not there. Throws `CannotEdit` where it is no regular file, or no UTF-8. */
export function readText(file: string): string | undefined {
  const bytes = readRegularFile(file);
  if (bytes === undefined) return undefined;
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
