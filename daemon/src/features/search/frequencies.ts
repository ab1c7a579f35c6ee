import type { AccountId } from '@reverie/shared/accounts/caller';
import { LRUCache } from 'lru-cache';
import type { ReadDb } from '../../db/open-store.ts';
import { countMatches, countOccurrences } from './candidates.store.ts';
import { type QueryTerm, stemsOf } from './terms.ts';

/** What is looked at: a namespace, or several of an account. */
export interface Searched {
  readonly namespaces: readonly number[];
  /** Of the namespace; where there are several, of all of the account, for so its terms are counted. */
  readonly chunks: number;
}

/** How many chunks of a namespace, or of the account, have a term; remembered while the number of chunks stays about the same. */
export interface Frequencies {
  of(db: ReadDb, account: AccountId, namespace: Searched): (term: QueryTerm) => number;
  /**
   * The places in the text index of the account that looking for a term may walk: those of each of its words, for a phrase has to be
   * compared at all of them.
   */
  costs(db: ReadDb, account: AccountId, namespace: Searched): (term: QueryTerm) => number;
}

/** How many places of the index one question may have walked to count terms; each takes some 20 ns. */
export const MOST_COUNTED = 300_000;
/** What looking for a term takes that is nowhere, in places. */
const LOOK_UP = 500;

/** A number of a namespace that had so many chunks then. */
interface Known {
  value: number;
  chunks: number;
}

/** Ids of namespaces are never used again; what is counted in all of an account goes by the account. */
function nameOf(account: AccountId, namespaces: Searched['namespaces']): string {
  return namespaces.length === 1 ? String(namespaces[0]) : `all of ${account}`;
}

export function createFrequencies(): Frequencies {
  const counted = new LRUCache<string, Known>({ max: 20_000 });
  const occurring = new LRUCache<string, Known>({ max: 20_000 });

  /** What is known, or is found out now. */
  function known(
    { cache, name, chunks }: { cache: LRUCache<string, Known>; name: string; chunks: number },
    find: () => number | undefined,
  ): number | undefined {
    const before = cache.get(name);
    if (before && Math.abs(before.chunks - chunks) <= before.chunks / 20) return before.value;
    const value = find();
    if (value !== undefined) cache.set(name, { value, chunks });
    return value;
  }

  const costs: Frequencies['costs'] =
    (db, account, { namespaces, chunks }) =>
    (term) =>
      stemsOf(term).reduce((sum, stem) => {
        const { prefix } = term;
        const name = `${nameOf(account, namespaces)} ${prefix ? '*' : ' '}${stem}`;
        const find = () => countOccurrences(db, account, { stem, prefix });
        return sum + (known({ cache: occurring, name, chunks }, find) ?? 0);
      }, LOOK_UP);

  return {
    costs,
    of(db, account, namespace) {
      const { namespaces, chunks } = namespace;
      const namespaceId = namespaces.length === 1 ? namespaces[0] : undefined;
      const costOf = costs(db, account, namespace);
      let left = MOST_COUNTED;
      return (term) =>
        known({ cache: counted, name: `${nameOf(account, namespaces)} ${term.match}`, chunks }, () => {
          const cost = costOf(term);
          if (cost > left) return undefined;
          left -= cost;
          return countMatches(db, account, { match: term.match, namespaceId });
          // What is too much to count is taken for common, and weighs next to nothing.
        }) ?? chunks;
    },
  };
}
