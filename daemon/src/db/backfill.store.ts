import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from './open-store.ts';

/** What is derived of each memory, since a migration that wrote down in `meta`, under a name, up to which id they are still to be read. */
export interface Derived {
  readonly name: string;
  /** As it is called in the log. */
  readonly what: string;
  /** Derives it of one memory, which is shown. */
  keep(db: WriteDb, memoryId: number): void;
}

const UP_TO = 'SELECT CAST(value AS INTEGER) AS id FROM meta WHERE name = @name';

/** Memories that are still to be read, of one account or of all. */
export function countLeft(db: ReadDb, name: string, account?: AccountId): number {
  const row = db
    .prepare<[object], { count: number }>(
      `SELECT count(*) AS count FROM memories WHERE id <= (${UP_TO}) AND hidden IS NULL AND (@account IS NULL OR account = @account)`,
    )
    .get({ name, account: account ?? null });
  return row?.count ?? 0;
}

/** Derives it of the newest memories that are still to be read, of some `bytes` together; answers false where none was left. */
export function deriveSome(db: WriteDb, { name, keep }: Derived, bytes: number): boolean {
  const rows = db
    .prepare<[object], { id: number; bytes: number }>(
      `SELECT id, bytes FROM memories WHERE id <= (${UP_TO}) AND hidden IS NULL ORDER BY id DESC LIMIT 100`,
    )
    .all({ name });
  let read = 0;
  let last = 0;
  for (const { id, bytes: length } of rows) {
    if (read >= bytes) break;
    keep(db, id);
    read += length;
    last = id;
  }
  if (rows.length > 0)
    db.prepare<[string, string]>('UPDATE meta SET value = ? WHERE name = ?').run(String(last - 1), name);
  else db.prepare<[string]>('DELETE FROM meta WHERE name = ?').run(name);
  return rows.length > 0;
}
