import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Behind } from '@reverie/shared/document/register';
import type { Role } from '@reverie/shared/protocol/messages';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** A namespace as it is synced. */
export interface SyncedRow {
  id: number;
  account: AccountId;
  name: string;
  /** Its room on the relay; null until the relay was asked for one. */
  room: string | null;
  role: Role;
  members: number;
  /** The e-mail address of who made its room; null where that is not known. */
  owner: string | null;
  log_id: string;
  /** The relay's log in which its room was seen last, also where nothing was read of it yet; empty where that is not known. */
  seen_in: string;
  cursor: number;
  /** Of the entry at the cursor. */
  hash: Uint8Array;
  head: number | null;
  /** That of the documents here, which may be behind the room's. */
  epoch: number;
  /** The epoch that is being begun: the first `entered` buckets are in it; what is above their number counts those whose rows were looked at. */
  entering: number | null;
  entered: number;
  cleared_before: number;
  /** The newest clear that was read in the log. */
  cleared_in_log: number;
  first_head: number | null;
  /** Where its first reading begins. */
  first_from: number;
  /** 1 while it is of a first sync that goes on, also where it itself is through. */
  in_first_sync: number;
  upload_after: number | null;
  upload_total: number;
  upload_done: number;
  /** 1 while the log is read from its start into empty documents: rows are made at its end. */
  rebuild: number;
  /** How often the files of its room had changed when they were read last; -1 before. */
  files: number;
  /** What was changed last before then, ms since 1970, its room has said or was told; 0 where that is not known. */
  known_until: number;
}

const COLUMNS = `id, account, name, room, role, members, owner, log_id, seen_in, cursor, hash, head, epoch, entering, entered,
  cleared_before, cleared_in_log, first_head, first_from, in_first_sync, upload_after, upload_total, upload_done, rebuild, files, known_until`;

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

/** Notes that the first sync of all namespaces is through. */
export function endFirstSync(db: WriteDb): void {
  db.prepare<[]>('UPDATE sync_namespaces SET in_first_sync = 0 WHERE in_first_sync = 1').run();
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

/** The rooms of others that were put into a namespace. */
export function joinedAs(db: ReadDb, account: AccountId, name: string): string[] {
  return db
    .prepare<[number, string], { room: string }>(
      'SELECT room FROM sync_joined WHERE account = ? AND name = ?',
    )
    .all(account, name)
    .map(({ room }) => room);
}

/** Forgets which rooms of others were put into a namespace, so that they do not go there again. */
export function forgetJoined(db: WriteDb, account: AccountId, name: string): void {
  db.prepare<[number, string]>('DELETE FROM sync_joined WHERE account = ? AND name = ?').run(account, name);
}

/** Without the two control characters that stand before the name of a namespace where it is the one of the trash. */
const NAME = 'CASE WHEN substr(name, 1, 2) = char(1, 1) THEN substr(name, 3) ELSE name END';

/** Namespaces of an account that hold memories, and how many, the trash included; `isHeld`: whether some are outside of the trash. */
export function namespacesToUpload(
  db: ReadDb,
  account: AccountId,
): { name: string; memories: number; isHeld: boolean }[] {
  return db
    .prepare<[number], { name: string; memories: number; held: 0 | 1 }>(
      `SELECT ${NAME} AS name, sum(memories) AS memories, max(substr(name, 1, 1) <> char(1)) AS held FROM namespaces
       WHERE account = ? AND memories > 0 AND (substr(name, 1, 1) <> char(1) OR substr(name, 1, 2) = char(1, 1)) GROUP BY 1 ORDER BY 1`,
    )
    .all(account)
    .map(({ name, memories, held }) => ({ name, memories, isHeld: held === 1 }));
}

/** How many memories a namespace holds, in the trash or not. */
export function memoriesIn(db: ReadDb, account: AccountId, name: string): number {
  return namespacesToUpload(db, account).find((one) => one.name === name)?.memories ?? 0;
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
  trashed?: number | undefined;
  archived?: number | undefined;
  behind?: Behind | undefined;
}

type SentRow = Omit<SentMemory, 'trashed' | 'archived' | 'behind'> & {
  trashed_at: number | null;
  archived_at: number | null;
  hides_as: Behind['as'] | null;
  behind: string | null;
  behind_created_at: number | null;
};

const SENT = `m.id, coalesce(t.key, m.key) AS key, m.value, m.metadata, m.created_at, m.updated_at, m.expires_at, m.archived_at, t.trashed_at,
  h.hides_as, h.behind, h.behind_created_at FROM memories m
  LEFT JOIN memory_hidings h ON h.memory_id = m.id LEFT JOIN memory_trash t ON t.memory_id = m.id`;

function toSent({
  trashed_at,
  archived_at,
  hides_as,
  behind,
  behind_created_at,
  ...rest
}: SentRow): SentMemory {
  const isBehind = hides_as !== null && behind !== null && behind_created_at !== null;
  return {
    ...rest,
    ...(trashed_at !== null && { trashed: trashed_at }),
    ...(archived_at !== null && { archived: archived_at }),
    ...(isBehind && { behind: { as: hides_as, key: behind, created_at: behind_created_at } }),
  };
}

/**
 * Memories of a namespace after an id, for the first upload, the trash included. Of each key there is only one, since a slot says one thing
 * of a key: the memory that has it now, else the last one in the trash.
 */
export function memoriesAfter(
  db: ReadDb,
  account: AccountId,
  at: { name: string; after: number; limit: number },
): SentMemory[] {
  return db
    .prepare<[{ account: AccountId; name: string; after: number; limit: number }], SentRow>(
      `SELECT ${SENT} WHERE m.account = @account AND m.id > @after
         AND m.namespace_id IN (SELECT id FROM namespaces WHERE account = @account AND name IN (@name, char(1, 1) || @name))
         AND NOT EXISTS (SELECT 1 FROM memory_trash l WHERE l.account = t.account AND l.namespace = t.namespace AND l.key = t.key
           AND (l.trashed_at, l.memory_id) > (t.trashed_at, t.memory_id))
         AND (t.memory_id IS NULL OR NOT EXISTS (SELECT 1 FROM memories o WHERE o.account = @account AND o.key = t.key
           AND o.namespace_id = (SELECT id FROM namespaces WHERE account = @account AND name = @name)))
       ORDER BY m.id LIMIT @limit`,
    )
    .all({ account, ...at })
    .map(toSent);
}

/** Whether a memory said this before: it stands in its history. */
export function wasSaid(
  db: ReadDb,
  id: number,
  { value, metadata }: Pick<SentMemory, 'value' | 'metadata'>,
): boolean {
  const found = db
    .prepare<[number, string, string]>(
      'SELECT 1 FROM memory_versions WHERE memory_id = ? AND value = ? AND metadata = ? LIMIT 1',
    )
    .get(id, value, metadata);
  return found !== undefined;
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
