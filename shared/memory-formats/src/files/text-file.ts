import fs from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { openRegular, UnfitFile } from '@reverie/shared/files/regular-file';
import { messageOf, type Skipped } from '../reader.ts';

/** A text file as it is; `bytes` are those of the text, unpacked where it was packed. */
export type TextFile =
  | { kind: 'text'; text: string; bytes: Buffer; modified: number; size: number }
  | { kind: 'skipped'; skipped: Skipped; size: number };

/** Files that are larger, packed or not, are no notes. */
export const maxFileBytes = 64 * 1024 * 1024;

const unpack = promisify(gunzip);

/**
 * Reads a file that should be text in UTF-8; `shown` is its name in what is skipped. `.gz` is unpacked.
 * `mayHold` lets through what looks binary, for files that hold any character on purpose.
 */
export async function readTextFile(
  file: string,
  shown: string,
  mayHold: (bytes: Buffer) => boolean,
): Promise<TextFile> {
  let handle: number | undefined;
  let size = 0;
  const skipped = (reason: Skipped['reason'], detail: string): TextFile => {
    return { kind: 'skipped', size, skipped: { path: shown, reason, detail } };
  };
  try {
    // Ten thousand small files: with promises, each would wait four times for a thread.
    handle = openRegular(file);
    const stats = fs.fstatSync(handle);
    size = stats.size;
    if (size > maxFileBytes) return skipped('too_large', `has ${size} bytes; the most is ${maxFileBytes}`);
    const raw = fs.readFileSync(handle);
    const bytes = /\.gz$/i.test(file) ? await unpack(raw, { maxOutputLength: maxFileBytes }) : raw;
    const decoded = decodeText(bytes, mayHold(bytes));
    if (decoded.problem) return skipped(decoded.problem.reason, decoded.problem.detail);
    return { kind: 'text', text: decoded.text, bytes, modified: stats.mtimeMs, size };
  } catch (error) {
    if (isCode(error, 'ERR_BUFFER_TOO_LARGE'))
      return skipped('too_large', `unpacks to more than ${maxFileBytes} bytes`);
    return skipped('unreadable', error instanceof UnfitFile ? 'is not a file' : messageOf(error));
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}

/** Tells whether an error of Node has this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

type Decoded =
  | { text: string; problem?: undefined }
  | { text?: undefined; problem: { reason: Skipped['reason']; detail: string } };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as text, byte for byte (a byte order mark stays), or why they are none. */
export function decodeText(bytes: Uint8Array, anyCharacter = false): Decoded {
  if (bytes.length === 0) return refused('empty', 'has no bytes');
  const wide = wideEncodingOf(bytes);
  if (wide) return refused('not_utf8', `is ${wide}; save it as UTF-8`);
  if (!anyCharacter && bytes.includes(0)) return refused('binary', 'holds NUL bytes, so it is no text');
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refused('not_utf8', 'is not valid UTF-8; save it as UTF-8');
  }
  if (text.trim() === '') return refused('empty', 'holds nothing but white space');
  return { text };
}

function refused(reason: Skipped['reason'], detail: string): Decoded {
  return { problem: { reason, detail } };
}

/** UTF-16 or UTF-32, where a byte order mark at the start says so. */
export function wideEncodingOf(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32' : 'UTF-16';
  if (a === 0xfe && b === 0xff) return 'UTF-16';
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? 'UTF-32' : undefined;
}
