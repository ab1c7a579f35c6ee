import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../db/open-store.ts';

interface In {
  account: AccountId;
  namespace: string;
}

const IN = `account = @account AND namespace_id = (SELECT id FROM namespaces WHERE account = @account AND name = @namespace)`;

/** Whether there is a memory of this key. */
export function hasMemory(db: ReadDb, at: In & { key: string }): boolean {
  return (
    db.prepare<[object], { id: number }>(`SELECT id FROM memories WHERE ${IN} AND key = @key`).get(at) !==
    undefined
  );
}

/** What a memory says that is not hidden. */
export function valueAt(db: ReadDb, at: In & { key: string }): string | undefined {
  return db
    .prepare<[object], { value: string }>(
      `SELECT value FROM memories WHERE ${IN} AND key = @key AND hidden IS NULL`,
    )
    .get(at)?.value;
}

/** The newest memories by their day that give themselves one, among the newest of all. */
export function newestNoted(
  db: ReadDb,
  { account, namespace, limit }: In & { limit: number },
): { key: string; format: string | null }[] {
  return db
    .prepare<[object], { key: string; format: string | null }>(
      `SELECT key, metadata ->> '$.imported.format' AS format FROM (
         SELECT key, metadata, noted_at FROM memories WHERE ${IN} AND hidden IS NULL
         ORDER BY coalesce(noted_at, created_at) DESC LIMIT @limit
       ) WHERE noted_at IS NOT NULL`,
    )
    .all({ account, namespace, limit });
}
