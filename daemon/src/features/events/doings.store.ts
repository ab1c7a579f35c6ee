import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Actor } from '@reverie/shared/contract/events/events';
import type { ReadDb } from '../../db/open-store.ts';

/** What an actor did to the memories of a namespace. */
export interface DoingRow {
  actor_kind: Actor['kind'];
  actor_id: string;
  namespace: string;
  wrote: number;
  changed: number;
  deleted: number;
  /** When the last of it was done, ms since 1970. */
  at: number;
}

/** What was done to memories since a time, of the newest `limit` events of the account, by actor and namespace, the latest first. No more are read, however few of them count. */
export function doingsSince(
  db: ReadDb,
  of: { account: AccountId; within: string | null; since: number; limit: number },
): DoingRow[] {
  return db
    .prepare<[typeof of], DoingRow>(
      `SELECT actor_kind, actor_id, namespace, sum(type = 'memory.write') AS wrote, sum(type = 'memory.update') AS changed,
         sum(type = 'memory.delete') AS deleted, max(created_at) AS at
       FROM (SELECT actor_kind, actor_id, namespace, type, created_at FROM events INDEXED BY events_by_time
             WHERE created_at >= @since AND account = @account
             ORDER BY created_at DESC LIMIT @limit)
       WHERE type IN ('memory.write', 'memory.update', 'memory.delete')
         AND (@within IS NULL OR has_namespace(@within, namespace))
       GROUP BY actor_kind, actor_id, namespace ORDER BY at DESC, namespace`,
    )
    .all(of);
}
