import type { AddressWindow } from '@reverie/shared/http/rate-limit';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** What is counted by address and outlives a restart. */
export type AddressCount = 'signups' | 'sandbox';

export function readAddressCounts(db: ReadDb, what: AddressCount): AddressWindow[] {
  return db
    .prepare<[string], AddressWindow>('SELECT address, since, used FROM address_counts WHERE what = ?')
    .all(what);
}

/** Saves the windows in which an address is counted, and forgets those that began at `overAt` (ms since 1970) or before. */
export function saveAddressCounts(
  db: WriteDb,
  what: AddressCount,
  { windows, overAt }: { windows: readonly AddressWindow[]; overAt: number },
): void {
  db.prepare<[string, number]>('DELETE FROM address_counts WHERE what = ? AND since <= ?').run(what, overAt);
  const save = db.prepare<[string, string, number, number]>(
    `INSERT INTO address_counts (what, address, since, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (what, address) DO UPDATE SET since = excluded.since, used = excluded.used`,
  );
  for (const { address, since, used } of windows) save.run(what, address, since, used);
}
