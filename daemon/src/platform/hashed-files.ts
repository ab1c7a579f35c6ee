import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { flushFolder } from './new-file.ts';
import { openRegular, readRegular } from './regular-file.ts';

/** Files of mode 0600 in one folder, each named by the SHA-256 of what it holds, so that what is there twice lies there once. */
export interface HashedFiles {
  readonly folder: string;
  /** Copies a regular file beside the others, piece by piece; it has no name of theirs until it is placed. Throws what `fs` and `openRegular` throw. */
  copy(file: string, wanted: Wanted): Promise<Copied>;
  /** Where the file of a hash lies, or would. */
  fileOf(hash: string): string;
  /** Removes the file of a hash, if it is there. */
  remove(hash: string): void;
  /** The hashes that are there. */
  hashes(): string[];
}

/** Which files are copied: of so many bytes at most, and that begin as they should. */
export interface Wanted {
  bytes: number;
  /** Bytes of the beginning that are shown to `begins`. */
  head: number;
  begins: (head: Buffer) => boolean;
}

/** What became of a file that was copied. */
export type Copied =
  | { kind: 'copied'; hash: string; size: number; stamp: string; place(): void; discard(): void }
  | { kind: 'too_large'; size: number }
  /** It does not begin as it should. */
  | { kind: 'unwanted' }
  /** It was written while it was read. */
  | { kind: 'changed' };

const HASH = /^[\da-f]{64}$/u;
const PIECE = 256 * 1024;
const readAt = promisify(fs.read);

/** How a file looks that is the same as long as this is. */
export function stampOf({ ino, size, mtimeMs }: fs.Stats): string {
  return `${ino}:${size}:${mtimeMs}`;
}

/** The files of a folder by their hashes; the folder is made with the first of them. */
export function hashedFiles(folder: string): HashedFiles {
  const fileOf = (hash: string) => path.join(folder, hash);
  return {
    folder,
    fileOf,
    async copy(file, { bytes, head, begins }) {
      const from = openRegular(file, { refusesLinks: true });
      const draft = path.join(folder, `${randomBytes(6).toString('hex')}.part`);
      const discard = () => fs.rmSync(draft, { force: true });
      try {
        const before = fs.fstatSync(from);
        if (before.size > bytes) return { kind: 'too_large', size: before.size };
        const first = Buffer.alloc(head);
        if (!begins(first.subarray(0, fs.readSync(from, first, 0, head, 0)))) return { kind: 'unwanted' };
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const copied = await copyInto(from, draft, bytes);
        const after = fs.fstatSync(from);
        if (copied === undefined || stampOf(before) !== stampOf(after) || copied.size !== after.size) {
          discard();
          return { kind: 'changed' };
        }
        const place = () => {
          fs.renameSync(draft, fileOf(copied.hash));
          flushFolder(folder);
        };
        return { kind: 'copied', ...copied, stamp: stampOf(after), place, discard };
      } catch (cause) {
        discard();
        throw cause;
      } finally {
        fs.closeSync(from);
      }
    },
    remove: (hash) => fs.rmSync(fileOf(hash), { force: true }),
    hashes() {
      try {
        return fs.readdirSync(folder).filter((name) => HASH.test(name));
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw cause;
      }
    },
  };
}

/** Copies what a descriptor reads into a new file, flushed; undefined where that is more than may be. */
async function copyInto(
  from: number,
  draft: string,
  most: number,
): Promise<{ hash: string; size: number } | undefined> {
  const to = await open(draft, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE);
    for (let size = 0; ;) {
      const { bytesRead } = await readAt(from, piece, 0, PIECE, size);
      if (bytesRead === 0) {
        await to.sync();
        return { hash: hash.digest('hex'), size };
      }
      size += bytesRead;
      if (size > most) return undefined;
      const read = piece.subarray(0, bytesRead);
      hash.update(read);
      await to.writeFile(read);
    }
  } finally {
    await to.close();
  }
}

/** The folder beside a backup that has the files of its attachments. */
export function filesBeside(backup: string): string {
  return `${backup}.attachments`;
}

/** Whether a file holds what its name says. */
export function isSound(files: HashedFiles, hash: string): boolean {
  return (
    createHash('sha256')
      .update(readRegular(files.fileOf(hash), { most: Infinity, refusesLinks: true }))
      .digest('hex') === hash
  );
}

/** Gives files of one folder a second name in another one, or a copy where the disk knows no links; those that are there stay. */
export function lendFiles(from: HashedFiles, to: string, hashes: readonly string[] = from.hashes()): number {
  let lent = 0;
  for (const hash of hashes) {
    const target = path.join(to, hash);
    const source = from.fileOf(hash);
    if (!HASH.test(hash) || fs.existsSync(target) || !fs.existsSync(source)) continue;
    fs.mkdirSync(to, { recursive: true, mode: 0o700 });
    try {
      fs.linkSync(source, target);
    } catch {
      // Another disk, or one that knows no second names.
      const draft = path.join(to, `${randomBytes(6).toString('hex')}.part`);
      try {
        fs.copyFileSync(source, draft, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
        fs.chmodSync(draft, 0o600);
        fs.renameSync(draft, target);
      } finally {
        fs.rmSync(draft, { force: true });
      }
    }
    lent += 1;
  }
  if (lent > 0) flushFolder(to);
  return lent;
}
