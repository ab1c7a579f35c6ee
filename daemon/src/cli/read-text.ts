import { Refusal } from '../platform/home.ts';
import type { Input } from './terminal.ts';

/** All of the standard input as text, byte for byte. Throws `Refusal` where it is not UTF-8. */
export async function readText(stdin: Input): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part as Buffer));
  return textIn(Buffer.concat(parts), 'The input');
}

/** Bytes as text, a byte order mark with it. Throws `Refusal` where they are not UTF-8; `what` names them. */
export function textIn(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Refusal(`${what} is not text in UTF-8, so nothing was stored.`, cause);
  }
}
