import type { AccountId } from '@reverie/shared/accounts/caller';
import type { RelayPerson } from '@reverie/shared/contract/relay-rooms';
import type { ReadDb, WriteDb } from '../db/open-store.ts';

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
