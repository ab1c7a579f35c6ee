import { entryHash, NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Entries } from '@reverie/shared/protocol/messages';

/** What the relay told contradicts itself, or what it told before; nothing of it was taken. */
export class Distrusted extends Error {}

/** Where reading stands: the last entry that was read, its hash (empty where reading begins behind one that it never saw), and how far snapshots stand for entries that are gone. */
export interface LogPosition {
  cursor: number;
  hash: Uint8Array;
  covered: number;
}

/**
 * The hashes of a message's entries, behind `place` and each over the one before it. Throws `Distrusted` where an entry is missing that no
 * snapshot stands for, or where the last hash is not the one that the relay told.
 */
export function chainOf(
  { room, entries, hash: told }: Entries,
  { cursor, hash, covered }: LogPosition,
): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  let before = cursor > 0 && hash.length === NO_HASH.length ? hash : NO_HASH;
  let last = cursor;
  let isWhole = cursor === 0 || hash.length === NO_HASH.length;
  for (const entry of entries) {
    if (entry.seq <= last) throw new Distrusted('The relay told entries in the wrong order');
    if (entry.seq > last + 1) {
      isWhole = false;
      if (entry.seq - 1 > covered)
        throw new Distrusted(
          `The relay left out entries before number ${entry.seq}; they are asked for again`,
        );
    }
    last = entry.seq;
    before = entryHash(before, room, entry);
    hashes.push(before);
  }
  // Over a place where entries are gone nothing can be computed; the next cursor goes by what was told.
  if (isWhole && hashes.length > 0 && !Buffer.from(before).equals(told))
    throw new Distrusted(
      'The entries that the relay told are not those of its hash; they are asked for again',
    );
  return isWhole ? hashes : [...hashes.slice(0, -1), told];
}
