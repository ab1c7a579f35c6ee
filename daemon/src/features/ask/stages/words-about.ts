import type { YieldToOthers } from '../../../platform/yielding.ts';
import type { AskSearch } from '../ports.ts';
import { type Stage, withFound } from '../state.ts';

/** Memories by words that become candidates. */
const MOST = 200;

/** The fourth stage when it is run again about a name: memories that have words of the question and also say the name. */
export function wordsAbout(name: string): Stage<{
  search: Pick<AskSearch, 'words'>;
  yieldToOthers: YieldToOthers;
}> {
  return {
    name: 'keyword_fallback',
    async run({ search, yieldToOthers }, state) {
      const { scope, queries } = state;
      const looking = { limit: MOST, yieldToOthers };
      const named = await search.words(scope, [name], { ...looking, all: true });
      const naming = new Set(named.map(({ id }) => id));
      await yieldToOthers();
      const any = await search.words(scope, queries, { ...looking, all: false });
      const hits = any.filter(({ id }) => naming.has(id));
      return hits.length === 0
        ? { skipped: 'no memory names it' }
        : { state: withFound(state, 'words', hits) };
    },
  };
}
