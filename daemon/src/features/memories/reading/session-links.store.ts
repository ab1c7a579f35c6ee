import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';

/** The memories right before and right after one in its session. */
export function sessionNeighbours(
  db: ReadDb,
  of: { account: AccountId; namespaceId: number; memoryId: number },
): { id: number }[] {
  const beside = (than: '<' | '>', order: 'ASC' | 'DESC') =>
    `SELECT n.id FROM memories m CROSS JOIN memories n ON n.account = m.account
       AND n.namespace_id = m.namespace_id AND n.session = m.session
       AND (n.session_time, n.session_key) ${than} (m.session_time, m.session_key)
     WHERE m.id = @memoryId AND m.account = @account AND m.namespace_id = @namespaceId
     ORDER BY n.session_time ${order}, n.session_key ${order} LIMIT 1`;
  return db
    .prepare<[object], { id: number }>(
      `SELECT id FROM (${beside('<', 'DESC')}) UNION ALL SELECT id FROM (${beside('>', 'ASC')})`,
    )
    .all(of);
}
