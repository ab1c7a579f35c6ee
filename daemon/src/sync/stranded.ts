import { randomUUID } from 'node:crypto';
import type { Content } from '@reverie/shared/document/register';
import type { Store } from '../db/open-store.ts';
import { insertConflict } from './conflicts.store.ts';
import { dropUpdates } from './documents.store.ts';
import { findLink } from './link.store.ts';
import { deleteSynced, findSynced, saveSyncedRow } from './namespaces.store.ts';
import { dropOutbox, unconfirmedSets } from './outbox.store.ts';
import type { Replicas } from './replicas.ts';

/** Ends the sync of a namespace whose room is not this account's any more; its memories stay here. */
export function leaveNamespace(
  { store, replicas }: { store: Store; replicas: Replicas },
  namespaceId: number,
): void {
  store.write((db) => deleteSynced(db, namespaceId));
  replicas.forget(namespaceId);
}

/**
 * This account may only read a namespace from now on. What was written here and not confirmed is kept as
 * conflicts, and the documents are read anew: they hold it, and nobody else ever will.
 */
export function strandWrites(
  { store, replicas, now }: { store: Store; replicas: Replicas; now: number },
  namespaceId: number,
): void {
  store.write((db) => {
    const row = findSynced(db, namespaceId);
    const link = findLink(db);
    if (!row || !link) return;
    for (const { key, content: text, hlc, created_at } of unconfirmedSets(db, namespaceId)) {
      const { value, metadata, expires_at } = JSON.parse(text) as Content;
      insertConflict(db, row.account, {
        id: `cfl_${randomUUID()}`,
        ...{ namespace: row.name, key, value, metadata, expires_at },
        ...{
          device: link.device ?? 'here',
          device_name: link.device_name,
          incarnation: replicas.incarnation,
        },
        ...{ hlc, reason: 'downgraded', written_at: created_at, found_at: now },
      });
    }
    dropOutbox(db, namespaceId);
    dropUpdates(db, namespaceId);
    saveSyncedRow(db, namespaceId, {
      ...{ cursor: 0, hash: new Uint8Array(), log_id: '', upload_after: null, rebuild: 1 },
      ...{ epoch: 0, entering: null, entered: 0, cleared_in_log: 0 },
    });
  });
  replicas.forget(namespaceId);
}
