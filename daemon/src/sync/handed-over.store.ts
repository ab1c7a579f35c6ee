import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../db/open-store.ts';

/** A room that somebody made this account the owner of; `email` is null where they are gone, `at` in ms since 1970. */
interface HandedOver {
  room: string;
  email: string | null;
  at: number;
}

/** Saves which rooms were handed over to an account, in the place of those of before. */
export function saveHandedOver(db: WriteDb, account: AccountId, rooms: readonly HandedOver[]): void {
  db.prepare<[number]>('DELETE FROM sync_handed_over WHERE account = ?').run(account);
  const insert = db.prepare<[number, string, string | null, number]>(
    'INSERT INTO sync_handed_over (account, room, email, at) VALUES (?, ?, ?, ?)',
  );
  for (const { room, email, at } of rooms) insert.run(account, room, email, at);
}

/** The synced namespaces that were handed over to an account since a time, ms since 1970. */
export function listHandedOver(
  db: ReadDb,
  account: AccountId,
  since: number,
): { namespace: string; email: string | null; at: number }[] {
  return db
    .prepare<[number, number], { namespace: string; email: string | null; at: number }>(
      `SELECT n.name AS namespace, h.email, h.at FROM sync_handed_over h JOIN sync_namespaces n ON n.room = h.room AND n.account = h.account
       WHERE h.account = ? AND h.at > ? ORDER BY h.at, n.name`,
    )
    .all(account, since);
}
