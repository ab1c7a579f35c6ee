import type { Readable } from 'node:stream';

/** Bytes of a line at most: what is longer is no record, and is passed over. */
export const LONGEST_LINE = 64 * 1024 * 1024;

/** A line, or undefined for one that is too long; `end` is where the next line begins, in bytes of the uncompressed log. */
type LogLine = { text: string; end: number } | { text: undefined; end: number };

const NEWLINE = 10;

/**
 * The whole lines of a stream, each without its end. What stands behind the last newline is not a line yet. It holds one line at a time,
 * and no more than `longest` bytes.
 */
export async function* wholeLines(
  stream: Readable,
  { from = 0, longest = LONGEST_LINE }: { from?: number; longest?: number } = {},
): AsyncGenerator<LogLine> {
  let pieces: Buffer[] = [];
  let held = 0;
  let isTooLong = false;
  let offset = from;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let at = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, at);
      const piece = chunk.subarray(at, end < 0 ? chunk.length : end);
      held += piece.length;
      if (held > longest) {
        isTooLong = true;
        pieces = [];
      } else if (!isTooLong && piece.length > 0) pieces.push(piece);
      if (end < 0) break;
      at = end + 1;
      const place = offset + at;
      if (isTooLong) yield { text: undefined, end: place };
      else yield { text: textOf(pieces), end: place };
      pieces = [];
      held = 0;
      isTooLong = false;
    }
    offset += chunk.length;
  }
}

function textOf(pieces: readonly Buffer[]): string {
  const [first] = pieces;
  const text = (pieces.length === 1 && first ? first : Buffer.concat(pieces)).toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
