import type { AccountId } from '@reverie/shared/accounts/caller';
import { LRUCache } from 'lru-cache';
import type { ReadDb } from '../../db/open-store.ts';
import { countMatches } from './candidates.store.ts';
import type { QueryTerm } from './terms.ts';

/** A namespace as search knows it. */
export interface Searched {
  id: number;
  chunks: number;
}

/** How many chunks of a namespace have a term, remembered as long as the namespace has about the same size. */
export interface Frequencies {
  of(db: ReadDb, account: AccountId, namespace: Searched): (term: QueryTerm) => number;
}

export function createFrequencies(): Frequencies {
  const known = new LRUCache<string, { df: number; chunks: number }>({ max: 20_000 });
  return {
    of: (db, account, namespace) => (term) => {
      const name = `${namespace.id} ${term.match}`;
      const before = known.get(name);
      if (before && Math.abs(before.chunks - namespace.chunks) <= before.chunks / 20) return before.df;
      const df = countMatches(db, account, { match: term.match, namespaceId: namespace.id });
      known.set(name, { df, chunks: namespace.chunks });
      return df;
    },
  };
}
