import { ApiError, type Client } from '@reverie/shared/client';
import { renameMemory } from '@reverie/shared/contract/naming';
import { type MemoryAddress, isSame } from '../address.ts';

/**
 * What came of moving memories to other addresses: those that were `moved`, those whose new address was `taken` by another memory, how many
 * notes had their links `mended`, and the `failure` before which it ended, if any: the rest is where it was.
 */
export interface MoveOutcome<T extends MemoryAddress> {
  moved: { from: T; to: MemoryAddress }[];
  taken: T[];
  mended: number;
  failure?: unknown;
}

/** Where memories go, and who is told how many are done. */
interface Moving<T> {
  whereTo: (memory: T) => MemoryAddress;
  onStep?: (done: number) => void;
}

/** Gives memories other addresses, one after the other; none is ever put over another. */
export async function moveAll<T extends MemoryAddress>(
  call: Client,
  memories: readonly T[],
  { whereTo, onStep }: Moving<T>,
): Promise<MoveOutcome<T>> {
  const outcome: MoveOutcome<T> = { moved: [], taken: [], mended: 0 };
  for (const from of memories) {
    const { namespace, key } = whereTo(from);
    const to = { namespace, key };
    if (isSame(from, to)) continue;
    try {
      const { mended } = await call(renameMemory, { body: { namespace: from.namespace, key: from.key, to } });
      outcome.mended += mended;
      outcome.moved.push({ from, to });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict')) return { ...outcome, failure: error };
      outcome.taken.push(from);
    }
    onStep?.(outcome.moved.length + outcome.taken.length);
  }
  return outcome;
}
