import { ApiError, type Client } from '@reverie/shared/client';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { type MemoryAddress, isSame } from '../address.ts';
import { draftId, drafts, isChanged } from '../writing/drafts/draft.ts';
import { saveAllNow } from '../writing/drafts/unsaved.ts';

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

/** Gives memories other addresses, one after the other, with what is being written in them; none is ever put over another. */
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
      await saveWritten(from);
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

/** Saves what is being written of a memory: under another address nobody would find it again. */
async function saveWritten({ namespace, key }: MemoryAddress): Promise<void> {
  const id = draftId(namespace, key);
  await saveAllNow([id]);
  const draft = drafts.get().get(id);
  if (draft && isChanged(draft)) throw new Error('what you wrote in it is not saved yet. Open it to see why');
}
