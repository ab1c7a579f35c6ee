import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../db/open-store.ts';

/** A memory that says something of the same thing, and the line in which it does. */
export interface FactLink {
  memory_id: number;
  quote: string;
}

/** What more facts than this say something of joins nothing: the first column of a calendar. */
const COMMON = 24;

/** Memories with the same label below the same heading or first cell as one memory, or as it is called; without what many have. */
export function factLinks(
  db: ReadDb,
  of: { account: AccountId; namespaceId: number; memoryId: number; limit: number },
): FactLink[] {
  return db
    .prepare<[object], FactLink>(
      // SQLite answers the other columns of the row that has the least id.
      `SELECT memory_id, quote FROM (SELECT o.memory_id, min(o.id), count(*) AS facts, iif(o.quote = '', o.label || ': ' || o.value, o.quote) AS quote
       FROM (SELECT DISTINCT subject_norm, label_norm FROM facts WHERE memory_id = @memoryId AND origin <> 'metadata') own
       CROSS JOIN facts o ON o.account = @account AND o.namespace_id = @namespaceId
         AND o.subject_norm = own.subject_norm AND o.label_norm = own.label_norm
       WHERE o.memory_id <> @memoryId AND o.origin <> 'metadata'
         AND (SELECT count(*) FROM (SELECT 1 FROM facts c WHERE c.account = @account AND c.namespace_id = @namespaceId
              AND c.subject_norm = own.subject_norm LIMIT @common)) < @common
       GROUP BY o.memory_id) ORDER BY facts DESC, memory_id DESC LIMIT @limit`,
    )
    .all({ ...of, common: COMMON });
}
