import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

export interface RecallDay {
  account: AccountId;
  memoryId: number;
  /** Days since 1970, UTC. */
  day: number;
}

/** Hashes of the queries by which a memory was recalled on a day; undefined where it was not. */
export function knownQueries(db: ReadDb, { memoryId, day }: RecallDay): Buffer | undefined {
  return db
    .prepare<[number, number], { queries: Buffer }>(
      'SELECT queries FROM memory_recalls WHERE memory_id = ? AND day = ?',
    )
    .get(memoryId, day)?.queries;
}

/** Adds recalls to a day; nothing where the memory is gone or another account's. */
export function addRecalls(
  db: WriteDb,
  { account, memoryId, day }: RecallDay,
  { count, queries }: { count: number; queries: Buffer },
): void {
  db.prepare<unknown[]>(
    `INSERT INTO memory_recalls (account, memory_id, day, count, queries)
     SELECT m.account, m.id, ?, ?, ? FROM memories m WHERE m.id = ? AND m.account = ?
     ON CONFLICT (memory_id, day) DO UPDATE SET count = count + excluded.count, queries = excluded.queries`,
  ).run(day, count, queries, memoryId, account);
}

/** Drops the counts of days before a given one (days since 1970), at most 1,000 a call; answers how many. */
export function dropCountsBefore(db: WriteDb, day: number): number {
  return db
    .prepare<[number]>(
      'DELETE FROM memory_recalls WHERE (memory_id, day) IN (SELECT memory_id, day FROM memory_recalls WHERE day < ? LIMIT 1000)',
    )
    .run(day).changes;
}
