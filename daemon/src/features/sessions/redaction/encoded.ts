/** A part of a text that is written in base64 or hexadecimal. */
export interface Encoded {
  start: number;
  end: number;
  /** What it says where it is text, once for each way to read it; else it is a binary. */
  texts: string[];
  bytes: number;
}

const BASE64 = /[A-Za-z0-9+/_-]{20,}={0,2}/gu;
const HEX = /(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}){16,}(?![0-9A-Za-z])/gu;
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
export function encodedIn(text: string): Encoded[] {
  const found: Encoded[] = [];
  for (const match of text.matchAll(BASE64)) {
    const run = match[0];
    const texts: string[] = [];
    for (let skip = 0; skip < 4; skip += 1) {
      const said = textOf(Buffer.from(run.slice(skip), 'base64'));
      if (said !== undefined) texts.push(said);
    }
    const start = match.index;
    found.push({ start, end: start + run.length, texts, bytes: Math.floor((run.length * 3) / 4) });
  }
  for (const match of text.matchAll(HEX)) {
    const said = textOf(Buffer.from(match[0], 'hex'));
    if (said === undefined) continue;
    const start = match.index;
    found.push({ start, end: start + match[0].length, texts: [said], bytes: match[0].length / 2 });
  }
  return found;
}
