import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Behind } from '@reverie/shared/document/register';
import type { Role } from '@reverie/shared/protocol/messages';
import type { ReadDb, WriteDb } from '../db/open-store.ts';

/** A namespace as it is synced. */
export interface SyncedRow {
  id: number;
  account: AccountId;
  name: string;
  /** Its room on the relay; null until the relay was asked for one. */
  room: string | null;
  role: Role;
  members: number;
  log_id: string;
  /** The relay's log in which its room was seen last, also where nothing was read of it yet; empty where that is not known. */
  seen_in: string;
  cursor: number;
  /** Of the entry at the cursor. */
  hash: Uint8Array;
  head: number | null;
  /** That of the documents here, which may be behind the room's. */
  epoch: number;
  /** The epoch that is being begun: the first `entered` buckets are in it. */
  entering: number | null;
  entered: number;
  cleared_before: number;
  /** The newest clear that was read in the log. */
  cleared_in_log: number;
  first_head: number | null;
  upload_after: number | null;
  upload_total: number;
  upload_done: number;
  /** 1 while the log is read from its start into empty documents: rows are made at its end. */
  rebuild: number;
}

const COLUMNS = `id, account, name, room, role, members, log_id, seen_in, cursor, hash, head, epoch, entering, entered,
  cleared_before, cleared_in_log, first_head, upload_after, upload_total, upload_done, rebuild`;

export function listSynced(db: ReadDb): SyncedRow[] {
  return db.prepare<[], SyncedRow>(`SELECT ${COLUMNS} FROM sync_namespaces ORDER BY id`).all();
}

export function findSynced(db: ReadDb, id: number): SyncedRow | undefined {
  return db.prepare<[number], SyncedRow>(`SELECT ${COLUMNS} FROM sync_namespaces WHERE id = ?`).get(id);
}

export function findSyncedByName(db: ReadDb, account: AccountId, name: string): SyncedRow | undefined {
  return db
    .prepare<[number, string], SyncedRow>(
      `SELECT ${COLUMNS} FROM sync_namespaces WHERE account = ? AND name = ?`,
    )
    .get(account, name);
}

export function findSyncedByRoom(db: ReadDb, room: string): SyncedRow | undefined {
  return db.prepare<[string], SyncedRow>(`SELECT ${COLUMNS} FROM sync_namespaces WHERE room = ?`).get(room);
}

/** Begins to sync a namespace that did not leave sync; `memories` of it are there already and go into the outbox. */
export function insertSynced(
  db: WriteDb,
  account: AccountId,
  at: { name: string; memories: number },
): SyncedRow {
  const { lastInsertRowid } = db
    .prepare<unknown[]>(
      'INSERT INTO sync_namespaces (account, name, upload_after, upload_total) VALUES (?, ?, ?, ?)',
    )
    .run(account, at.name, at.memories > 0 ? 0 : null, at.memories);
  const row = findSynced(db, Number(lastInsertRowid));
  if (!row) throw new Error('a row that was just inserted is not there');
  return row;
}

type Changes = Partial<Omit<SyncedRow, 'id' | 'account'>>;

/** Saves some columns of a namespace. */
export function saveSyncedRow(db: WriteDb, id: number, changes: Changes): void {
  for (const [column, value] of Object.entries(changes)) {
    if (!/^[a-z_]+$/.test(column)) throw new Error(`${column} is no column`);
    db.prepare<unknown[]>(`UPDATE sync_namespaces SET ${column} = ? WHERE id = ?`).run(value, id);
  }
}

/** Ends the sync of a namespace; its memories stay. */
export function deleteSynced(db: WriteDb, id: number): void {
  db.prepare<[number]>('DELETE FROM sync_namespaces WHERE id = ?').run(id);
}

/** The namespace that a room of others was put into, also before this home was unlinked. */
export function findJoined(db: ReadDb, account: AccountId, room: string): string | undefined {
  return db
    .prepare<[number, string], { name: string }>(
      'SELECT name FROM sync_joined WHERE account = ? AND room = ?',
    )
    .get(account, room)?.name;
}

export function saveJoined(
  db: WriteDb,
  account: AccountId,
  { room, name }: { room: string; name: string },
): void {
  db.prepare<[number, string, string]>(
    `INSERT INTO sync_joined (account, room, name) VALUES (?, ?, ?)
     ON CONFLICT (account, room) DO UPDATE SET name = excluded.name`,
  ).run(account, room, name);
}

/** Rooms of others do not go into a namespace any more. */
export function forgetJoined(db: WriteDb, account: AccountId, name: string): void {
  db.prepare<[number, string]>('DELETE FROM sync_joined WHERE account = ? AND name = ?').run(account, name);
}

/** Namespaces of an account that hold memories, without those for hidden ones. */
export function namespacesToUpload(db: ReadDb, account: AccountId): { name: string; memories: number }[] {
  return db
    .prepare<[number], { name: string; memories: number }>(
      `SELECT name, memories FROM namespaces WHERE account = ? AND memories > 0 AND substr(name, 1, 1) <> char(1) ORDER BY name`,
    )
    .all(account);
}

/** How many memories a namespace holds. */
export function memoriesIn(db: ReadDb, account: AccountId, name: string): number {
  return (
    db
      .prepare<[number, string], { memories: number }>(
        'SELECT memories FROM namespaces WHERE account = ? AND name = ?',
      )
      .get(account, name)?.memories ?? 0
  );
}

/** A memory as it is sent. */
export interface SentMemory {
  id: number;
  key: string;
  value: string;
  metadata: string;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  archived?: number | undefined;
  behind?: Behind | undefined;
}

type SentRow = Omit<SentMemory, 'archived' | 'behind'> & {
  archived_at: number | null;
  hides_as: Behind['as'] | null;
  behind: string | null;
  behind_created_at: number | null;
};

const SENT = `m.id, m.key, m.value, m.metadata, m.created_at, m.updated_at, m.expires_at, m.archived_at, h.hides_as, h.behind,
  h.behind_created_at FROM memories m LEFT JOIN memory_hidings h ON h.memory_id = m.id`;

function toSent({ archived_at, hides_as, behind, behind_created_at, ...rest }: SentRow): SentMemory {
  const isBehind = hides_as !== null && behind !== null && behind_created_at !== null;
  return {
    ...rest,
    ...(archived_at !== null && { archived: archived_at }),
    ...(isBehind && { behind: { as: hides_as, key: behind, created_at: behind_created_at } }),
  };
}

/** Memories of a namespace after an id, for the first upload. */
export function memoriesAfter(
  db: ReadDb,
  account: AccountId,
  at: { name: string; after: number; limit: number },
): SentMemory[] {
  return db
    .prepare<[number, string, number, number, number], SentRow>(
      `SELECT ${SENT} WHERE m.namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?)
       AND m.account = ? AND m.id > ? ORDER BY m.id LIMIT ?`,
    )
    .all(account, at.name, account, at.after, at.limit)
    .map(toSent);
}

/** What is hidden, or waits to be, in the namespaces that this home may write, each with its namespace of sync. */
export function hiddenMemories(db: ReadDb): (SentMemory & { account: AccountId; synced: number })[] {
  return db
    .prepare<[], SentRow & { account: AccountId; synced: number }>(
      `SELECT s.account, s.id AS synced, ${SENT} JOIN namespaces n ON n.id = m.namespace_id
       JOIN sync_namespaces s ON s.account = n.account AND s.name = n.name
       WHERE s.role <> 'viewer' AND (m.archived_at IS NOT NULL OR h.memory_id IS NOT NULL) ORDER BY m.id`,
    )
    .all()
    .map(({ account, synced, ...row }) => ({ account, synced, ...toSent(row) }));
}

/** The keys of a namespace's memories. */
export function keysOf(db: ReadDb, account: AccountId, name: string): string[] {
  return db
    .prepare<[number, string, number], { key: string }>(
      `SELECT key FROM memories WHERE namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?) AND account = ?`,
    )
    .all(account, name, account)
    .map(({ key }) => key);
}

export function memoryCounts(
  db: ReadDb,
  account: AccountId,
): { memories: number; last_update: number | null } {
  return (
    db
      .prepare<[number], { memories: number; last_update: number | null }>(
        'SELECT coalesce(sum(memories), 0) AS memories, max(updated_at) AS last_update FROM namespaces WHERE account = ? AND substr(name, 1, 1) <> char(1)',
      )
      .get(account) ?? { memories: 0, last_update: null }
  );
}
