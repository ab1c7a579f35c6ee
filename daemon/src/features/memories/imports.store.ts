import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** What a memory was imported from: the source's hash then, and the version that the import stored. */
export interface ImportSource {
  hash: string;
  version: number;
}

export function findSource(
  db: ReadDb,
  account: AccountId,
  at: { sourceId: string; memoryId: number },
): ImportSource | undefined {
  return db
    .prepare<[number, string, number], ImportSource>(
      'SELECT hash, version FROM import_sources WHERE account = ? AND source_id = ? AND memory_id = ?',
    )
    .get(account, at.sourceId, at.memoryId);
}

export function saveSource(
  db: WriteDb,
  account: AccountId,
  source: ImportSource & { sourceId: string; memoryId: number },
): void {
  db.prepare<unknown[]>(
    `INSERT INTO import_sources (account, source_id, memory_id, hash, version) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account, source_id, memory_id) DO UPDATE SET hash = excluded.hash, version = excluded.version`,
  ).run(account, source.sourceId, source.memoryId, source.hash, source.version);
}

/** Forgets that a memory was imported from a source. */
export function deleteSource(
  db: WriteDb,
  account: AccountId,
  at: { sourceId: string; memoryId: number },
): void {
  db.prepare<[number, string, number]>(
    'DELETE FROM import_sources WHERE account = ? AND source_id = ? AND memory_id = ?',
  ).run(account, at.sourceId, at.memoryId);
}
