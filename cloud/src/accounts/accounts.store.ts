import { createHash } from 'node:crypto';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { type Actor, audit } from '../audit/audit.ts';
import { all, one, type Records, run, type Steps } from '../db/records.ts';

/** An account as the relay keeps it. Times in ms since 1970. */
export interface Account {
  id: string;
  email: string;
  created_at: number;
  expires_at: number;
  confirmed_at: number | null;
  disabled_at: number | null;
}

const COLUMNS = 'id, email, created_at, expires_at, confirmed_at, disabled_at';

/** Whether the devices of an account may enter at a time. */
export function isAlive(account: Account, now: number): boolean {
  return account.disabled_at === null && (account.confirmed_at !== null || account.expires_at > now);
}

export function findAccount(id: string): Steps<Account | undefined> {
  return one(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`, id);
}

/** Ends an account for good: nobody enters it any more, and should its removal end in the middle, the next sweep goes on with it. */
export function endAccount(id: string): Steps<number> {
  return run('UPDATE accounts SET confirmed_at = NULL, expires_at = 0 WHERE id = ?', id);
}

/** The account that an address is known by: the first that was confirmed. */
export function findConfirmedByEmail(email: string): Steps<Account | undefined> {
  return one(
    `SELECT ${COLUMNS} FROM accounts WHERE email = ? AND confirmed_at IS NOT NULL
     ORDER BY confirmed_at, id LIMIT 1`,
    email,
  );
}

/** Whether an address is that of an account that was disabled: it gets no other one. */
export function* isDisabledEmail(email: string): Steps<boolean> {
  const sql = 'SELECT id FROM accounts WHERE email = ? AND disabled_at IS NOT NULL LIMIT 1';
  return (yield* one(sql, email)) !== undefined;
}

/** Deletes an account with its devices; its rooms are gone by then. */
export function* deleteAccount(account: string, { at, by }: { at: number; by?: Actor }): Steps<void> {
  if ((yield* run('DELETE FROM accounts WHERE id = ?', account)) > 0)
    yield* audit({ kind: by ? 'account.deleted' : 'account.expired', at, account, ...(by && { by }) });
}

/** The id of the device that a signup's first key becomes. */
export function deviceOfKey(keyId: string): string {
  return keyId.replace(/^key_/, 'dev_');
}

/**
 * Signups in the relay's records; the first key of an account is its first device. `remove` takes
 * an account with all that hangs on it.
 */
export function createAccountStore(
  records: Records,
  remove: (account: string) => Promise<void>,
): AccountStore {
  return {
    countSignup({ email, day, limit }) {
      const hash = createHash('sha256').update(email).digest();
      return records.write(function* () {
        const row = yield* one<{ attempts: number }>(
          'SELECT attempts FROM signups WHERE email_hash = ? AND day = ?',
          hash,
          day,
        );
        const attempts = row?.attempts ?? 0;
        if (attempts >= limit) return false;
        yield* run('DELETE FROM signups WHERE day <> ?', day);
        yield* run(
          `INSERT INTO signups (email_hash, day, attempts) VALUES (?, ?, ?)
           ON CONFLICT (email_hash) DO UPDATE SET day = excluded.day, attempts = excluded.attempts`,
          ...[hash, day, attempts + 1],
        );
        return true;
      });
    },
    create({ account, email, createdAt, expiresAt, tokenHash, key }) {
      return records.write(function* () {
        yield* run(
          `INSERT INTO accounts (id, email, token_hash, key_prefix, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
          ...[account, email, tokenHash, key.prefix, createdAt, expiresAt],
        );
        yield* run(
          `INSERT INTO devices (id, account, name, key_hash, created_at) VALUES (?, ?, 'first device', ?, ?)`,
          ...[deviceOfKey(key.id), account, key.hash, createdAt],
        );
        const device = deviceOfKey(key.id);
        yield* audit({ kind: 'account.signed_up', at: createdAt, by: { account, device }, account, device });
      });
    },
    async findByToken(tokenHash) {
      const row = await records.read(() =>
        one<Account & { key_prefix: string }>(
          `SELECT ${COLUMNS}, key_prefix FROM accounts WHERE token_hash = ?`,
          tokenHash,
        ),
      );
      return (
        row && {
          account: row.id,
          email: row.email,
          tier: 'free' as const,
          keyPrefix: row.key_prefix,
          createdAt: row.created_at,
          expiresAt: row.expires_at,
          confirmedAt: row.confirmed_at,
        }
      );
    },
    async confirm(tokenHash, at) {
      return records.write(function* () {
        const confirmed = yield* one<{ id: string }>(
          `UPDATE accounts SET confirmed_at = ? WHERE token_hash = ? AND confirmed_at IS NULL AND expires_at > ?
           RETURNING id`,
          ...[at, tokenHash, at],
        );
        if (confirmed) yield* audit({ kind: 'account.confirmed', at, account: confirmed.id });
        return confirmed !== undefined;
      });
    },
    async countProvisional() {
      const row = await records.read(() =>
        one<{ count: number }>('SELECT count(*) AS count FROM accounts WHERE confirmed_at IS NULL'),
      );
      return row?.count ?? 0;
    },
    async expiredBy(at, limit) {
      const rows = await records.read(() =>
        all<{ id: string }>(
          `SELECT id FROM accounts WHERE confirmed_at IS NULL AND expires_at <= ? ORDER BY expires_at, id LIMIT ?`,
          ...[at, limit],
        ),
      );
      return rows.map(({ id }) => id);
    },
    remove,
  };
}
