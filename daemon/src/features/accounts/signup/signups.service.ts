import { createHash } from 'node:crypto';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store, WriteDb } from '../../../db/open-store.ts';
import { type Account, findAccountByPublicId, insertKey } from '../accounts.store.ts';
import {
  confirmAccount,
  countProvisional,
  expiredAccounts,
  findSignup,
  insertSignup,
  readSignups,
  saveSignups,
} from './signups.store.ts';

export interface SignupStoreDeps {
  store: Store;
  /** Makes what a new account needs beside its row, such as its text index. */
  prepare: (db: WriteDb, account: AccountId) => void;
  /** Told, once it is on disk, that an account counts as another one now. */
  changed: (account: AccountId) => void;
  /** Deletes an account with everything that it holds. */
  remove: (account: Account) => void;
}

/** Signups in the daemon's database; see `shared/accounts` for the rules above it. */
export function createSignupStore({ store, prepare, changed, remove }: SignupStoreDeps): AccountStore {
  return {
    async countSignup({ email, day, limit }) {
      const hash = createHash('sha256').update(email).digest();
      return store.write((db) => {
        const attempts = readSignups(db, hash, day);
        if (attempts >= limit) return false;
        saveSignups(db, hash, { day, attempts: attempts + 1 });
        return true;
      });
    },
    async create(signup) {
      const { key, createdAt, expiresAt } = signup;
      store.write((db) => {
        const account = insertSignup(db, signup);
        prepare(db, account);
        insertKey(db, {
          id: key.id,
          account,
          name: 'signup',
          scope: 'write',
          namespaces: null,
          can: null,
          purpose: 'made',
          key_prefix: key.prefix,
          hash: Buffer.from(key.hash),
          created_at: createdAt,
          last_used_at: null,
          expires_at: expiresAt,
          revoked_at: null,
        });
      });
    },
    async countProvisional() {
      return store.read(countProvisional);
    },
    async findByToken(tokenHash) {
      return store.read((db) => findSignup(db, tokenHash));
    },
    async confirm(tokenHash, at) {
      return store.write((db) => {
        const account = confirmAccount(db, tokenHash, at);
        if (account !== undefined) db.afterCommit(() => changed(account));
        return account !== undefined;
      });
    },
    async expiredBy(at, limit) {
      return store.read((db) => expiredAccounts(db, at, limit));
    },
    async remove(publicId) {
      const account = store.read((db) => findAccountByPublicId(db, publicId));
      if (account) remove(account);
    },
  };
}
