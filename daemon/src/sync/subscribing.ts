import { fromStamp } from '@reverie/shared/document/clock';
import { NO_HASH } from '@reverie/shared/protocol/entry-hash';
import type { Subscribed } from '@reverie/shared/protocol/messages';
import type { Store } from '../db/open-store.ts';
import { saveSyncedRow, type SyncedRow } from './namespaces.store.ts';

/**
 * Saves what the relay answered to a subscription. `isResync`: it has another history than the one that was read, and everything is
 * read and sent again; `isDemoted`: this account may only read from now on.
 */
export function saveSubscribed(
  store: Store,
  row: SyncedRow,
  { logId, message }: { logId: string; message: Subscribed },
): { isResync: boolean; isDemoted: boolean } {
  // Also with nothing read: what was sent to another log may be lost with it.
  const isResync =
    row.log_id !== '' && (row.log_id !== logId || (message.outcome === 'resync' && row.cursor > 0));
  const cleared = fromStamp(message.clearedBefore);
  store.write((db) => {
    saveSyncedRow(db, row.id, {
      log_id: logId,
      seen_in: logId,
      role: message.role,
      head: message.head,
      ...(row.first_head === null && { first_head: message.head, first_from: message.from }),
      ...(isResync && { cursor: 0, hash: NO_HASH }),
      // What this device brings along was not meant by an earlier clear.
      ...(row.upload_after !== null && cleared > row.cleared_before && { cleared_before: cleared }),
    });
  });
  // Who may only read uploads nothing, as where a namespace that had left sync is joined again.
  const hasOwn = row.role !== 'viewer' || row.upload_after !== null;
  return { isResync, isDemoted: message.role === 'viewer' && hasOwn };
}
