/** Epochs of one run of numbers begin with all that documents held; the first one of a run, with what there was then alone. */
const RUN = 2 ** 32;

/** What a relay may add to the number of an epoch, by chance and below this. */
export const MOST_OFFSET = 2 ** 20;

/**
 * The number of the epoch behind `from`. `present`: of one that begins with what there is now, without what was overwritten, trashed or lost
 * against another version; it begins the next run of numbers, so that every device can tell by the number alone. `offset` (0 to
 * `MOST_OFFSET`, random) keeps apart what two histories of a restored relay begin.
 */
export function epochAfter(from: number, { present, offset }: { present: boolean; offset: number }): number {
  if (present) return (Math.floor(from / RUN) + 1) * RUN + offset;
  const next = from + 1 + offset;
  return isPresentBetween(from, next) ? from + 1 : next;
}

/** Whether between two epochs, or at the second one, one began with the present state alone. */
export function isPresentBetween(from: number, to: number): boolean {
  return Math.floor(to / RUN) > Math.floor(from / RUN);
}
