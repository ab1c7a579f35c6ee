import type { AskSearch } from '../ports.ts';
import type { Stage } from '../state.ts';

/** Rewordings that are looked for beside the question. */
const MOST = 6;

/**
 * Second stage: the question in other words, by rules. A model's other words are looked for once it has said that what was found does
 * not answer (`deciding.ts`): asking it each time would double what a question takes.
 */
export const queryExpansion: Stage<{ search: Pick<AskSearch, 'expand'> }> = {
  name: 'query_expansion',
  run({ search }, state) {
    const { text, now } = state.question;
    const queries = [...new Set([text, ...search.expand(text, now)])].slice(0, 1 + MOST);
    if (queries.length === 1) return { skipped: 'there is no other way to say it' };
    return { state: { ...state, queries } };
  },
};
