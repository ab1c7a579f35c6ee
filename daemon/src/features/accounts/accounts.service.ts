import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { dayOf, leftOf, monthOf, type Period } from '@reverie/shared/accounts/quota';
import { signupRules } from '@reverie/shared/accounts/signup';
import type {
  Account as Shown,
  Quota,
  Tier,
  Usage as ShownUsage,
} from '@reverie/shared/contract/accounts/accounts';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { refuseForeign } from '../../platform/refuse-foreign.ts';
import { isProvisional, statusOf } from './account-status.ts';
import { type Account, findAccount, findAccountByPublicId, saveTier } from './accounts.store.ts';
import { countBytes, findListedAccount, type ListedAccount, listAccountRows } from './listing.store.ts';
import { storageLimit } from './storage.ts';
import { measureHeld } from './storage.store.ts';
import type { Usage } from './usage.ts';
import { deleteAccountRow, keyIdsOf, namespaceIdsOf, webhookIdsOf, wipeAccount } from './wipe.store.ts';

export interface AccountsDeps {
  store: Store;
  clock: Clock;
  usage: Usage;
  /** Told once what is known of an account is not true any more. */
  changed: (account: AccountId) => void;
  /** Told once an account's rows are gone, so that nothing of it stays in memory or in files. */
  emptied: (account: Account, left: Left) => void;
}

/** Ids of what an emptied account had, so that what is kept of it in memory can be dropped. */
export interface Left {
  namespaces: number[];
  webhooks: string[];
  /** Keys that do not work any more. */
  keys: string[];
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Refuses keys of any account but the machine's own with `forbidden_scope`; that the key is an owner's is checked by the route. */
export function ofMachine({ store }: Pick<AccountsDeps, 'store'>, { key }: Caller): void {
  const isMachine = (account: AccountId) => store.read((db) => findAccount(db, account))?.kind === 'machine';
  refuseForeign({ isMachine }, key.account);
}

/** An account by the id that people see. Throws `account_not_found`. */
export function accountOf({ store }: Pick<AccountsDeps, 'store'>, publicId: string): Account {
  const account = store.read((db) => findAccountByPublicId(db, publicId));
  if (!account) throw new Problem('account_not_found', `There is no account ${JSON.stringify(publicId)}`);
  return account;
}

function toShown({ usage, clock }: Pick<AccountsDeps, 'usage' | 'clock'>, row: ListedAccount): Shown {
  const isWaiting = isProvisional(row) && row.expires_at !== null;
  return {
    id: row.public_id,
    kind: row.kind,
    tier: row.tier,
    status: statusOf(row, clock.now()),
    email: row.email,
    created_at: new Date(row.created_at).toISOString(),
    confirmed_at: iso(row.confirmed_at),
    expires_at: isWaiting ? iso(row.expires_at) : null,
    deleted_at: isWaiting ? iso((row.expires_at ?? 0) + signupRules.keptMs) : null,
    last_used_at: iso(row.last_used_at),
    keys: row.keys,
    memories: row.memories,
    namespaces: row.namespaces,
    bytes: row.bytes,
    usage: usage.of(row),
  };
}

/** All accounts, newest first, the machine's own at the end. */
export function listAccounts(deps: Pick<AccountsDeps, 'store' | 'usage' | 'clock'>): Shown[] {
  deps.usage.flush();
  return deps.store.read((db) => listAccountRows(db, deps.clock.now())).map((row) => toShown(deps, row));
}

export function showAccount(deps: Pick<AccountsDeps, 'store' | 'usage' | 'clock'>, publicId: string): Shown {
  deps.usage.flush();
  const row = deps.store.read((db) => findListedAccount(db, publicId, deps.clock.now()));
  if (!row) throw new Problem('account_not_found', `There is no account ${JSON.stringify(publicId)}`);
  return toShown(deps, row);
}

/** Sets the tier of an account that signed up. */
export function setTier(deps: AccountsDeps, publicId: string, tier: Tier): Shown {
  const account = accountOf(deps, publicId);
  if (account.kind !== 'bot') throw new Problem('conflict', `The ${account.kind} account has no tier to set`);
  deps.store.write((db) => {
    saveTier(db, account.id, tier);
    db.afterCommit(() => deps.changed(account.id));
  });
  return showAccount(deps, publicId);
}

/** Deletes all that an account holds inside a transaction, in every table; what is in memory goes after the commit. */
export function emptyAccount(
  db: WriteDb,
  deps: Pick<AccountsDeps, 'changed' | 'emptied'>,
  { account, keep }: { account: Account; keep?: readonly string[] },
): void {
  const left: Left = {
    namespaces: namespaceIdsOf(db, account.id),
    webhooks: webhookIdsOf(db, account.id),
    keys: keep?.includes('api_keys') ? [] : keyIdsOf(db, account.id),
  };
  wipeAccount(db, account.id, keep);
  db.afterCommit(() => {
    deps.changed(account.id);
    deps.emptied(account, left);
  });
}

/** Deletes an account with everything that it holds, for good. */
export function removeAccount(deps: AccountsDeps, account: Account): void {
  if (account.kind !== 'bot') throw new Problem('conflict', `The ${account.kind} account cannot be deleted`);
  // A flush after it would bring back a row of usage.
  deps.usage.flush();
  deps.store.write((db) => {
    emptyAccount(db, deps, { account });
    deleteAccountRow(db, account.id);
  });
  deps.usage.forget(account.id);
  // The deleted pages still stand in the write-ahead log.
  deps.store.checkpoint();
}

/** An account's quotas and what is used of them. */
export function usageOf(
  { store, usage, clock }: Pick<AccountsDeps, 'store' | 'usage' | 'clock'>,
  id: AccountId,
): ShownUsage {
  const account = store.read((db) => findAccount(db, id));
  if (!account) throw new Problem('account_not_found', 'The account is gone');
  const now = clock.now();
  const limits = usage.limits(account);
  const used = usage.of(account);
  const quota = (limit: number | null, count: number, { until }: Period): Quota => ({
    limit,
    used: count,
    remaining: leftOf(limit, count),
    resets_at: new Date(until).toISOString(),
  });
  const limit = storageLimit(account);
  return {
    account: account.public_id,
    kind: account.kind,
    tier: account.tier,
    status: statusOf(account, now),
    expires_at: isProvisional(account) ? iso(account.expires_at) : null,
    // Visitors of the sandbox are counted by their address, which the headers tell of.
    requests: quota(account.kind === 'sandbox' ? null : limits.requests, used.requests, dayOf(now)),
    recalls: quota(limits.recalls, used.recalls, monthOf(now)),
    stores: quota(limits.stores, used.stores, monthOf(now)),
    // Measuring all of a large account would take long; only small ones have a limit.
    storage: {
      bytes: store.read((db) => (limit === null ? countBytes(db, id) : measureHeld(db, id))),
      limit,
    },
  };
}
