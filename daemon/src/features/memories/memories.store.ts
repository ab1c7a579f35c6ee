import type { AccountId } from '@reverie/shared/accounts/caller';
import type { HiddenKind, Memory, MemoryClass } from '@reverie/shared/contract/memories/memories';
import { objectIn } from '../../db/json-column.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { isoDay } from '../../language/notes/noted-day.ts';
import type { SessionPlace } from './reading/session.ts';

/** A memory as it is stored. Times in milliseconds since 1970, UTC; `metadata` as JSON. */
export interface MemoryRow {
  id: number;
  namespace_id: number;
  namespace: string;
  key: string;
  value: string;
  metadata: string;
  class: MemoryClass;
  bytes: number;
  version: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  /** The first moment, in UTC, of the day that it gives itself; null where it gives none, or where that is not read yet. */
  noted_at: number | null;
  /** Why lists and searches leave it out; null for one that they show. What is in the trash stands in no namespace that they look at. */
  hidden: HiddenKind | 'trashed' | null;
  /** The key that a merged or superseded one is hidden behind. */
  hidden_behind: string | null;
  archived_at: number | null;
  /** Who wrote what it says, see `db/authors.ts`; null where that was not kept. */
  writer: string | null;
}

export interface At {
  account: AccountId;
  namespace: string;
  key: string;
}

const OWN_COLUMNS = `m.id, m.namespace_id, m.key, m.value, m.metadata, m.class, m.bytes, m.version, m.created_at,
  m.updated_at, m.expires_at, m.noted_at, m.hidden, m.hidden_behind, m.archived_at, m.writer`;
const COLUMNS = `n.name AS namespace, ${OWN_COLUMNS}`;
const FROM = 'FROM memories m JOIN namespaces n ON n.id = m.namespace_id';

export function findMemory(db: ReadDb, { account, namespace, key }: At): MemoryRow | undefined {
  // Not a join: SQLite would prepare that anew whenever other values are bound, which takes longer than the look-up.
  const row = db
    .prepare<[number, number, string, string], Omit<MemoryRow, 'namespace'>>(
      `SELECT ${OWN_COLUMNS} FROM memories m WHERE m.account = ?
       AND m.namespace_id = (SELECT id FROM namespaces WHERE account = ? AND name = ?) AND m.key = ?`,
    )
    .get(account, account, namespace, key);
  return row && { ...row, namespace };
}

/** The memories with these ids, in any order; ids of other accounts are left out. */
export function findMemoriesById(db: ReadDb, account: AccountId, ids: readonly number[]): MemoryRow[] {
  return db
    .prepare<[string, number], MemoryRow>(
      // CROSS JOIN keeps the order: left to choose, SQLite walks all memories of the account.
      `SELECT ${COLUMNS} FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value
       CROSS JOIN namespaces n ON n.id = m.namespace_id WHERE m.account = ?`,
    )
    .all(JSON.stringify(ids), account);
}

/** What a memory says, and where it stands. */
export type MemoryText = Pick<MemoryRow, 'id' | 'namespace' | 'key' | 'value'>;

/** The first of some memories, in the order of their ids, until they have so many characters together; one at least. */
export function firstTexts(
  db: ReadDb,
  account: AccountId,
  { ids, characters }: { ids: readonly number[]; characters: number },
): MemoryText[] {
  const rows = db
    .prepare<[string, number], MemoryText>(
      `SELECT m.id, n.name AS namespace, m.key, m.value FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value
       CROSS JOIN namespaces n ON n.id = m.namespace_id WHERE m.account = ?`,
    )
    .iterate(JSON.stringify(ids), account);
  const texts: MemoryText[] = [];
  let read = 0;
  for (const row of rows) {
    texts.push(row);
    read += row.value.length;
    if (read >= characters) break;
  }
  return texts;
}

export interface NewMemory {
  account: AccountId;
  namespaceId: number;
  key: string;
  value: string;
  metadata: string;
  class: MemoryClass;
  bytes: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  noted_at: number | null;
  place: SessionPlace | undefined;
  writer: string;
}

export function insertMemory(db: WriteDb, memory: NewMemory): number {
  const { lastInsertRowid } = db
    .prepare<unknown[]>(
      `INSERT INTO memories (account, namespace_id, key, value, metadata, class, bytes, version, created_at,
         updated_at, expires_at, noted_at, session, session_time, session_key, writer)
       VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      memory.account,
      memory.namespaceId,
      memory.key,
      memory.value,
      memory.metadata,
      memory.class,
      memory.bytes,
      memory.created_at,
      memory.updated_at,
      memory.expires_at,
      memory.noted_at,
      memory.place?.session ?? null,
      memory.place?.time ?? null,
      memory.place?.key ?? null,
      memory.writer,
    );
  return Number(lastInsertRowid);
}

export interface MemoryChange {
  value: string;
  metadata: string;
  bytes: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  noted_at: number | null;
  place: SessionPlace | undefined;
  writer: string;
}

/** Overwrites a memory, shows it where it was hidden, and raises its version by one. */
export function updateMemory(db: WriteDb, id: number, change: MemoryChange): void {
  db.prepare<unknown[]>(
    `UPDATE memories SET value = ?, metadata = ?, bytes = ?, version = version + 1, created_at = ?, updated_at = ?,
       expires_at = ?, noted_at = ?, session = ?, session_time = ?, session_key = ?, writer = ?, hidden = NULL, hidden_behind = NULL, archived_at = NULL WHERE id = ?`,
  ).run(
    change.value,
    change.metadata,
    change.bytes,
    change.created_at,
    change.updated_at,
    change.expires_at,
    change.noted_at,
    change.place?.session ?? null,
    change.place?.time ?? null,
    change.place?.key ?? null,
    change.writer,
    id,
  );
}

/** Why a memory is hidden, and where it stands in its session. */
export type Hiding = Pick<MemoryRow, 'hidden' | 'hidden_behind' | 'archived_at'> & {
  place: SessionPlace | undefined;
};

/** Hides a memory or shows it again; nothing else of its row changes. */
export function saveHiding(
  db: WriteDb,
  id: number,
  { hidden, hidden_behind, archived_at, place }: Hiding,
): void {
  db.prepare<unknown[]>(
    `UPDATE memories SET hidden = ?, hidden_behind = ?, archived_at = ?, session = ?, session_time = ?, session_key = ? WHERE id = ?`,
  ).run(
    hidden,
    hidden_behind,
    archived_at,
    place?.session ?? null,
    place?.time ?? null,
    place?.key ?? null,
    id,
  );
}

/** Deletes a memory with its versions, tags, chunks and import source. */
export function deleteMemoryRow(db: WriteDb, id: number): void {
  db.prepare<[number]>('DELETE FROM memories WHERE id = ?').run(id);
}

export function saveTags(
  db: WriteDb,
  row: { account: AccountId; namespaceId: number; id: number },
  tags: readonly string[],
): void {
  for (const tag of tags)
    db.prepare<unknown[]>(
      'INSERT INTO memory_tags (account, namespace_id, tag, memory_id) VALUES (?, ?, ?, ?)',
    ).run(row.account, row.namespaceId, tag, row.id);
}

export function deleteTags(db: WriteDb, memoryId: number): void {
  db.prepare<[number]>('DELETE FROM memory_tags WHERE memory_id = ?').run(memoryId);
}

/** Ids of all memories of an account or of some of its namespaces (a JSON list), newest first: a small list even where the values are large. */
export function newestIds(
  db: ReadDb,
  wanted: { account: AccountId; namespaces: string | null; hidden: 0 | 1; limit: number },
): number[] {
  return db
    .prepare<[typeof wanted], { id: number }>(
      `SELECT m.id FROM memories m WHERE m.account = @account
         AND (@namespaces IS NULL OR m.namespace_id IN (SELECT value FROM json_each(@namespaces)))
         AND (@hidden = 1 OR m.id NOT IN (SELECT h.id FROM memories h WHERE h.account = @account AND h.hidden IS NOT NULL))
       ORDER BY m.created_at DESC, m.id DESC LIMIT @limit`,
    )
    .all(wanted)
    .map(({ id }) => id);
}

/** A memory as it stands in events: without its title and its author, which only those who read it are told. */
export type StoredMemory = Omit<Memory, 'title' | 'author'>;

/** A row as the contract shows it. */
export function toMemory(row: MemoryRow): StoredMemory {
  return {
    key: row.key,
    value: row.value,
    namespace: row.namespace,
    metadata: objectIn(row.metadata),
    class: row.class,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    ...(row.noted_at !== null && { noted_at: isoDay(row.noted_at) }),
    ...(row.expires_at !== null && { expires_at: new Date(row.expires_at).toISOString() }),
    ...(row.hidden_behind !== null && {
      [row.hidden === 'superseded' ? 'superseded_by' : 'merged_into']: row.hidden_behind,
    }),
    ...(row.archived_at !== null && { archived_at: new Date(row.archived_at).toISOString() }),
  };
}

/** When the next memory expires (ms since 1970); null where none will. */
export function nextExpiry(db: ReadDb): number | null {
  const row = db
    .prepare<[], { next: number | null }>(
      'SELECT min(expires_at) AS next FROM memories WHERE expires_at IS NOT NULL',
    )
    .get();
  return row?.next ?? null;
}

/** Memories of all accounts that have expired, at most 500 a call. */
export function expiredMemories(db: ReadDb, now: number): (MemoryRow & { account: AccountId })[] {
  return db
    .prepare<[number], MemoryRow & { account: AccountId }>(
      `SELECT ${COLUMNS}, m.account ${FROM} WHERE m.expires_at IS NOT NULL AND m.expires_at <= ? LIMIT 500`,
    )
    .all(now);
}
