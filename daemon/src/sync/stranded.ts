import { randomUUID } from 'node:crypto';
import { hlcOf } from '@reverie/shared/document/clock';
import type { Content } from '@reverie/shared/document/register';
import type { ReadDb, Store } from '../db/open-store.ts';
import { insertConflict } from './conflicts.store.ts';
import { dropUpdates } from './documents.store.ts';
import { findLink } from './link.store.ts';
import {
  deleteSynced,
  findSynced,
  memoriesAfter,
  saveSyncedRow,
  type SentMemory,
  type SyncedRow,
} from './namespaces.store.ts';
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
  { store, replicas, now }: { store: Store; replicas: Pick<Replicas, 'incarnation' | 'forget'>; now: number },
  namespaceId: number,
): void {
  store.write((db) => {
    const row = findSynced(db, namespaceId);
    const link = findLink(db);
    if (!row || !link) return;
    const keep = (key: string, content: Content, at: { hlc: number; written_at: number }) =>
      insertConflict(db, row.account, {
        id: `cfl_${randomUUID()}`,
        ...{ namespace: row.name, key, value: content.value, metadata: content.metadata },
        expires_at: content.expires_at,
        ...{
          device: link.device ?? 'here',
          device_name: link.device_name,
          incarnation: replicas.incarnation,
        },
        ...{ ...at, reason: 'downgraded', found_at: now },
      });
    const said = unconfirmedSets(db, namespaceId);
    const known = new Set(said.map(({ key }) => key));
    for (const { key, content, hlc, created_at } of said)
      keep(key, JSON.parse(content) as Content, { hlc, written_at: created_at });
    // What a first upload has not come to yet is in no outbox, and its rows go, too, when the log was read.
    for (const { key, ...content } of notUploaded(db, row))
      if (!known.has(key))
        keep(key, content, { hlc: hlcOf(content.updated_at), written_at: content.updated_at });
    dropOutbox(db, namespaceId);
    dropUpdates(db, namespaceId);
    saveSyncedRow(db, namespaceId, {
      ...{ cursor: 0, hash: new Uint8Array(), log_id: '', upload_after: null, rebuild: 1 },
      ...{ epoch: 0, entering: null, entered: 0, cleared_in_log: 0 },
    });
  });
  replicas.forget(namespaceId);
}

/** How many memories are looked up at once. */
const PAGE = 500;

/** Memories from before the link that a first upload has not come to. */
function* notUploaded(db: ReadDb, { account, name, upload_after }: SyncedRow): Generator<SentMemory> {
  for (let after = upload_after; after !== null;) {
    const page = memoriesAfter(db, account, { name, after, limit: PAGE });
    yield* page;
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  }
}
