import { createHash } from 'node:crypto';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import type { Database } from '../db/open-database.ts';

/** An account as the relay keeps it. Times in ms since 1970. */
export interface Account {
  id: string;
  email: string;
  created_at: number;
  expires_at: number;
  confirmed_at: number | null;
}

const COLUMNS = 'id, email, created_at, expires_at, confirmed_at';

/** Whether the devices of an account may enter at a time. */
export function isAlive(account: Account, now: number): boolean {
  return account.confirmed_at !== null || account.expires_at > now;
}

export function findAccount(db: Database, id: string): Account | undefined {
  return db.prepare<[string], Account>(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`).get(id);
}

/** The account that an address is known by: the first that was confirmed. */
export function findConfirmedByEmail(db: Database, email: string): Account | undefined {
  return db
    .prepare<[string], Account>(
      `SELECT ${COLUMNS} FROM accounts WHERE email = ? AND confirmed_at IS NOT NULL
       ORDER BY confirmed_at, id LIMIT 1`,
    )
    .get(email);
}

/** The id of the device that a signup's first key becomes. */
export function deviceOfKey(keyId: string): string {
  return keyId.replace(/^key_/, 'dev_');
}

/**
 * Signups in the relay's database; the first key of an account is its first device. `removing` is called before an
 * account goes, for what hangs on it elsewhere.
 */
export function createSqliteAccountStore(
  db: Database,
  removing: (account: string) => Promise<void>,
): AccountStore {
  return {
    async countSignup({ email, day, limit }) {
      const hash = createHash('sha256').update(email).digest();
      return db.write(() => {
        const row = db
          .prepare<[Uint8Array, string], { attempts: number }>(
            'SELECT attempts FROM signups WHERE email_hash = ? AND day = ?',
          )
          .get(hash, day);
        const attempts = row?.attempts ?? 0;
        if (attempts >= limit) return false;
        db.prepare<[string]>('DELETE FROM signups WHERE day <> ?').run(day);
        db.prepare<[Uint8Array, string, number]>(
          `INSERT INTO signups (email_hash, day, attempts) VALUES (?, ?, ?)
           ON CONFLICT (email_hash) DO UPDATE SET day = excluded.day, attempts = excluded.attempts`,
        ).run(hash, day, attempts + 1);
        return true;
      });
    },
    async create({ account, email, createdAt, expiresAt, tokenHash, key }) {
      db.write(() => {
        db.prepare<[string, string, Uint8Array, string, number, number]>(
          `INSERT INTO accounts (id, email, token_hash, key_prefix, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
        ).run(account, email, tokenHash, key.prefix, createdAt, expiresAt);
        db.prepare<[string, string, Uint8Array, number]>(
          `INSERT INTO devices (id, account, name, key_hash, created_at) VALUES (?, ?, 'first device', ?, ?)`,
        ).run(deviceOfKey(key.id), account, key.hash, createdAt);
      });
    },
    async findByToken(tokenHash) {
      const row = db
        .prepare<[Uint8Array], Account & { key_prefix: string }>(
          `SELECT ${COLUMNS}, key_prefix FROM accounts WHERE token_hash = ?`,
        )
        .get(tokenHash);
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
      return db.write(
        () =>
          db
            .prepare<[number, Uint8Array, number]>(
              'UPDATE accounts SET confirmed_at = ? WHERE token_hash = ? AND confirmed_at IS NULL AND expires_at > ?',
            )
            .run(at, tokenHash, at).changes > 0,
      );
    },
    async countProvisional() {
      const row = db
        .prepare<[], { count: number }>('SELECT count(*) AS count FROM accounts WHERE confirmed_at IS NULL')
        .get();
      return row?.count ?? 0;
    },
    async expiredBy(at, limit) {
      return db
        .prepare<[number, number], { id: string }>(
          `SELECT id FROM accounts WHERE confirmed_at IS NULL AND expires_at <= ? ORDER BY expires_at, id LIMIT ?`,
        )
        .all(at, limit)
        .map(({ id }) => id);
    },
    async remove(account) {
      await removing(account);
      db.prepare<[string]>('DELETE FROM accounts WHERE id = ?').run(account);
      db.emptying.empty();
    },
  };
}
