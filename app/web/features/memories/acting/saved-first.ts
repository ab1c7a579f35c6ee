import { draftId } from '../writing/drafts/draft.ts';
import { saveAllNow, savers } from '../writing/drafts/unsaved.ts';
import type { ActionTarget } from './targets.ts';

/**
 * Saves what is being written of some memories, and tells them as they are stored then; undefined where nothing is. What goes to the trash
 * comes back with its last words.
 */
export function savedFirst(
  targets: readonly ActionTarget[],
  /** When a memory was changed last, as far as that is known. */
  changedAt: (target: ActionTarget) => string | undefined,
): Promise<readonly ActionTarget[]> | undefined {
  const ids = targets.map(({ namespace, key }) => draftId(namespace, key));
  if (![...savers.values()].some((id) => ids.includes(id))) return undefined;
  return saveAllNow(ids).then(() =>
    targets.map((target) => {
      const at = changedAt(target) ?? '';
      return at > target.updated_at ? { ...target, updated_at: at } : target;
    }),
  );
}
