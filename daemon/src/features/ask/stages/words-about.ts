import type { AskSearch } from '../ports.ts';
import { type Stage, withFound } from '../state.ts';

/** Memories by words that become candidates. */
const MOST = 200;

/** For a further look the fourth stage alone: of what has words of the question only what names somebody or something. */
export function wordsAbout(name: string): Stage<{ search: Pick<AskSearch, 'words'> }> {
  return {
    name: 'keyword_fallback',
    run({ search }, state) {
      const { scope, queries } = state;
      const naming = new Set(search.words(scope, [name], { all: true, limit: MOST }).map(({ id }) => id));
      const hits = search
        .words(scope, queries, { all: false, limit: MOST })
        .filter(({ id }) => naming.has(id));
      return hits.length === 0
        ? { skipped: 'no memory names it' }
        : { state: withFound(state, 'words', hits) };
    },
  };
}
