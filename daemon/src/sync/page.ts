import type { Entries, Entry } from '@reverie/shared/protocol/messages';
import { chainOf, type LogPosition } from './chain.ts';

/** Entries that are merged in one transaction. */
const SLICE = 16;
const SLICE_BYTES = 32 * 1024;

/** Entries of one epoch that are merged together; with the hash that reading goes on from, where it is known. */
export interface Slice {
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
