import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describeFileError, Refusal } from './home.ts';

/** A file that is to be made whole or not at all. */
export interface NewFile {
  /** Where to write it, beside its place. */
  draft: string;
  /** Flushes the draft and puts it in its place. */
  finish(): void;
  /** Removes the draft, if it is still there. */
  discard(): void;
}

/** A place for a new file. Refuses where something lies there already, or no folder is. */
export function claimFile(file: string): NewFile {
  if (fs.existsSync(file))
    throw new Refusal(`There is something at ${file} already. Choose another name, or move it away first.`);
  const folder = path.dirname(file);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Refusal(`There is no folder ${folder}. Make it first, or choose another one.`);
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`;
  return {
    draft,
    finish() {
      flush(draft);
      fs.renameSync(draft, file);
      flushFolder(folder);
    },
    discard() {
      for (const end of ['', '-journal', '-wal', '-shm']) fs.rmSync(`${draft}${end}`, { force: true });
    },
  };
}

/** Waits until the content of a file is on disk. */
export function flush(file: string): void {
  const handle = fs.openSync(file, 'r+');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Waits until the names in a folder are on disk; Windows does that by itself and cannot be asked. */
export function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Copies a file into a new one of mode 0600, on the spot where the file system can. */
export function copyPrivately(from: string, to: string): void {
  try {
    fs.closeSync(fs.openSync(to, 'wx', 0o600));
    fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
    fs.chmodSync(to, 0o600);
  } catch (cause) {
    fs.rmSync(to, { force: true });
    throw new Refusal(
      (cause as NodeJS.ErrnoException).code === 'ENOENT'
        ? `There is no file ${from}.`
        : `${describeFileError(cause, to)}.`,
      cause,
    );
  }
}
