import type { NewSignup, Signup } from '@reverie/shared/accounts/account-store';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** Signups of an address on a day. */
export function readSignups(db: ReadDb, emailHash: Buffer, day: string): number {
  const row = db
    .prepare<[Buffer, string], { attempts: number }>(
      'SELECT attempts FROM signups WHERE email_hash = ? AND day = ?',
    )
    .get(emailHash, day);
  return row?.attempts ?? 0;
}

/** Saves the signups of an address on a day, and forgets those of other days. */
export function saveSignups(db: WriteDb, emailHash: Buffer, at: { day: string; attempts: number }): void {
  db.prepare<[string]>('DELETE FROM signups WHERE day <> ?').run(at.day);
  db.prepare<[Buffer, string, number]>(
    `INSERT INTO signups (email_hash, day, attempts) VALUES (?, ?, ?)
     ON CONFLICT (email_hash) DO UPDATE SET day = excluded.day, attempts = excluded.attempts`,
  ).run(emailHash, at.day, at.attempts);
}

export function insertSignup(db: WriteDb, signup: NewSignup): AccountId {
  const { lastInsertRowid } = db
    .prepare<[string, number, string, Uint8Array, number]>(
      `INSERT INTO accounts (public_id, kind, tier, created_at, email, token_hash, expires_at)
       VALUES (?, 'bot', 'free', ?, ?, ?, ?)`,
    )
    .run(signup.account, signup.createdAt, signup.email, signup.tokenHash, signup.expiresAt);
  return Number(lastInsertRowid) as AccountId;
}

interface SignupRow {
  public_id: string;
  email: string;
  tier: Signup['tier'];
  key_prefix: string | null;
  created_at: number;
  expires_at: number;
  confirmed_at: number | null;
}

/** The signup to which a token's hash belongs; its `keyPrefix` is that of the account's first key. */
export function findSignup(db: ReadDb, tokenHash: Uint8Array): Signup | undefined {
  const row = db
    .prepare<[Uint8Array], SignupRow>(
      `SELECT a.public_id, a.email, a.tier, a.created_at, a.expires_at, a.confirmed_at,
         (SELECT k.key_prefix FROM api_keys k WHERE k.account = a.id ORDER BY k.created_at, k.id LIMIT 1) AS key_prefix
       FROM accounts a WHERE a.token_hash = ?`,
    )
    .get(tokenHash);
  return (
    row && {
      account: row.public_id,
      email: row.email,
      tier: row.tier,
      keyPrefix: row.key_prefix ?? '',
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      confirmedAt: row.confirmed_at,
    }
  );
}

/** Confirms the account of a token that has not expired at `at` (ms since 1970); answers its id, or undefined where there is none. */
export function confirmAccount(db: WriteDb, tokenHash: Uint8Array, at: number): AccountId | undefined {
  const row = db
    .prepare<[Uint8Array, number], { id: AccountId; expires_at: number }>(
      'SELECT id, expires_at FROM accounts WHERE token_hash = ? AND confirmed_at IS NULL AND expires_at > ?',
    )
    .get(tokenHash, at);
  if (!row) return undefined;
  db.prepare<[number, number]>('UPDATE accounts SET confirmed_at = ? WHERE id = ?').run(at, row.id);
  // Keys that were to stop with the account go on; those that end by themselves, or were rotated, do not.
  db.prepare<[number, number]>(
    'UPDATE api_keys SET expires_at = NULL WHERE account = ? AND expires_at = ?',
  ).run(row.id, row.expires_at);
  return row.id;
}

/** Accounts that nobody confirmed. */
export function countProvisional(db: ReadDb): number {
  const row = db
    .prepare<[], { count: number }>(
      'SELECT count(*) AS count FROM accounts WHERE expires_at IS NOT NULL AND confirmed_at IS NULL',
    )
    .get();
  return row?.count ?? 0;
}

/** Accounts that nobody confirmed and whose keys stopped at this time or before, the oldest first. */
export function expiredAccounts(db: ReadDb, at: number, limit: number): string[] {
  return db
    .prepare<[number, number], { public_id: string }>(
      `SELECT public_id FROM accounts WHERE expires_at IS NOT NULL AND confirmed_at IS NULL AND expires_at <= ?
       ORDER BY expires_at, id LIMIT ?`,
    )
    .all(at, limit)
    .map(({ public_id }) => public_id);
}
