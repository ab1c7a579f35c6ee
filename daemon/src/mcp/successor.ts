import { ApiError, type Client } from '@reverie/shared/client';
import { getMemory, type Memory } from '@reverie/shared/contract/memories/memories';

/** How often a memory may have been taken the place of, one after the other. */
const LONGEST_CHAIN = 8;

/** The memory that took the place of a hidden one, at the end of all that took its place; undefined for one that stands. */
export async function successorOf(client: Client, memory: Memory): Promise<Memory | undefined> {
  let last: Memory | undefined;
  for (let step = 0; step < LONGEST_CHAIN; step += 1) {
    const { superseded_by, merged_into, namespace } = last ?? memory;
    const key = superseded_by ?? merged_into;
    if (key === undefined) break;
    try {
      last = await client(getMemory, { body: { key, namespace } });
    } catch (cause) {
      // Deleted meanwhile: what it hid is shown again.
      if (cause instanceof ApiError && cause.code === 'memory_not_found') break;
      throw cause;
    }
  }
  return last;
}
