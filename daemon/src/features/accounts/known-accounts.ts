import type { AccountId } from '@reverie/shared/accounts/caller';
import { LRUCache } from 'lru-cache';
import type { Store } from '../../db/open-store.ts';
import { type Account, findAccount } from './accounts.store.ts';

/** Accounts by id, read from the database once and kept until they are forgotten, for every write asks for one. */
export interface KnownAccounts {
  of(id: AccountId): Account;
  forget(id: AccountId): void;
}

export function createKnownAccounts(store: Store): KnownAccounts {
  const known = new LRUCache<AccountId, Account>({ max: 1000 });
  return {
    of(id) {
      const cached = known.get(id);
      if (cached) return cached;
      const account = store.read((db) => findAccount(db, id));
      if (!account) throw new Error(`There is no account ${id}`);
      known.set(id, account);
      return account;
    },
    forget: (id) => void known.delete(id),
  };
}
