import { randomUUID } from 'node:crypto';
import { Key, type JsonObject, Metadata, Value } from '@reverie/shared/contract/fields';
import type { Documents } from '@reverie/shared/document/documents';
import type { Content, Version, Writer } from '@reverie/shared/document/register';
import type { ReplicaShelf } from '@reverie/shared/document/replica';
import type { Author } from '../db/change.ts';
import type { WriteDb } from '../db/open-store.ts';
import { insertConflict } from './conflicts.store.ts';
import { insertUpdate } from './documents.store.ts';
import { observe } from './link.store.ts';
import { keysOf, saveSyncedRow, type SyncedRow } from './namespaces.store.ts';
import { deleteOperations, insertSend, unwritten } from './outbox.store.ts';
import type { SyncedMemories } from './ports.ts';

/** What the shelf of a namespace needs besides its rows. */
export interface ShelfDeps {
  memories: SyncedMemories;
  documents: Documents;
  writer: Writer;
  /** The next number of an entry of this incarnation. */
  nextNumber: () => number;
  now: () => number;
  nameOf: (device: string) => string | null;
}

export interface ShelfOptions {
  /** Operations that are written at once; all of them where omitted. */
  limit?: number;
  /** Whose entry is merged. */
  device?: string;
  /** Whether it was there before this device came: then no webhook hears of it. */
  isFirst?: boolean;
}

/** A namespace's shelf in SQLite, within the transaction under way. */
export function shelfOf(
  db: WriteDb,
  deps: ShelfDeps,
  { row, limit = 1e9, device = deps.writer.device, isFirst = false }: ShelfOptions & { row: SyncedRow },
): ReplicaShelf & { changed: () => number } {
  const { account, id: namespaceId, name: namespace } = row;
  const { memories, writer } = deps;
  let clearedBefore = row.cleared_before;
  let changed = 0;
  const author = (of: string): Author => ({
    account,
    actor: { kind: 'device', id: of },
    origin: isFirst ? 'import' : 'device',
  });

  /** Keeps what lost, where it says something else; tells of it once. */
  function keepLoser(winner: Version, loser: Version): void {
    if (isSame(winner.content, loser.content)) return;
    const { value, metadata, updated_at, expires_at } = loser.content;
    const isNew = insertConflict(db, account, {
      id: `cfl_${randomUUID()}`,
      ...{ namespace, key: loser.key, value, metadata, expires_at },
      ...{ device: loser.device, device_name: deps.nameOf(loser.device) },
      ...{ incarnation: loser.incarnation, hlc: loser.hlc, reason: 'lost' },
      ...{ written_at: updated_at, found_at: deps.now() },
    });
    if (!isNew) return;
    const lost = { key: loser.key, value, namespace, metadata: JSON.parse(metadata) as JsonObject };
    memories.merged(db, author(winner.device), { namespace, key: winner.key, lost });
  }

  return {
    clearedBefore: () => clearedBefore,
    saveClearedBefore(hlc) {
      clearedBefore = hlc;
      observe(db, hlc);
      saveSyncedRow(db, namespaceId, { cleared_before: hlc });
    },
    unwritten: () => unwritten(db, namespaceId, limit),
    saveOwn(bucket, update, seqs) {
      if (update === undefined) return deleteOperations(db, seqs);
      insertUpdate(db, { account, namespaceId, bucket }, update);
      insertSend(
        db,
        { account, namespaceId },
        {
          ...{ incarnation: writer.incarnation, n: deps.nextNumber() },
          ...{ at: deps.now(), bucket, body: update, cleared_before: null, seqs },
        },
      );
    },
    saveTheirs: (bucket, update) => insertUpdate(db, { account, namespaceId, bucket }, update),
    place(key, winner, losers) {
      if (!winner) {
        if (memories.apply(db, author(device), { namespace, key, content: undefined })) changed += 1;
        return;
      }
      observe(db, winner.hlc);
      const content = { ...winner.content, metadata: checked(winner) };
      if (memories.apply(db, author(winner.device), { namespace, key, content })) changed += 1;
      for (const loser of losers) keepLoser(winner, loser);
    },
    keys: () => keysOf(db, account, namespace),
    clear: () => memories.clear(db, author(device), namespace),
    changed: () => changed,
  };
}

function isSame(a: Content, b: Content): boolean {
  return a.value === b.value && a.metadata === b.metadata && a.expires_at === b.expires_at;
}

/** The metadata of a version, once all of it is within the limits of the interface: another device may run anything. */
function checked({ key, content }: Version): JsonObject {
  Key.parse(key);
  Value.parse(content.value);
  for (const time of [content.created_at, content.updated_at, content.expires_at ?? 0])
    if (time > 8.64e15) throw new Error('a time of the memory is none');
  return Metadata.parse(JSON.parse(content.metadata));
}
