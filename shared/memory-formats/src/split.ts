import { limits } from '@reverie/shared/contract/fields';

const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Cuts a text into parts of at most `max` bytes of UTF-8, after a blank line where there is one in the second
 * half of a part, else after a line, else after a word. The parts put together are the text.
 */
export function splitText(text: string, max: number = limits.valueBytes): string[] {
  // Three bytes are the most that one UTF-16 unit takes.
  if (text.length * 3 <= max) return [text];
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= max) return [text];
  const parts: string[] = [];
  let start = 0;
  while (bytes.length - start > max) {
    const end = cutBefore(bytes, start, start + max);
    parts.push(bytes.toString('utf8', start, end));
    start = end;
  }
  parts.push(bytes.toString('utf8', start));
  return parts;
}

function cutBefore(bytes: Buffer, start: number, limit: number): number {
  const earliest = start + Math.floor((limit - start) / 2);
  return (
    afterBlankLine({ bytes, earliest, limit }) ??
    after(NEWLINE, { bytes, earliest, limit }) ??
    after(SPACE, { bytes, earliest, limit }) ??
    wholeCharacter(bytes, start, limit)
  );
}

/** Where a cut may lie: behind `earliest`, at `limit` at most. */
interface Range {
  bytes: Buffer;
  earliest: number;
  limit: number;
}

function after(byte: number, { bytes, earliest, limit }: Range): number | undefined {
  const at = bytes.lastIndexOf(byte, limit - 1);
  return at >= earliest ? at + 1 : undefined;
}

function afterBlankLine({ bytes, earliest, limit }: Range): number | undefined {
  for (
    let at = bytes.lastIndexOf(NEWLINE, limit - 1);
    at > earliest;
    at = bytes.lastIndexOf(NEWLINE, at - 1)
  ) {
    let before = at - 1;
    while (before >= earliest && isBlank(bytes[before])) before--;
    if (bytes[before] === NEWLINE) return at + 1;
  }
  return undefined;
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === 0x09 || byte === 0x0d;
}

/** Steps back from the middle of a UTF-8 sequence; a byte that is no continuation begins a character. */
function wholeCharacter(bytes: Buffer, start: number, limit: number): number {
  let end = limit;
  while (end > start + 1 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
