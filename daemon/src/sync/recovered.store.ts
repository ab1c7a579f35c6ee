import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../db/open-store.ts';

/** Somebody who shares something with this account and had all devices replaced by recovery; `at` in ms since 1970. */
interface Recovered {
  email: string;
  at: number;
}

/** Notes who was recovered; what was noted before stays where the relay tells nothing of it any more. */
export function saveRecovered(db: WriteDb, account: AccountId, { email, at }: Recovered): void {
  db.prepare<[number, string, number]>(
    `INSERT INTO sync_recovered (account, email, at) VALUES (?, ?, ?)
     ON CONFLICT (account, email) DO UPDATE SET at = excluded.at`,
  ).run(account, email, at);
}

/** Those who were recovered since a time, ms since 1970. */
export function listRecovered(db: ReadDb, account: AccountId, since: number): Recovered[] {
  return db
    .prepare<[number, number], Recovered>(
      'SELECT email, at FROM sync_recovered WHERE account = ? AND at > ? ORDER BY at, email',
    )
    .all(account, since);
}
