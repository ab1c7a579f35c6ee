import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

export interface Remembered {
  body_hash: Buffer;
  response: string;
  created_at: number;
}

export interface RequestName {
  account: AccountId;
  route: string;
  key: string;
}

export function findRemembered(db: ReadDb, { account, route, key }: RequestName): Remembered | undefined {
  return db
    .prepare<[number, string, string], Remembered>(
      'SELECT body_hash, response, created_at FROM idempotency WHERE account = ? AND route = ? AND key = ?',
    )
    .get(account, route, key);
}

/** Keeps the reply of a request, in place of an older one under the same key. */
export function remember(db: WriteDb, { account, route, key }: RequestName, kept: Remembered): void {
  db.prepare<unknown[]>(
    `INSERT OR REPLACE INTO idempotency (account, route, key, body_hash, response, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(account, route, key, kept.body_hash, kept.response, kept.created_at);
}

export function forgetBefore(db: WriteDb, before: number): void {
  db.prepare<[number]>('DELETE FROM idempotency WHERE created_at < ?').run(before);
}
