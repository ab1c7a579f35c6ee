import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../db/open-store.ts';
import type { Account } from './accounts.store.ts';

/** An account with what it holds and what was used. */
export interface ListedAccount extends Account {
  keys: number;
  last_used_at: number | null;
  memories: number;
  namespaces: number;
  bytes: number;
}

const LISTED = `SELECT a.id, a.public_id, a.kind, a.tier, a.email, a.created_at, a.expires_at, a.confirmed_at,
    (SELECT count(*) FROM api_keys k WHERE k.account = a.id AND k.revoked_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > @now)) AS keys,
    (SELECT max(k.last_used_at) FROM api_keys k WHERE k.account = a.id) AS last_used_at,
    (SELECT coalesce(sum(n.memories), 0) FROM namespaces n WHERE n.account = a.id) AS memories,
    (SELECT count(*) FROM namespaces n WHERE n.account = a.id AND n.memories > 0) AS namespaces,
    (SELECT coalesce(sum(n.bytes), 0) FROM namespaces n WHERE n.account = a.id) AS bytes
  FROM accounts a`;

/** All accounts, newest first, the machine's own at the end. */
export function listAccountRows(db: ReadDb, now: number): ListedAccount[] {
  return db
    .prepare<[{ now: number }], ListedAccount>(
      `${LISTED} ORDER BY a.kind = 'machine', a.created_at DESC, a.id DESC`,
    )
    .all({ now });
}

export function findListedAccount(db: ReadDb, publicId: string, now: number): ListedAccount | undefined {
  return db
    .prepare<[{ now: number; publicId: string }], ListedAccount>(`${LISTED} WHERE a.public_id = @publicId`)
    .get({ now, publicId });
}

/** Bytes of all values of an account. */
export function countBytes(db: ReadDb, account: AccountId): number {
  const row = db
    .prepare<[number], { bytes: number }>(
      'SELECT coalesce(sum(bytes), 0) AS bytes FROM namespaces WHERE account = ?',
    )
    .get(account);
  return row?.bytes ?? 0;
}
