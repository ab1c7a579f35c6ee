import { createHash } from 'node:crypto';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** A source, and the address that its import gave the memory, which may have another one here by now. */
export interface ImportAddress {
  sourceId: string;
  namespace: string;
  key: string;
}

/** What a memory was imported from: the source's hash then, and the version that the import stored. */
export interface ImportSource {
  memory_id: number;
  hash: string;
  version: number;
  /** 1 since the source was gone, until it brings the memory again. */
  vanished: 0 | 1;
  /** The tags that the source said then, as a JSON list; null where that was not noted. */
  tags: string | null;
}

const COLUMNS = 's.memory_id, s.hash, s.version, s.vanished, s.tags';

/** What was imported under an address, and whether it is in the trash now. */
export function findSource(
  db: ReadDb,
  account: AccountId,
  { sourceId, namespace, key }: ImportAddress,
): (ImportSource & { trashed: 0 | 1 }) | undefined {
  return db
    .prepare<[number, string, string, string], ImportSource & { trashed: 0 | 1 }>(
      `SELECT ${COLUMNS}, EXISTS (SELECT 1 FROM memory_trash t WHERE t.memory_id = s.memory_id) AS trashed
       FROM import_sources s WHERE s.account = ? AND s.source_id = ? AND s.namespace = ? AND s.key = ?`,
    )
    .get(account, sourceId, namespace, key);
}

/** What a memory was imported from by one source, under whatever address. */
export function findSourceOf(
  db: ReadDb,
  { memoryId, sourceId }: { memoryId: number; sourceId: string },
): ImportSource | undefined {
  return db
    .prepare<[number, string], ImportSource>(
      `SELECT ${COLUMNS} FROM import_sources s WHERE s.memory_id = ? AND s.source_id = ?`,
    )
    .get(memoryId, sourceId);
}

/** All that a memory was imported from. */
export function sourcesOfMemory(db: ReadDb, memoryId: number): (ImportAddress & ImportSource)[] {
  return db
    .prepare<[number], ImportAddress & ImportSource>(
      `SELECT ${COLUMNS}, s.source_id AS sourceId, s.namespace, s.key FROM import_sources s WHERE s.memory_id = ?`,
    )
    .all(memoryId);
}

/** Records what a memory was imported from, in place of what was recorded of this address. */
export function saveSource(
  db: WriteDb,
  account: AccountId,
  { sourceId, namespace, key, memory_id, hash, version, vanished, tags }: ImportAddress & ImportSource,
): void {
  db.prepare<unknown[]>(
    `INSERT OR REPLACE INTO import_sources (account, source_id, namespace, key, memory_id, hash, version, vanished, tags)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(account, sourceId, namespace, key, memory_id, hash, version, vanished, tags);
}

/**
 * Neither a tag nor a link that follows a renaming is an edit of what a source said: what stood for a version of its memory stands for the
 * one that differs in no more.
 */
export function followUpkeep(
  db: WriteDb,
  { memoryId, from, to }: { memoryId: number; from: number; to: number },
): void {
  db.prepare<[number, number, number]>(
    'UPDATE import_sources SET version = ? WHERE memory_id = ? AND version = ?',
  ).run(to, memoryId, from);
}

/** Forgets the other addresses under which a source brought a memory. */
export function dropOtherAddresses(
  db: WriteDb,
  memoryId: number,
  { sourceId, namespace, key }: ImportAddress,
): void {
  db.prepare<unknown[]>(
    'DELETE FROM import_sources WHERE memory_id = ? AND source_id = ? AND NOT (namespace = ? AND key = ?)',
  ).run(memoryId, sourceId, namespace, key);
}

/** Ids of the memories of an account that came from a source, without those that have vanished from it, and those in the trash. */
export function memoriesFrom(db: ReadDb, account: AccountId, sourceId: string): number[] {
  return db
    .prepare<[number, string], { memory_id: number }>(
      `SELECT s.memory_id FROM import_sources s WHERE s.account = ? AND s.source_id = ? AND s.vanished = 0
         AND NOT EXISTS (SELECT 1 FROM memory_trash t WHERE t.memory_id = s.memory_id)`,
    )
    .all(account, sourceId)
    .map(({ memory_id }) => memory_id);
}

export function markVanished(
  db: WriteDb,
  account: AccountId,
  which: { sourceId: string; memoryId: number },
): void {
  db.prepare<[number, string, number]>(
    'UPDATE import_sources SET vanished = 1 WHERE account = ? AND source_id = ? AND memory_id = ?',
  ).run(account, which.sourceId, which.memoryId);
}

/** Forgets what was imported under an address. */
export function dropSource(
  db: WriteDb,
  account: AccountId,
  { sourceId, namespace, key }: ImportAddress,
): void {
  db.prepare<[number, string, string, string]>(
    'DELETE FROM import_sources WHERE account = ? AND source_id = ? AND namespace = ? AND key = ?',
  ).run(account, sourceId, namespace, key);
}

/** Forgets what a memory was imported from. */
export function dropSources(db: WriteDb, memoryId: number): void {
  db.prepare<[number]>('DELETE FROM import_sources WHERE memory_id = ?').run(memoryId);
}

/** Moves what a memory was imported from to the one that goes on in its place. */
export function takeOverSources(db: WriteDb, { from, to }: { from: number; to: number }): void {
  db.prepare<[number, number]>('UPDATE import_sources SET memory_id = ? WHERE memory_id = ?').run(to, from);
}

/**
 * Ids of the sources at or below a root, in the order of their bytes: the root itself, and what has `/` or `#` after it. Without those
 * that are gone, and those whose memories are all in the trash.
 */
export function listSources(
  db: ReadDb,
  { account, root, after, limit }: { account: AccountId; root: string; after: string; limit: number },
): string[] {
  return db
    .prepare<[{ account: number; root: string; after: string; limit: number }], { source_id: string }>(
      `SELECT DISTINCT s.source_id FROM import_sources s WHERE s.account = @account AND s.vanished = 0
         AND s.source_id >= @root AND s.source_id < @root || '0' AND s.source_id > @after
         AND (s.source_id = @root OR substr(s.source_id, length(@root) + 1, 1) IN ('/', '#'))
         AND NOT EXISTS (SELECT 1 FROM memory_trash t WHERE t.memory_id = s.memory_id)
       ORDER BY s.source_id LIMIT @limit`,
    )
    .all({ account, root, after, limit })
    .map(({ source_id }) => source_id);
}

/** What stands for a deleted import: of it neither source nor key can be read, only guessed and tried. */
function digest(account: AccountId, { sourceId, namespace, key }: ImportAddress): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([account, namespace, key, sourceId]))
    .digest();
}

/** Remembers that what was imported under an address was deleted here. */
export function rememberDeleted(db: WriteDb, account: AccountId, address: ImportAddress): void {
  db.prepare<[number, Buffer]>('INSERT OR IGNORE INTO deleted_imports (account, address) VALUES (?, ?)').run(
    account,
    digest(account, address),
  );
}

/**
 * Remembers, before a memory or those of a namespace are deleted, that all they were imported from and that is not gone was deleted here.
 */
export function rememberSources(
  db: WriteDb,
  account: AccountId,
  of: { memoryId: number } | { namespaceId: number },
): void {
  const found =
    'memoryId' in of
      ? sourcesOfMemory(db, of.memoryId).filter(({ vanished }) => vanished === 0)
      : db
          .prepare<[number, number], ImportAddress>(
            `SELECT s.source_id AS sourceId, s.namespace, s.key FROM memories m CROSS JOIN import_sources s ON s.memory_id = m.id
             WHERE m.account = ? AND m.namespace_id = ? AND s.vanished = 0`,
          )
          .all(account, of.namespaceId);
  for (const address of found) rememberDeleted(db, account, address);
}

/** Whether what an import brings was deleted here, for good. */
export function wasDeleted(db: ReadDb, account: AccountId, address: ImportAddress): boolean {
  return (
    db
      .prepare<[number, Buffer], { found: 1 }>(
        'SELECT 1 AS found FROM deleted_imports WHERE account = ? AND address = ?',
      )
      .get(account, digest(account, address)) !== undefined
  );
}

/** Forgets that what was imported under an address was deleted here, so that its source can bring it again. */
export function forgetDeleted(db: WriteDb, account: AccountId, address: ImportAddress): void {
  db.prepare<[number, Buffer]>('DELETE FROM deleted_imports WHERE account = ? AND address = ?').run(
    account,
    digest(account, address),
  );
}
