/** Memories fetched with one call of the list. */
export const PAGE = 100;

/** The first offsets of the pages that hold the rows `first` to `last` (both included). */
export function offsetsFor(first: number, last: number, page = PAGE): number[] {
  const offsets: number[] = [];
  for (let at = Math.floor(Math.max(0, first) / page) * page; at <= last; at += page) offsets.push(at);
  return offsets;
}

/**
 * Rows are shown without the hidden ones (those about to be deleted). `hidden` holds their positions in the
 * stored order, ascending; the answer is the stored position of shown row `shown`.
 */
export function storedIndex(hidden: readonly number[], shown: number): number {
  let at = shown;
  for (const one of hidden) {
    if (one > at) break;
    at += 1;
  }
  return at;
}

/** The other way round: where a stored row is shown. */
export function shownIndex(hidden: readonly number[], stored: number): number {
  return stored - hidden.filter((one) => one < stored).length;
}
