import type { AccountId } from '@reverie/shared/accounts/caller';
import type { RelayPerson } from '@reverie/shared/contract/relay/relay-rooms';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** Notes the names of devices and whose they are; those that the relay tells no more of stay. */
export function saveWriters(db: WriteDb, account: AccountId, people: readonly RelayPerson[]): void {
  const save = db.prepare<unknown[]>(
    `INSERT INTO known_writers (account, device, name, email, own) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account, device) DO UPDATE SET name = excluded.name, email = excluded.email, own = excluded.own
     WHERE (name, email, own) IS NOT (excluded.name, excluded.email, excluded.own)`,
  );
  for (const { email, you, devices } of people)
    for (const { id, name } of devices) save.run(account, id, name, email, you ? 1 : 0);
}

/** Whether the relay told the name of a device. */
export function knowsWriter(db: ReadDb, account: AccountId, device: string): boolean {
  return (
    db
      .prepare<[number, string]>('SELECT 1 FROM known_writers WHERE account = ? AND device = ?')
      .get(account, device) !== undefined
  );
}

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
