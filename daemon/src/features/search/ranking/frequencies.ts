import { hash } from 'node:crypto';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { LRUCache } from 'lru-cache';
import type { ReadDb } from '../../../db/open-store.ts';
import { countOccurrences } from '../../../db/text-indexes.store.ts';
import { countMatches } from './candidates.store.ts';
import { textTable } from '../index/index.store.ts';
import { type QueryTerm, stemsOf } from '../query/terms.ts';

/** What is looked at: a namespace, or several of an account. */
export interface Searched {
  readonly namespaces: readonly number[];
  /** Of all of them. */
  readonly chunks: number;
  /** These are all that the account has, so that nothing else need be left out of what is counted. */
  readonly isAll?: boolean;
}

/** How many chunks of what is looked at have a term; remembered while the number of chunks stays about the same. */
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
function nameOf(account: AccountId, { namespaces, isAll }: Searched): string {
  if (namespaces.length === 1) return String(namespaces[0]);
  return isAll === false ? hash('sha1', namespaces.join(' ')) : `all of ${account}`;
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

  const costs: Frequencies['costs'] = (db, account, searched) => {
    const { chunks } = searched;
    const place = nameOf(account, searched);
    return (term) =>
      stemsOf(term).reduce((sum, stem) => {
        const { prefix } = term;
        const find = () => countOccurrences(db, textTable(account), { stem, prefix });
        return (
          sum +
          (known({ cache: occurring, name: `${place} ${prefix ? '*' : ' '}${stem}`, chunks }, find) ?? 0)
        );
      }, LOOK_UP);
  };

  return {
    costs,
    of(db, account, searched) {
      const { namespaces, chunks, isAll } = searched;
      const place = nameOf(account, searched);
      const within = namespaces.length === 1 || isAll === false ? namespaces : undefined;
      const costOf = costs(db, account, searched);
      let left = MOST_COUNTED;
      return (term) =>
        known({ cache: counted, name: `${place} ${term.match}`, chunks }, () => {
          const cost = costOf(term);
          if (cost > left) return undefined;
          left -= cost;
          return countMatches(db, account, { match: term.match, namespaces: within });
          // What is too much to count is taken for common, and weighs next to nothing.
        }) ?? chunks;
    },
  };
}
