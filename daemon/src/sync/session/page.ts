import type { Entries, Entry } from '@reverie/shared/protocol/messages';
import { entryHash, NO_HASH } from '@reverie/shared/protocol/entry-hash';

/** Entries that are merged in one transaction. */
const SLICE = 16;
const SLICE_BYTES = 32 * 1024;

/** Entries of one epoch that are merged together; with the hash that reading goes on from, where it is known. */
interface Slice {
  entries: readonly Entry[];
  hash?: Uint8Array | undefined;
}

/** The entries of a message that are new here. Throws `Distrusted` where they do not fit, see `chainOf`. */
export function slicesOf(message: Entries, place: LogPosition): Slice[] {
  const entries = message.entries.filter(({ seq }) => seq > place.cursor);
  const hashes = chainOf({ ...message, entries }, place);
  const slices: Slice[] = [];
  for (let from = 0; from < entries.length;) {
    const slice = sliceOf(entries, from);
    from += slice.length;
    // Behind a place where entries are gone only the hash that was told is known.
    const isKnown = place.cursor === 0 || place.hash.length > 0;
    const isWhole = isKnown && slice.at(-1)?.seq === place.cursor + from;
    const isLast = from >= entries.length;
    slices.push({ entries: slice, hash: isLast ? message.hash : isWhole ? hashes[from - 1] : undefined });
  }
  return slices;
}

function sliceOf(entries: readonly Entry[], from: number): Entry[] {
  let bytes = 0;
  const slice: Entry[] = [];
  for (const entry of entries.slice(from, from + SLICE)) {
    bytes += entry.kind === 'update' ? entry.body.length : 0;
    if (slice.length > 0 && (bytes > SLICE_BYTES || entry.epoch !== slice[0]?.epoch)) break;
    slice.push(entry);
  }
  return slice;
}

/** What the relay told contradicts itself, or what it told before; nothing of it was taken. */
export class Distrusted extends Error {}

/** Where reading stands: the last entry that was read, its hash (empty where reading begins behind one that it never saw), and how far snapshots stand for entries that are gone. */
interface LogPosition {
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
