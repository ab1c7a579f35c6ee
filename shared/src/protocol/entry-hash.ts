import { hash } from 'node:crypto';
import type { Entry } from './messages.ts';

/** The hash that stands before the first entry of a room: 32 zeros. */
export const NO_HASH: Uint8Array = new Uint8Array(32);

/** What is hashed, beside a body: numbers of 8 bytes at most, three ids of 64 letters, a hash. */
const LONGEST_HEAD = 512;
let scratch = Buffer.alloc(16 * 1024);
let at = 0;

/** As lib0 writes whole numbers. */
function number(value: number): void {
  let left = value;
  while (left > 127) {
    scratch[at] = 128 | (left % 128);
    at += 1;
    left = Math.floor(left / 128);
  }
  scratch[at] = left;
  at += 1;
}

function bytes(value: Uint8Array): void {
  number(value.length);
  scratch.set(value, at);
  at += value.length;
}

/** An id is ASCII: as many bytes as letters. */
function id(value: string): void {
  number(value.length);
  at += scratch.write(value, at, 'latin1');
}

/**
 * The hash of an entry: SHA-256 of the one before it in its room and of all that it says, so that two logs with
 * the same hash at the same place are the same log up to there. What is hashed is the message `entries` with this one
 * in it, written here once more: each entry is hashed on its way, and the codec takes four times as long.
 */
export function entryHash(before: Uint8Array, room: string, entry: Entry): Uint8Array {
  const length = LONGEST_HEAD + (entry.kind === 'update' ? entry.body.length : 0);
  if (length > scratch.length) scratch = Buffer.alloc(length);
  at = 0;
  id(room);
  bytes(before);
  number(entry.seq);
  // One writer, and one entry, which is by the first of them.
  number(1);
  id(entry.device);
  id(entry.incarnation);
  number(1);
  number(entry.seq);
  number(entry.epoch);
  number(0);
  number(entry.n);
  number(entry.at);
  if (entry.kind === 'update') {
    number(0);
    number(entry.bucket);
    number(entry.enc ? 1 : 0);
    bytes(entry.body);
  } else {
    number(1);
    number(entry.clearedBefore.ms);
    number(entry.clearedBefore.counter);
  }
  return hash('sha256', scratch.subarray(0, at), 'buffer');
}

/** SHA-256 of the body of a snapshot. */
export function bodyHash(body: Uint8Array): Uint8Array {
  return hash('sha256', body, 'buffer');
}
