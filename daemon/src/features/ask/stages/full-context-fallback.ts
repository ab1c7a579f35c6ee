import type { AskMemories } from '../ports.ts';
import { candidateIds, type Stage, withFound } from '../state.ts';

/** A namespace of so many memories is read whole. */
const SMALL = 30;
/** Memories that changed since the time that is asked about. */
const CHANGED = 200;

/**
 * Fifth stage: all memories of a small namespace, the newest of a large one where nothing was found, and, for a question as of a past time,
 * those that were changed after it.
 */
export const fullContextFallback: Stage<{ memories: Pick<AskMemories, 'newest' | 'changedSince'> }> = {
  name: 'full_context_fallback',
  run({ memories }, state) {
    const { scope } = state;
    const changed = scope.asOf === undefined ? [] : memories.changedSince(scope, CHANGED);
    const newest = memories.newest(scope, SMALL + 1);
    if (newest.length === 0) return { skipped: 'the namespace is empty' };
    const known = new Set(candidateIds(state));
    const isSmall = newest.length <= SMALL;
    const more = isSmall || known.size === 0 ? newest.slice(0, SMALL) : [];
    const added = [...new Set([...changed, ...more])].filter((id) => !known.has(id));
    if (added.length === 0)
      return { skipped: isSmall ? 'all memories are candidates already' : 'enough was found' };
    return {
      state: withFound(
        state,
        'context',
        added.map((id) => ({ id, score: 0 })),
      ),
    };
  },
};
