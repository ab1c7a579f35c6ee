import type { YieldToOthers } from '../../../platform/yielding.ts';
import type { AskSearch } from '../ports.ts';
import { type Stage, withFound } from '../state.ts';

/** Memories by meaning that become candidates. */
const MOST = 200;

/** Third stage: the memories whose chunks mean what the question means. */
export const vectorSearch: Stage<{
  search: Pick<AskSearch, 'vectors'>;
  yieldToOthers: YieldToOthers;
}> = {
  name: 'vector_search',
  async run({ search, yieldToOthers }, state) {
    const near = await search.vectors(state.scope, state.queries, { limit: MOST, yieldToOthers });
    const hits = near.filter(({ score }) => score > 0);
    if (hits.length === 0) return { skipped: 'nothing has a vector like the question' };
    return { state: withFound(state, 'vectors', hits) };
  },
};
