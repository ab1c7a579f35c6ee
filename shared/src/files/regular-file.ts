import fs from 'node:fs';

/** Bytes of a small file at most, such as a config of Git or a list of what is ignored. */
export const SMALL_FILE = 1024 * 1024;

/** What is at a path is no regular file, or too large a one. */
export class UnfitFile extends Error {}

/** Windows has neither such files nor the last two: they are undefined there, which counts as 0. */
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;

export interface OpenOptions {
  /** Whether a link is refused as well; it is followed otherwise. */
  refusesLinks?: boolean;
}

/**
 * Opens a file that input names, for reading; answers its descriptor. A pipe, a device or a socket, which may keep its reader waiting for
 * ever, throws `UnfitFile`.
 */
export function openRegular(file: string, { refusesLinks = false }: OpenOptions = {}): number {
  const look = refusesLinks ? fs.lstatSync : fs.statSync;
  // Before it is opened, for opening a device may do something; once more behind it, for it may be another one by then.
  refuseOthers(file, look(file));
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK | (refusesLinks ? O_NOFOLLOW : 0));
  try {
    refuseOthers(file, fs.fstatSync(handle));
    return handle;
  } catch (cause) {
    fs.closeSync(handle);
    throw cause;
  }
}

function refuseOthers(file: string, stats: fs.Stats): void {
  if (!stats.isFile()) throw new UnfitFile(`${file} is not a file`);
}

/** Reads a file that input names. Throws `UnfitFile` for what is no regular file, or has more than `most` bytes. */
export function readRegular(
  file: string,
  { most = SMALL_FILE, ...options }: OpenOptions & { most?: number } = {},
): Buffer {
  const handle = openRegular(file, options);
  try {
    const { size } = fs.fstatSync(handle);
    if (size > most) throw new UnfitFile(`${file} has ${size} bytes; the most is ${most}`);
    // Those of /proc say that they are empty, and some never end: no more is read than may be.
    const pieces: Buffer[] = [];
    for (let left = most + 1; left > 0;) {
      const piece = Buffer.allocUnsafe(Math.min(left, Math.max(size, 64 * 1024) + 1));
      const count = fs.readSync(handle, piece, 0, piece.length, null);
      if (count === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, count));
      left -= count;
    }
    throw new UnfitFile(`${file} has more than ${most} bytes`);
  } finally {
    fs.closeSync(handle);
  }
}
