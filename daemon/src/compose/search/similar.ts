import { abilitiesOfKey } from '@reverie/shared/accounts/narrower-keys';
import { MOST_SIMILAR } from '@reverie/shared/contract/memories/memories';
import type { Store } from '../../db/open-store.ts';
import type { SimilarTo } from '../../features/memories/memories.routes.ts';
import type { RankingDeps } from '../../features/search/query/query.ts';
import { titleOf } from '../../language/notes/title.ts';
import { relevantTo } from './relevant.ts';

/** The score (0..1) from which a memory is named as similar to a new one (docs/decisions/0074). */
const SIMILAR = 0.85;
/** Characters of a new memory that are looked for. */
const LOOKED_FOR = 300;

/** Makes what names memories that are similar to one that was stored just now; to a key that may not read, none. */
export function createSimilar(deps: { store: Store; ranking: RankingDeps }): SimilarTo {
  return async ({ account, key: asking, readable }, { namespace, key, value }) => {
    if (!readable(namespace) || !abilitiesOfKey(asking).includes('read')) return [];
    const text = aboutOf(value);
    const wanted = { namespace, text, threshold: SIMILAR, limit: MOST_SIMILAR + 1 };
    const found = await relevantTo(deps, account, wanted);
    return found
      .filter(({ memory }) => memory.key !== key)
      .slice(0, MOST_SIMILAR)
      .map(({ memory, passage }) => ({ key: memory.key, passage }));
  };
}

/** What a text is about: all of a short one, of others the title and the first paragraph. */
function aboutOf(value: string): string {
  if (value.length <= LOOKED_FOR) return value;
  const paragraphs = value.slice(0, 10 * LOOKED_FOR).split(/\n\s*\n/u);
  // A heading and front matter say little of it, and the title is one of them.
  const first = paragraphs.find((one) => !/^\s*(?:#|---)/u.test(one)) ?? '';
  return `${titleOf(value, {})}\n${first}`.slice(0, LOOKED_FOR).toWellFormed();
}
