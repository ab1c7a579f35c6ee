import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import type { SyncedFile } from '../ports.ts';
import type { SyncedRow } from '../namespaces/namespaces.store.ts';

/** What was agreed on of a path with a room. */
export interface KnownFile {
  path: string;
  here: string | null;
  there: string | null;
  size: number;
}

/** The room of a namespace, in the log of the relay in which it was seen. */
export function roomOf({ room, seen_in }: SyncedRow): string {
  return `${room ?? ''} ${seen_in}`;
}

/** What was agreed on of the paths of a namespace with its room. */
export function knownFiles(db: ReadDb, row: SyncedRow): Map<string, KnownFile> {
  const rows = db
    .prepare<[number, string], KnownFile>(
      'SELECT path, here, there, size FROM sync_files WHERE namespace_id = ? AND room = ?',
    )
    .all(row.id, roomOf(row));
  return new Map(rows.map((one) => [one.path, one]));
}

/** Puts what is agreed on now in the place of all that was. */
export function saveKnown(db: WriteDb, row: SyncedRow, files: readonly KnownFile[]): void {
  db.prepare<[number]>('DELETE FROM sync_files WHERE namespace_id = ?').run(row.id);
  for (const { path, here, there, size } of files)
    db.prepare<unknown[]>(
      'INSERT INTO sync_files (account, namespace_id, path, room, here, there, size) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ).run(row.account, row.id, path, roomOf(row), here, there, size);
}

/** Files of a namespace's room that are not here. */
export function missingFiles(db: ReadDb, row: SyncedRow): SyncedFile[] {
  return db
    .prepare<[number, string, number, string], SyncedFile>(
      `SELECT f.path, f.there AS hash, f.size FROM sync_files f WHERE f.namespace_id = ? AND f.room = ? AND f.there IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM attachments a WHERE a.account = ? AND a.namespace = ? AND a.path = f.path
           AND (a.hash = f.there OR a.source <> '')) ORDER BY f.size, f.path`,
    )
    .all(row.id, roomOf(row), row.account, row.name);
}

/** How often the files of namespaces changed since other devices were told, by the names of the linked account's; others are left out. */
export function changedFiles(db: ReadDb): Map<string, number> {
  const rows = db
    .prepare<[], { namespace: string; n: number }>(
      'SELECT c.namespace, c.n FROM changed_files c JOIN sync_links l ON l.account = c.account',
    )
    .all();
  return new Map(rows.map(({ namespace, n }) => [namespace, n]));
}

/** Notes that other devices were told of all changes up to a number. */
export function noteTold(db: WriteDb, { account, name }: SyncedRow, n: number): void {
  db.prepare<[number, string, number]>(
    'DELETE FROM changed_files WHERE account = ? AND namespace = ? AND n = ?',
  ).run(account, name, n);
}
