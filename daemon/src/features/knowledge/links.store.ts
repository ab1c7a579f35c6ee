import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../db/open-store.ts';

/** A memory that says something of the same thing. */
export interface FactLink {
  memory_id: number;
  subject: string;
}

/** A subject that more facts than this have joins nothing: `I`, the project. */
const COMMON = 24;

/** Memories with facts about the same subjects as those of one memory; subjects that half of the namespace has are left out. */
export function factLinks(
  db: ReadDb,
  of: { account: AccountId; namespaceId: number; memoryId: number; limit: number },
): FactLink[] {
  return db
    .prepare<[object], FactLink>(
      `SELECT o.memory_id, min(o.subject) AS subject
       FROM (SELECT DISTINCT subject_norm FROM facts WHERE memory_id = @memoryId AND origin = 'text') own
       CROSS JOIN facts o ON o.account = @account AND o.namespace_id = @namespaceId AND o.subject_norm = own.subject_norm
       WHERE o.memory_id <> @memoryId AND o.origin = 'text'
         AND (SELECT count(*) FROM (SELECT 1 FROM facts c WHERE c.account = @account AND c.namespace_id = @namespaceId
              AND c.subject_norm = own.subject_norm LIMIT @common)) < @common
       GROUP BY o.memory_id ORDER BY count(*) DESC, o.memory_id DESC LIMIT @limit`,
    )
    .all({ ...of, common: COMMON });
}

/** The addresses of some memories of an account, without those that are gone or hidden. */
export function addressesOf(
  db: ReadDb,
  account: AccountId,
  ids: readonly number[],
): { namespace: string; key: string }[] {
  return db
    .prepare<[string, AccountId], { namespace: string; key: string }>(
      `SELECT n.name AS namespace, m.key FROM json_each(?) i CROSS JOIN memories m ON m.id = i.value
       JOIN namespaces n ON n.id = m.namespace_id WHERE m.account = ? AND m.hidden IS NULL ORDER BY i.key`,
    )
    .all(JSON.stringify(ids), account);
}
