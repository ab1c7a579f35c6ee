import { hash } from 'node:crypto';
import * as encoding from 'lib0/encoding';
import { codecs } from './codecs.ts';
import type { Entry } from './messages.ts';

/** What stands before the first entry of a room. */
export const NO_HASH: Uint8Array = new Uint8Array(32);

/**
 * The hash of an entry: SHA-256 of the one before it in its room and of all that it says, so that two logs with
 * the same hash at the same place are the same log up to there.
 */
export function entryHash(before: Uint8Array, room: string, entry: Entry): Uint8Array {
  const to = encoding.createEncoder();
  codecs.entries.write(to, { type: 'entries', room, entries: [entry], hash: before, head: entry.seq });
  return hash('sha256', encoding.toUint8Array(to), 'buffer');
}

/** SHA-256 of the body of a snapshot. */
export function bodyHash(body: Uint8Array): Uint8Array {
  return hash('sha256', body, 'buffer');
}
