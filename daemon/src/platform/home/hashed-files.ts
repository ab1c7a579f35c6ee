import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { flushFolder } from './new-file.ts';
import { openRegular, readRegular } from '@reverie/shared/files/regular-file';

/** Files of mode 0600 in one folder, each named by the SHA-256 of what it holds, so that what is there twice lies there once. */
export interface HashedFiles {
  readonly folder: string;
  /** Copies a regular file beside the others, piece by piece; it has no name of theirs until it is placed. Throws what `fs` and `openRegular` throw. */
  copy(file: string, wanted: Wanted): Promise<Copied>;
  /**
   * Takes bytes that come from elsewhere, as `copy` does: those of one file, whose hash the answer has. What throws while they come is thrown.
   */
  receive(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Received>;
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

/** What became of bytes that came. */
export type Received =
  { kind: 'received'; hash: string; size: number; place(): void; discard(): void } | { kind: 'too_large' };

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
  const draftIn = () => {
    const draft = path.join(folder, `${randomBytes(6).toString('hex')}.part`);
    return { draft, discard: () => fs.rmSync(draft, { force: true }) };
  };
  const placing = (draft: string, hash: string) => () => {
    fs.renameSync(draft, fileOf(hash));
    flushFolder(folder);
  };
  return {
    folder,
    fileOf,
    async copy(file, { bytes, head, begins }) {
      const from = openRegular(file, { refusesLinks: true });
      const { draft, discard } = draftIn();
      try {
        const before = fs.fstatSync(from);
        if (before.size > bytes) return { kind: 'too_large', size: before.size };
        const first = Buffer.alloc(head);
        if (!begins(first.subarray(0, fs.readSync(from, first, 0, head, 0)))) return { kind: 'unwanted' };
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const copied = await writeInto(draft, piecesOf(from), bytes);
        const after = fs.fstatSync(from);
        if (copied === undefined || stampOf(before) !== stampOf(after) || copied.size !== after.size) {
          discard();
          return { kind: 'changed' };
        }
        const place = placing(draft, copied.hash);
        return { kind: 'copied', ...copied, stamp: stampOf(after), place, discard };
      } catch (cause) {
        discard();
        throw cause;
      } finally {
        fs.closeSync(from);
      }
    },
    async receive(bytes, most) {
      const { draft, discard } = draftIn();
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      try {
        const written = await writeInto(draft, bytes, most);
        if (written) return { kind: 'received', ...written, place: placing(draft, written.hash), discard };
        discard();
        return { kind: 'too_large' };
      } catch (cause) {
        discard();
        throw cause;
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

/** What a descriptor reads, piece by piece; each is read into the same memory. */
async function* piecesOf(from: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.allocUnsafe(PIECE);
  for (let at = 0; ;) {
    const { bytesRead } = await readAt(from, piece, 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Writes pieces into a new file, flushed; undefined where they are more than may be. */
async function writeInto(
  draft: string,
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ hash: string; size: number } | undefined> {
  const to = await open(draft, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const piece of pieces) {
      size += piece.length;
      if (size > most) return undefined;
      hash.update(piece);
      await to.writeFile(piece);
    }
    await to.sync();
    return { hash: hash.digest('hex'), size };
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
