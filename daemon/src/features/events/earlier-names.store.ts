import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { type EventsOf, logEnds } from './events.store.ts';

/** Keeps what a memory was called until now, so that its events are found when it is deleted. */
export function saveEarlierName(
  db: WriteDb,
  { account, id, namespace, key }: { account: AccountId; id: number; namespace: string; key: string },
): void {
  db.prepare<unknown[]>(
    `INSERT INTO memory_names (account, memory_id, namespace, key, until) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  ).run(account, id, namespace, key, logEnds(db).newest);
}

/** A memory, or all memories of a namespace. */
export type RenamedMemories = { account: AccountId } & ({ id: number } | { namespaceId: number });

/** The events of memories under the names that they had before. */
export function earlierEventsOf(db: ReadDb, of: RenamedMemories): Required<EventsOf>[] {
  const [which, id] = 'id' in of ? ['e.memory_id', of.id] : ['m.namespace_id', of.namespaceId];
  return db
    .prepare<[number, number], Required<EventsOf>>(
      `SELECT e.account, e.namespace, e.key, e.until FROM memory_names e CROSS JOIN memories m ON m.id = e.memory_id
       WHERE ${which} = ? AND e.account = ?`,
    )
    .all(id, of.account);
}
