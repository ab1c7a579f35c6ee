import type { Word } from './long-words.ts';

/** A part of a text that is written in base64 or hexadecimal. */
export interface Encoded {
  start: number;
  end: number;
  /** What it says where it is text, once for each way to read it; else it is a binary. */
  texts: string[];
}

const BASE64 = /[A-Za-z0-9+/_-]{20,}={0,2}/gu;
const HEX = /^(?:[0-9a-fA-F]{2}){16,}$/u;
const PRINTABLE = 0.8;

/** The text of bytes, where they are one. */
function textOf(bytes: Buffer): string | undefined {
  let [printable, zeros] = [0, 0];
  for (const byte of bytes) {
    if ((byte >= 32 && byte < 127) || byte === 10 || byte === 9 || byte === 13) printable += 1;
    else if (byte === 0) zeros += 1;
  }
  if (printable >= bytes.length * PRINTABLE) return bytes.toString('latin1');
  // UTF-16, as PowerShell encodes its commands.
  if (zeros >= bytes.length * 0.4 && printable >= bytes.length * 0.4)
    return bytes.toString('latin1').replaceAll('\0', '');
  return undefined;
}

/** Parts in base64 or hexadecimal. Where a word is joined to the beginning, the text may begin at any of four places. */
export function encodedIn(words: readonly Word[]): Encoded[] {
  const found: Encoded[] = [];
  for (const word of words)
    for (const match of word.text.matchAll(BASE64)) {
      const run = match[0];
      const start = word.start + match.index;
      const texts = HEX.test(run)
        ? [textOf(Buffer.from(run, 'hex'))]
        : [0, 1, 2, 3].map((skip) => textOf(Buffer.from(run.slice(skip), 'base64')));
      found.push({ start, end: start + run.length, texts: texts.filter((text) => text !== undefined) });
    }
  return found;
}
