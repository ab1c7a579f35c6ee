import { randomUUID } from 'node:crypto';
import { hlcOf } from '@reverie/shared/document/clock';
import type { LostReason } from '@reverie/shared/contract/sync/lost';
import type { Content } from '@reverie/shared/document/register';
import type { ReadDb, Store, WriteDb } from '../../db/open-store.ts';
import { insertConflict } from '../conflicts/conflicts.store.ts';
import { dropUpdates } from '../replica/documents.store.ts';
import { deleteLink, findLink } from '../link.store.ts';
import { saveLost } from './lost.store.ts';
import {
  deleteSynced,
  findSynced,
  listSynced,
  memoriesAfter,
  saveSyncedRow,
  type SentMemory,
  type SyncedRow,
} from './namespaces.store.ts';
import { dropOutbox, heldByRoom, unconfirmedSets } from '../replica/outbox.store.ts';
import { leaveRecordRooms } from '../records/records.store.ts';
import type { Replicas } from '../replica/replicas.ts';

/** Why, and when, a namespace leaves sync. */
export interface LeavingSync {
  reason: LostReason;
  now: number;
}

/** Ends the sync of a namespace whose room is not this account's any more; its memories stay here, and the status tells of it. */
export function leaveNamespace(
  { store, replicas }: { store: Store; replicas: Pick<Replicas, 'forget'> },
  namespaceId: number,
  { reason, now }: LeavingSync,
): void {
  store.write((db) => {
    const row = findSynced(db, namespaceId);
    if (!row) return;
    strand(db, row, { reason, now });
    deleteSynced(db, namespaceId);
  });
  replicas.forget(namespaceId);
}

/** Notes that a namespace left sync, and what of it nobody else has got. */
function strand(db: WriteDb, row: SyncedRow, { reason, now }: LeavingSync): void {
  const { account, name, room, role, owner } = row;
  const held = heldByRoom(db, row, now);
  saveLost(db, account, { name, room: room ?? '', role, owner, reason, lost_at: now, kept: 0, ...held });
}

/**
 * Ends the link of this home. What belongs to somebody else leaves sync with it: linked elsewhere, it would be sent there as this
 * account's own.
 */
export function endLink(db: WriteDb, now: number): void {
  for (const row of listSynced(db)) if (row.role !== 'owner') strand(db, row, { reason: 'unlinked', now });
  leaveRecordRooms(db);
  deleteLink(db);
}

/** Whether the relay has lost a room of this account's own that it does not know: the room was last seen in another log than this one. */
export function wasLostByRelay({ role, seen_in }: SyncedRow, logId: string): boolean {
  return role === 'owner' && seen_in !== '' && logId !== '' && seen_in !== logId;
}

/**
 * The relay does not know a room. It was deleted, or this account may not see it any more; but one of its own that was seen in another
 * log than this was lost by a restored relay, and is made and filled again. Where no log is known, nobody can tell, and it waits.
 */
export function roomGone(
  { store, replicas, now }: { store: Store; replicas: Pick<Replicas, 'forget'>; now: number },
  namespaceId: number,
  logId: string,
): void {
  const row = store.read((db) => findSynced(db, namespaceId));
  if (!row) return;
  const isOther = row.seen_in !== logId;
  const isUnsure = row.seen_in === '';
  if (wasLostByRelay(row, logId))
    return store.write((db) => saveSyncedRow(db, namespaceId, { room: null, head: null }));
  const reason = isUnsure ? 'unsure' : row.role === 'owner' ? 'deleted' : isOther ? 'restored' : 'ended';
  leaveNamespace({ store, replicas }, namespaceId, { reason, now });
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
        namespace: row.name,
        key,
        value: content.value,
        metadata: content.metadata,
        expires_at: content.expires_at,
        device: link.device ?? 'here',
        device_name: link.device_name,
        incarnation: replicas.incarnation,
        ...at,
        reason: 'downgraded',
        found_at: now,
      });
    const said = unconfirmedSets(db, namespaceId);
    const known = new Set(said.map(({ key }) => key));
    for (const { key, hlc, created_at, ...told } of said) {
      const content = JSON.parse(told.content) as Content;
      // What is in the trash stays there.
      if (content.trashed === undefined) keep(key, content, { hlc, written_at: created_at });
    }
    // What a first upload has not come to yet is in no outbox, and its rows go, too, when the log was read.
    for (const { key, ...content } of notUploaded(db, row))
      if (!known.has(key))
        keep(key, content, { hlc: hlcOf(content.updated_at), written_at: content.updated_at });
    dropOutbox(db, namespaceId);
    dropUpdates(db, namespaceId);
    saveSyncedRow(db, namespaceId, {
      cursor: 0,
      hash: new Uint8Array(),
      log_id: '',
      rebuild: 1,
      upload_after: null,
      upload_total: 0,
      upload_done: 0,
      epoch: 0,
      entering: null,
      entered: 0,
      // Also what was cleared here and never said stands again.
      cleared_before: 0,
      cleared_in_log: 0,
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
    // What is in the trash stays there, too.
    yield* page.filter(({ trashed }) => trashed === undefined);
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  }
}
