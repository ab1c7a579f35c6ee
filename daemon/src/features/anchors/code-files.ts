import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { AnchorPath } from '@reverie/shared/contract/anchors';
import { SMALL_FILE } from '../../platform/regular-file.ts';

/** A file of a repository as it is now. */
export interface CodeFile {
  /** Changes whenever the file does; undefined where it changed so lately that this cannot be known. */
  version: string | undefined;
  /** Reads it. Undefined where it is gone or too large by now. */
  read(): Promise<{ text: string; blob: string } | undefined>;
}

/** Git calls an entry of its index racy where the file changed within the clock's grain of when it was looked at; that of FAT is 2 s. */
const RACY_MS = 2_000;
/** Windows has neither of the last two: they are undefined there, which counts as 0. */
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;

/**
 * Finds a file of a repository, at once, as its folder was found: `gone` where there is no regular file below its root, `unfit` for one of more than 1 MiB. A link is followed
 * within the repository only, and never into `.git`.
 */
export function codeFile(root: string, name: string): CodeFile | 'gone' | 'unfit' {
  if (!AnchorPath.safeParse(name).success) return 'gone';
  const file = ifThere(() => fs.realpathSync.native(path.join(root, name)));
  const below = file === undefined ? undefined : path.relative(root, file).split(path.sep).join('/');
  if (file === undefined || below === undefined || !AnchorPath.safeParse(below).success) return 'gone';
  const now = Date.now();
  const stats = ifThere(() => fs.lstatSync(file, { bigint: true }));
  if (!stats?.isFile()) return 'gone';
  if (stats.size > SMALL_FILE) return 'unfit';
  const { ino, size, mtimeNs, ctimeNs } = stats;
  const isRacy = Math.max(Number(stats.ctimeMs), Number(stats.mtimeMs)) > now - RACY_MS;
  return {
    version: isRacy ? undefined : [ino, size, mtimeNs, ctimeNs].join(':'),
    read: () => readFile(file),
  };
}

async function readFile(file: string): Promise<{ text: string; blob: string } | undefined> {
  const handle = await fs.promises.open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch(whereGone);
  if (!handle) return undefined;
  try {
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
  } finally {
    await handle.close();
  }
}

/** Git's name of what a file says, where nothing is turned on its way in. */
function blobOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** What a look at the disk answers; undefined where nothing is there. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (cause) {
    return whereGone(cause);
  }
}

/** Undefined for a failure that says that nothing is there; whatever else went wrong is thrown on. */
function whereGone(cause: unknown): undefined {
  if (!(cause instanceof Error && 'code' in cause && GONE.has(String(cause.code)))) throw cause;
}
