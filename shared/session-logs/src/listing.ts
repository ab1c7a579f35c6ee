import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { SessionFile, SessionFormat } from './format.ts';

/** A log that was found, by its name alone. */
export interface FoundLog {
  path: string;
  relative: string;
  file: SessionFile;
  size: number;
  /** Ms since 1970, with fractions. */
  changed: number;
  /** When the file was made, ms since 1970: the time of entries that say none. */
  born: number;
  inode: string;
}

/**
 * The logs below a folder, the one that was written to last first. Folders behind links are not looked into, and what may not be read is
 * passed over. It reads names and sizes, and no file.
 */
export async function listLogs(format: SessionFormat, root: string): Promise<FoundLog[]> {
  const found: FoundLog[] = [];
  async function walk(folder: string): Promise<void> {
    for (const entry of await entriesOf(folder)) {
      const at = path.join(folder, entry.name);
      if (entry.isDirectory()) await walk(at);
      else if (entry.isFile() || entry.isSymbolicLink()) {
        const log = await logAt(format, root, at);
        if (log) found.push(log);
      }
    }
  }
  await walk(root);
  return found.sort((a, b) => b.changed - a.changed);
}

/** The log at a path, where it is one; undefined where it is none, or gone. */
export async function logAt(format: SessionFormat, root: string, at: string): Promise<FoundLog | undefined> {
  const relative = path.relative(root, at).split(path.sep).join('/');
  const file = format.fileAt(relative);
  if (!file) return undefined;
  try {
    const stat = await fs.stat(at, { bigint: true });
    if (!stat.isFile()) return undefined;
    return {
      path: at,
      relative,
      file,
      size: Number(stat.size),
      inode: String(stat.ino),
      changed: Number(stat.mtimeNs) / 1e6,
      born: Number(stat.birthtimeMs > 0n ? stat.birthtimeMs : stat.mtimeMs),
    };
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await fs.readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (isAbsence(cause)) return [];
    throw cause;
  }
}

/** Tells whether a failure says that something is not there, or not for us to read. */
export function isAbsence(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(String(code));
}
