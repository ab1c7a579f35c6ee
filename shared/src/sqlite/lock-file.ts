import fs from 'node:fs';

/**
 * Makes the empty file of a lock where there is none, and has only its user read it: whoever can read one can hold up its owner. A file
 * that is there is not opened, since closing it again would free every lock that this process has on it.
 */
export function makeLockFile(file: string): void {
  try {
    fs.closeSync(fs.openSync(file, 'wx', 0o600));
  } catch {
    // It is there, or SQLite says in its own words why it cannot be made.
  }
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat && process.platform !== 'win32' && (stat.mode & 0o077) !== 0) fs.chmodSync(file, 0o600);
}
