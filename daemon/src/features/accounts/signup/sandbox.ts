import type { AccountId } from '@reverie/shared/accounts/caller';
import { hashKey, KEY_PREFIX_LENGTH, makeKey } from '@reverie/shared/accounts/key-format';
import { readMeta, saveMeta } from '../../../db/meta.store.ts';
import type { Store, WriteDb } from '../../../db/open-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newUlid } from '../../../platform/ids.ts';
import { findKeyByHash, findSandboxAccount, insertAccount, insertKey } from '../accounts.store.ts';

/** Where the database keeps the public key, and when the sandbox was emptied last. */
const KEY = 'sandbox_key';
const EMPTIED = 'sandbox_emptied';
const DAY = 86_400_000;

export const sandboxRules = { requestsPerAddress: 100, windowMs: DAY, emptiedEveryMs: DAY } as const;

/** Makes the sandbox's account and its public key where they are missing; answers both. */
export function ensureSandbox(
  { store, clock }: { store: Store; clock: Clock },
  prepare: (db: WriteDb, account: AccountId) => void,
): { account: AccountId; key: string } {
  return store.write((db) => {
    const now = clock.now();
    let account = findSandboxAccount(db)?.id;
    if (account === undefined) {
      account = insertAccount(db, {
        public_id: `acc_${newUlid(now)}`,
        kind: 'sandbox',
        tier: 'free',
        created_at: now,
      });
      prepare(db, account);
      saveMeta(db, EMPTIED, String(now));
    }
    // Everybody may know it, so it is kept as it is: only so can it be shown.
    const known = readMeta(db, KEY);
    const key = known ?? makeKey('sandbox');
    // Not each time: a start on a full disk has nothing to write.
    if (known === undefined) saveMeta(db, KEY, key);
    if (!findKeyByHash(db, hashKey(key)))
      insertKey(db, {
        id: `key_${newUlid(now)}`,
        account,
        name: 'sandbox',
        scope: 'write',
        namespaces: null,
        can: null,
        purpose: 'made',
        hash: hashKey(key),
        key_prefix: key.slice(0, KEY_PREFIX_LENGTH),
        created_at: now,
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
      });
    return { account, key };
  });
}

/** Empties the sandbox when 24 hours have passed since the last time; answers whether they had. */
export function emptySandbox(
  { store, clock }: { store: Store; clock: Clock },
  empty: (db: WriteDb) => void,
): boolean {
  const now = clock.now();
  const last = Number(store.read((db) => readMeta(db, EMPTIED)) ?? 0);
  if (now - last < sandboxRules.emptiedEveryMs) return false;
  store.write((db) => {
    empty(db);
    saveMeta(db, EMPTIED, String(now));
  });
  return true;
}
