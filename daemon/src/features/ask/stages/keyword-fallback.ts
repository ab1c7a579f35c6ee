import type { YieldToOthers } from '../../../platform/yielding.ts';
import type { AskMemories, AskSearch } from '../ports.ts';
import { type Stage, withFound } from '../state.ts';

/** Memories by words that become candidates. */
const MOST = 200;
/** The best hits whose sessions are looked at. */
const ANCHORS = 5;

/**
 * Fourth stage: what has all of the question's words, then, to fill up, what has any of them; and the turns next to the best hits
 * in their sessions, for the reply to a question seldom repeats its words.
 */
export const keywordFallback: Stage<{
  search: Pick<AskSearch, 'words'>;
  memories: Pick<AskMemories, 'around'>;
  yieldToOthers: YieldToOthers;
}> = {
  name: 'keyword_fallback',
  async run({ search, memories, yieldToOthers }, state) {
    const { scope, queries } = state;
    const looking = { limit: MOST, yieldToOthers };
    const all = await search.words(scope, queries.slice(0, 1), { ...looking, all: true });
    await yieldToOthers();
    const any = await search.words(scope, queries, { ...looking, all: false });
    await yieldToOthers();
    // By score, for what has all of the words is not always what says most with them.
    const scores = new Map([...any, ...all].map((hit) => [hit.id, hit]));
    const hits = [...scores.values()].sort((a, b) => b.score - a.score);
    const found = withFound(state, 'words', hits);
    const best = [
      ...hits.slice(0, ANCHORS),
      ...(found.found.find(({ name }) => name === 'vectors')?.hits.slice(0, ANCHORS) ?? []),
    ];
    const near = memories.around(scope, [...new Set(best.map(({ id }) => id))]);
    if (hits.length === 0 && near.length === 0) return { skipped: 'no memory has a word of it' };
    return {
      state: withFound(
        found,
        'session',
        near.map((id) => ({ id, score: 0 })),
      ),
    };
  },
};
