import { bucketOf } from '@reverie/shared/document/register';

/** What a slot takes beside its value: its key, device and incarnation, stamp, times, and Yjs's own words. */
const SLOT_BYTES = 250;
/** Documents below this are never worth a new epoch, bytes. */
const FLOOR = 128 * 1024;
/** How many times what the memories say the documents may take. */
const MOST_TIMES = 2;

/** Whether a namespace's documents are mostly what was deleted and overwritten, so that a new epoch is worth its while. */
export function isGrown({
  documents,
  memories,
  count,
}: {
  documents: number;
  memories: number;
  count: number;
}): boolean {
  return documents > FLOOR + MOST_TIMES * (memories + SLOT_BYTES * count);
}

/** How many times a device finds a namespace grown before it asks for an epoch, 0 to 9: by its id, so that not all devices ask at once. */
export function patienceOf(device: string): number {
  return bucketOf(device) % 10;
}
