import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { MemoryRow } from './memories.store.ts';

export interface VersionRow {
  version: number;
  value: string;
  metadata: string;
  updated_at: number;
  /** Who wrote it, see `db/authors.ts`; null where that was not kept. */
  writer: string | null;
}

/** Keeps what a memory said before it is overwritten, and drops the versions above `max`. */
export function saveVersion(
  db: WriteDb,
  memory: MemoryRow,
  { account, max }: { account: AccountId; max: number },
): void {
  if (max > 0)
    db.prepare<unknown[]>(
      'INSERT INTO memory_versions (account, memory_id, version, value, metadata, updated_at, writer) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ).run(
      ...[account, memory.id, memory.version, memory.value, memory.metadata],
      ...[memory.updated_at, memory.writer],
    );
  db.prepare<[number, number]>('DELETE FROM memory_versions WHERE memory_id = ? AND version <= ?').run(
    memory.id,
    memory.version - max,
  );
}

/** Gives a new memory the history of the one that it goes on from, what that one says now included, unless both say the same. */
export function takeOverHistory(db: WriteDb, { from, to }: { from: MemoryRow; to: number }): void {
  db.prepare<[number, number]>(
    `INSERT INTO memory_versions (account, memory_id, version, value, metadata, updated_at, writer)
     SELECT account, ?, version, value, metadata, updated_at, writer FROM memory_versions WHERE memory_id = ?`,
  ).run(to, from.id);
  // What it says itself was said before, too, unless the new one says just that.
  db.prepare<[{ to: number; from: number }]>(
    `INSERT INTO memory_versions (account, memory_id, version, value, metadata, updated_at, writer)
     SELECT f.account, @to, f.version, f.value, f.metadata, f.updated_at, f.writer FROM memories f JOIN memories t ON t.id = @to
     WHERE f.id = @from AND (f.value, f.metadata) <> (t.value, t.metadata)`,
  ).run({ to, from: from.id });
  db.prepare<[{ to: number; from: number }]>(
    `UPDATE memories SET version = (SELECT version FROM memories WHERE id = @from)
       + EXISTS (SELECT 1 FROM memory_versions WHERE memory_id = @to AND version = (SELECT version FROM memories WHERE id = @from))
     WHERE id = @to`,
  ).run({ to, from: from.id });
}

/** The earlier versions of a memory, newest first. */
export function listVersions(db: ReadDb, memoryId: number): VersionRow[] {
  return db
    .prepare<[number], VersionRow>(
      'SELECT version, value, metadata, updated_at, writer FROM memory_versions WHERE memory_id = ? ORDER BY version DESC',
    )
    .all(memoryId);
}

export function findVersion(db: ReadDb, memoryId: number, version: number): VersionRow | undefined {
  return db
    .prepare<[number, number], VersionRow>(
      'SELECT version, value, metadata, updated_at, writer FROM memory_versions WHERE memory_id = ? AND version = ?',
    )
    .get(memoryId, version);
}

/** What the memory of a key said, now or earlier, as of a time. */
export function versionsAsOf(
  db: ReadDb,
  { account, namespace, key }: { account: AccountId; namespace: string; key: string },
  updatedAt: number,
): Pick<VersionRow, 'value' | 'metadata' | 'writer'>[] {
  return db
    .prepare<[{ account: number; namespace: string; key: string; at: number }], VersionRow>(
      `WITH memory AS (SELECT m.id, m.value, m.metadata, m.updated_at, m.writer FROM memories m JOIN namespaces n ON n.id = m.namespace_id
         WHERE n.account = @account AND n.name = @namespace AND m.account = @account AND m.key = @key)
       SELECT value, metadata, writer FROM memory WHERE updated_at = @at
       UNION ALL
       SELECT value, metadata, writer FROM memory_versions WHERE memory_id = (SELECT id FROM memory) AND updated_at = @at`,
    )
    .all({ account, namespace, key, at: updatedAt });
}

/**
 * Drops versions that were replaced before a time, at most 1,000 a call; answers how many. A version may have been stored years before it
 * was replaced, so what counts is when its successor was stored.
 */
export function dropVersionsBefore(db: WriteDb, before: number): number {
  return db
    .prepare<[{ before: number }]>(
      `DELETE FROM memory_versions WHERE (memory_id, version) IN
         (SELECT v.memory_id, v.version FROM memory_versions v WHERE v.updated_at < @before AND coalesce(
            (SELECT next.updated_at FROM memory_versions next
             WHERE next.memory_id = v.memory_id AND next.version > v.version ORDER BY next.version LIMIT 1),
            (SELECT m.updated_at FROM memories m WHERE m.id = v.memory_id)) < @before LIMIT 1000)`,
    )
    .run({ before }).changes;
}
