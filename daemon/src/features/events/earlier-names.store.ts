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

/** Keys of other memories of a namespace that were made then, and had this key once, or one that the memory of this key had. */
export function findNamesakes(
  db: ReadDb,
  of: { account: AccountId; namespace: string; key: string; created_at: number },
): string[] {
  return db
    .prepare<[typeof of], { key: string }>(
      `WITH here AS (SELECT id FROM namespaces WHERE account = @account AND name = @namespace),
         had AS (SELECT @key AS key UNION SELECT e.key FROM memories m JOIN memory_names e ON e.memory_id = m.id
           WHERE m.account = @account AND m.namespace_id = (SELECT id FROM here) AND m.key = @key AND e.namespace = @namespace)
       SELECT DISTINCT m.key FROM had
         CROSS JOIN memory_names e ON e.account = @account AND e.namespace = @namespace AND e.key = had.key
         CROSS JOIN memories m ON m.id = e.memory_id
       WHERE m.account = @account AND m.namespace_id = (SELECT id FROM here) AND m.created_at = @created_at AND m.key <> @key
       ORDER BY m.key`,
    )
    .all(of)
    .map(({ key }) => key);
}

/** Whether a memory was called so once. */
export function wasCalled(
  db: ReadDb,
  { id, namespace, key }: { id: number; namespace: string; key: string },
): boolean {
  return (
    db
      .prepare<[number, string, string]>(
        'SELECT 1 FROM memory_names WHERE memory_id = ? AND namespace = ? AND key = ?',
      )
      .get(id, namespace, key) !== undefined
  );
}

/** Gives a memory the earlier names of another one that it goes on from. */
export function takeOverNames(db: WriteDb, { from, to }: { from: number; to: number }): void {
  db.prepare<[number, number]>(
    `INSERT INTO memory_names (account, memory_id, namespace, key, until)
     SELECT account, ?, namespace, key, until FROM memory_names WHERE memory_id = ? ON CONFLICT DO NOTHING`,
  ).run(to, from);
}
