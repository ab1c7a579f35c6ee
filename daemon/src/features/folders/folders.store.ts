import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Folder, FolderFormat } from '@reverie/shared/contract/memories/folders';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** A folder that is followed. Times in milliseconds since 1970. */
export interface FolderRow {
  id: string;
  account: AccountId;
  path: string;
  namespace: string;
  format: FolderFormat;
  prune: number;
  sync: Folder['sync'];
  created_at: number;
  last_change_at: number | null;
}

const COLUMNS = 'id, account, path, namespace, format, prune, sync, created_at, last_change_at';

export function listFolderRows(db: ReadDb, account: AccountId): FolderRow[] {
  return db
    .prepare<[number], FolderRow>(`SELECT ${COLUMNS} FROM folders WHERE account = ? ORDER BY created_at, id`)
    .all(account);
}

/** The folders of every account, which are followed again at a start. */
export function listAllFolders(db: ReadDb): FolderRow[] {
  return db.prepare<[], FolderRow>(`SELECT ${COLUMNS} FROM folders ORDER BY created_at, id`).all();
}

export function insertFolder(db: WriteDb, folder: FolderRow): void {
  db.prepare<[FolderRow]>(
    `INSERT INTO folders (${COLUMNS})
     VALUES (@id, @account, @path, @namespace, @format, @prune, @sync, @created_at, @last_change_at)`,
  ).run(folder);
}

/** Deletes a folder; answers whether there was one. */
export function deleteFolder(db: WriteDb, account: AccountId, id: string): boolean {
  return (
    db.prepare<[number, string]>('DELETE FROM folders WHERE account = ? AND id = ?').run(account, id)
      .changes === 1
  );
}

export function saveLastChange(db: WriteDb, id: string, at: number): void {
  db.prepare<[number, string]>('UPDATE folders SET last_change_at = ? WHERE id = ?').run(at, id);
}

/** How many files with a memory were there at the last look; null before the first. */
export function findFileCount(db: ReadDb, id: string): number | null {
  return (
    db.prepare<[string], { files: number | null }>('SELECT files FROM folders WHERE id = ?').get(id)?.files ??
    null
  );
}

export function saveFileCount(db: WriteDb, id: string, files: number): void {
  db.prepare<[number, string]>('UPDATE folders SET files = ? WHERE id = ?').run(files, id);
}

export function findLastChange(db: ReadDb, id: string): number | null {
  return (
    db
      .prepare<[string], { last_change_at: number | null }>('SELECT last_change_at FROM folders WHERE id = ?')
      .get(id)?.last_change_at ?? null
  );
}

/** The hash of a file and the version of its memory when both last said the same. */
export interface FollowedFileRow {
  path: string;
  source_id: string;
  key: string;
  /** Of what the file said. */
  hash: string;
  memory_id: number;
  version: number;
}

const SOURCE = 's.path, s.source_id, s.key, s.hash, s.memory_id, s.version';

export function listSources(db: ReadDb, folder: string): FollowedFileRow[] {
  return db
    .prepare<[string], FollowedFileRow>(
      `SELECT ${SOURCE} FROM folder_sources s WHERE s.folder = ? ORDER BY s.path`,
    )
    .all(folder);
}

/** Sources that have, or had, a memory. */
export function countSources(db: ReadDb, folder: string): number {
  return (
    db
      .prepare<[string], { count: number }>(
        'SELECT count(*) AS count FROM folder_sources WHERE folder = ? AND memory_id <> 0',
      )
      .get(folder)?.count ?? 0
  );
}

export function findSourcesOfKey(db: ReadDb, folder: string, key: string): FollowedFileRow[] {
  return db
    .prepare<[string, string], FollowedFileRow>(
      // Left to choose, SQLite walks all sources of the folder.
      `SELECT ${SOURCE} FROM folder_sources s INDEXED BY folder_sources_by_key WHERE s.folder = ? AND s.key = ?`,
    )
    .all(folder, key);
}

export function saveSourceRow(db: WriteDb, folder: string, source: FollowedFileRow): void {
  db.prepare<unknown[]>(
    `INSERT INTO folder_sources (folder, path, source_id, key, hash, memory_id, version) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (folder, path) DO UPDATE SET source_id = excluded.source_id, key = excluded.key, hash = excluded.hash,
       memory_id = excluded.memory_id, version = excluded.version`,
  ).run(folder, source.path, source.source_id, source.key, source.hash, source.memory_id, source.version);
}

export function deleteSourceRow(db: WriteDb, folder: string, path: string): void {
  db.prepare<[string, string]>('DELETE FROM folder_sources WHERE folder = ? AND path = ?').run(folder, path);
}

type Of = Pick<FolderRow, 'id' | 'account' | 'namespace'>;

const NAMESPACE = '(SELECT id FROM namespaces WHERE account = @account AND name = @namespace)';

/** A memory as it is written into a file. */
export interface MemoryAt {
  id: number;
  key: string;
  version: number;
  value: string;
  metadata: string;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
}

const MEMORY = 'm.id, m.key, m.version, m.value, m.metadata, m.created_at, m.updated_at, m.expires_at';

export function findMemoryAt(db: ReadDb, { account, namespace }: Of, key: string): MemoryAt | undefined {
  return db
    .prepare<[object], MemoryAt>(
      `SELECT ${MEMORY} FROM memories m WHERE m.account = @account AND m.namespace_id = ${NAMESPACE} AND m.key = @key
       AND m.hidden IS NULL`,
    )
    .get({ account, namespace, key });
}

/** Sources whose memory was changed here since it last agreed with its file. */
export function changedHere(db: ReadDb, { id, account, namespace }: Of): FollowedFileRow[] {
  return db
    .prepare<[object], FollowedFileRow>(
      `SELECT ${SOURCE} FROM folder_sources s CROSS JOIN memories m ON m.account = @account
         AND m.namespace_id = ${NAMESPACE} AND m.key = s.key
       WHERE s.folder = @id AND m.hidden IS NULL AND (m.version <> s.version OR m.id <> s.memory_id)`,
    )
    .all({ id, account, namespace });
}

/** Sources whose memory is not there any more, with the key that it has now where it was renamed. */
export function withoutMemory(
  db: ReadDb,
  { id, account, namespace }: Of,
): (FollowedFileRow & { renamed_to: string | null })[] {
  return db
    .prepare<[object], FollowedFileRow & { renamed_to: string | null }>(
      `SELECT ${SOURCE}, r.key AS renamed_to FROM folder_sources s
       LEFT JOIN memories m ON m.account = @account AND m.namespace_id = ${NAMESPACE} AND m.key = s.key
       LEFT JOIN memories r ON r.id = s.memory_id AND r.account = @account AND r.namespace_id = ${NAMESPACE}
       WHERE s.folder = @id AND m.id IS NULL`,
    )
    .all({ id, account, namespace });
}

/** Sources whose memory has the whole text of its file, but not all that its frontmatter says, and why. */
export function withUnreadFrontmatter(db: ReadDb, { id }: Of): { path: string; detail: string }[] {
  return db
    .prepare<[string], { path: string; detail: string }>(
      `SELECT s.path, m.metadata ->> '$.imported.note' AS detail FROM folder_sources s
       CROSS JOIN memories m ON m.id = s.memory_id
       WHERE s.folder = ? AND m.hidden IS NULL AND m.metadata ->> '$.imported.note' IS NOT NULL ORDER BY s.path`,
    )
    .all(id);
}

/** The keys of memories of the namespace that have no file. */
export function withoutSource(db: ReadDb, { id, account, namespace }: Of): string[] {
  return db
    .prepare<[object], { key: string }>(
      `SELECT m.key FROM memories m WHERE m.account = @account AND m.namespace_id = ${NAMESPACE} AND m.hidden IS NULL
       AND NOT EXISTS (SELECT 1 FROM folder_sources s WHERE s.folder = @id AND s.key = m.key) ORDER BY m.key`,
    )
    .all({ id, account, namespace })
    .map(({ key }) => key);
}
