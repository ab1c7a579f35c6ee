import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openRegular } from '@reverie/shared/files/regular-file';
import type { ReadOptions } from '../reader.ts';

/** The bytes of a file, unpacked where its name ends in `.gz`; each read is told to `onBytes`. */
export async function* bytesOf(
  file: string,
  { onBytes }: Pick<ReadOptions, 'onBytes'>,
): AsyncGenerator<Buffer> {
  const raw = createReadStream(file, { fd: openRegular(file) });
  raw.on('data', (chunk) => onBytes?.(chunk.length));
  if (!/\.gz$/i.test(file)) {
    for await (const chunk of raw) yield chunk as Buffer;
    return;
  }
  const unpacked = createGunzip();
  // The iteration below throws what fails; the callback only keeps it from being thrown twice.
  pipeline(raw, unpacked, () => undefined);
  for await (const chunk of unpacked) yield chunk as Buffer;
}

/** One line without its ending, and its number from 1; `tooLong` where it is above the limit and left out. */
export type NumberedLine =
  { number: number; bytes: Buffer; tooLong?: undefined } | { number: number; tooLong: true };

const NEWLINE = 0x0a;

/** Lines of a stream of bytes, the last one without a newline too; holds at most one of `max` bytes. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, max: number): AsyncGenerator<NumberedLine> {
  const pending: Buffer[] = [];
  let length = 0;
  let number = 1;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= max) pending.push(piece);
    else pending.length = 0;
  };
  const finish = (): NumberedLine => {
    const line: NumberedLine =
      length > max ? { number, tooLong: true } : { number, bytes: Buffer.concat(pending) };
    pending.length = 0;
    length = 0;
    number++;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      yield finish();
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield finish();
}
