import { Refusal } from '../platform/home/home.ts';
import { type Input, type Terminal, UsageError } from './terminal.ts';

/** All of the standard input as text, byte for byte. Throws `Refusal` where it is not UTF-8. */
export async function readText(stdin: Input): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part as Buffer));
  return textIn(Buffer.concat(parts), 'The input');
}

/** The text of an argument, or of the input where it is `-` or missing. Throws `UsageError` where a person gave none, or an empty one. */
export async function givenText(
  { stdin }: Terminal,
  words: readonly string[],
  { missing, empty }: { missing: string; empty: string },
): Promise<string> {
  if (words.length === 0 && stdin.isTTY) throw new UsageError(missing);
  const isRead = words.length === 0 || (words.length === 1 && words[0] === '-');
  const text = isRead ? await readText(stdin) : words.join(' ');
  if (text.trim() === '') throw new UsageError(empty);
  return text;
}

/** Bytes as text, a byte order mark with it. Throws `Refusal` where they are not UTF-8; `what` names them. */
export function textIn(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Refusal(`${what} is not text in UTF-8, so nothing was stored.`, cause);
  }
}
