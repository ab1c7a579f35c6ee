import type { AskSearch } from '../ports.ts';
import { type Stage, withFound } from '../state.ts';

/** Memories by meaning that become candidates. */
const MOST = 200;

/** Third stage: the memories whose chunks mean what the question means. */
export const vectorSearch: Stage<{ search: Pick<AskSearch, 'vectors'> }> = {
  name: 'vector_search',
  run({ search }, state) {
    const hits = search.vectors(state.scope, state.queries, MOST).filter(({ score }) => score > 0);
    if (hits.length === 0) return { skipped: 'nothing has a vector like the question' };
    return { state: withFound(state, 'vectors', hits) };
  },
};
