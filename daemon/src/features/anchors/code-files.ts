import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { AnchorPath } from '@reverie/shared/contract/memories/anchors';
import { SMALL_FILE } from '@reverie/shared/files/regular-file';

/** A file of a repository as it is now. */
export interface CodeFile {
  /** From the root, without links. */
  path: string;
  /** Changes whenever the file does; undefined where it changed so lately that this cannot be known. */
  version: string | undefined;
  /** Reads it. Undefined where it is gone or too large by now, or may not be read. */
  read(): Promise<{ text: string; blob: string } | undefined>;
}

/** Git calls an entry of its index racy where the file changed within the clock's grain of when it was looked at; that of FAT is 2 s. */
const RACY_MS = 2_000;
/** Windows has neither of the last two: they are undefined there, which counts as 0. */
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;

/**
 * Finds a file of a repository, at once, as its folder was found: `gone` where there is no regular file below its root, `unfit` for one of
 * more than 1 MiB, or that the file system keeps from us. A link is followed within the repository only, and never into `.git`.
 */
export function codeFile(root: string, name: string): CodeFile | 'gone' | 'unfit' {
  if (!AnchorPath.safeParse(name).success) return 'gone';
  const file = tried(() => fs.realpathSync.native(path.join(root, name)));
  if (file === 'gone' || file === 'unfit') return file;
  const below = path.relative(root, file).split(path.sep).join('/');
  if (!AnchorPath.safeParse(below).success) return 'gone';
  const now = Date.now();
  const stats = tried(() => fs.lstatSync(file, { bigint: true }));
  if (stats === 'gone' || stats === 'unfit') return stats;
  if (!stats.isFile()) return 'gone';
  if (stats.size > SMALL_FILE) return 'unfit';
  const { ino, size, mtimeNs, ctimeNs } = stats;
  const isRacy = Math.max(Number(stats.ctimeMs), Number(stats.mtimeMs)) > now - RACY_MS;
  return {
    path: below,
    version: isRacy ? undefined : [ino, size, mtimeNs, ctimeNs].join(':'),
    read: () => readFile(file),
  };
}

async function readFile(file: string): Promise<{ text: string; blob: string } | undefined> {
  let handle: fs.promises.FileHandle | undefined;
  try {
    handle = await fs.promises.open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, SMALL_FILE) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    // It grew while it was read.
    if (length === bytes.length) return undefined;
    const content = bytes.subarray(0, length);
    return { text: content.toString('utf8'), blob: blobOf(content) };
  } catch (cause) {
    whyNot(cause);
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** Git's name of what a file says, where nothing is turned on its way in. */
function blobOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** What a look at the disk answers, or why there is nothing to be looked at. */
function tried<T>(look: () => T): T | 'gone' | 'unfit' {
  try {
    return look();
  } catch (cause) {
    return whyNot(cause);
  }
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
/** What this process lacks for the moment says nothing of a file. */
const LACKS = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** What a failure of the file system says of a file. Throws on what says nothing of it. */
function whyNot(cause: unknown): 'gone' | 'unfit' {
  const code = cause instanceof Error && 'syscall' in cause && 'code' in cause ? String(cause.code) : '';
  if (code === '' || LACKS.has(code)) throw cause;
  return GONE.has(code) ? 'gone' : 'unfit';
}
