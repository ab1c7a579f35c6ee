/**
 * A hybrid logical clock as one number that sorts: milliseconds since 1970 times 1024, and a counter. It fits
 * into 53 bits until the year 2248; a counter that overflows runs into the next millisecond.
 */
export type Hlc = number;

const TICKS = 1024;

/** How far after this machine's own clock a stamp of another device may stand, in ms. */
export const LONGEST_AHEAD = 600_000;

/** The next stamp of a device: never below what it gave out or saw (`last`). */
export function nextHlc(last: Hlc, now: number): Hlc {
  return Math.max(hlcOf(now), last + 1);
}

/** The first stamp of a millisecond. */
export function hlcOf(ms: number): Hlc {
  return ms * TICKS;
}

/** The wall-clock time of a stamp, in ms since 1970. */
export function wallOf(hlc: Hlc): number {
  return Math.floor(hlc / TICKS);
}

/** A stamp as it stands on the wire. */
export function toStamp(hlc: Hlc): { ms: number; counter: number } {
  return { ms: wallOf(hlc), counter: hlc % TICKS };
}

export function fromStamp({ ms, counter }: { ms: number; counter: number }): Hlc {
  return hlcOf(ms) + counter;
}
