import type { AccountId } from '@reverie/shared/accounts/caller';
import type { HidingRows } from '@reverie/shared/document/hidden';
import type { Behind } from '@reverie/shared/document/register';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** The memory behind which another one says that it is hidden, whether or not the former exists. */
export function findBehind(db: ReadDb, memoryId: number): Behind | undefined {
  return db
    .prepare<[number], Behind>(
      'SELECT hides_as AS "as", behind AS key, behind_created_at AS created_at FROM memory_hidings WHERE memory_id = ?',
    )
    .get(memoryId);
}

/** Stores behind which memory another one says that it is hidden; undefined for none. */
export function saveBehind(
  db: WriteDb,
  { account, id }: { account: AccountId; id: number },
  behind: Behind | undefined,
): void {
  if (!behind) {
    db.prepare<[number]>('DELETE FROM memory_hidings WHERE memory_id = ?').run(id);
    return;
  }
  db.prepare<[number, number, string, string, number]>(
    `INSERT INTO memory_hidings (memory_id, account, hides_as, behind, behind_created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET hides_as = excluded.hides_as, behind = excluded.behind, behind_created_at = excluded.behind_created_at`,
  ).run(id, account, behind.as, behind.key, behind.created_at);
}

const NAMESPACE = '(SELECT id FROM namespaces WHERE account = ? AND name = ?)';

/** Reads memories of a namespace, and what they are hidden behind, from the database at each call. */
export function hidingRows(
  db: ReadDb,
  { account, namespace }: { account: AccountId; namespace: string },
): HidingRows {
  return {
    at(key) {
      const found = db
        .prepare<[number, number, string, string], { id: number; created_at: number }>(
          `SELECT id, created_at FROM memories WHERE account = ? AND namespace_id = ${NAMESPACE} AND key = ?`,
        )
        .get(account, account, namespace, key);
      return found && { created_at: found.created_at, behind: findBehind(db, found.id) };
    },
    behind(key) {
      // Not a join: see `findMemory`. Of most memories nothing says that it is hidden behind them.
      const ids = idsBehind(db, account, key);
      if (ids.length === 0) return [];
      return db
        .prepare<[string, number, number, string], { key: string }>(
          // What is in the trash stands in another namespace.
          `SELECT key FROM memories WHERE id IN (SELECT value FROM json_each(?)) AND account = ? AND namespace_id = ${NAMESPACE} ORDER BY id`,
        )
        .all(JSON.stringify(ids), account, account, namespace)
        .map((row) => row.key);
    },
  };
}

function idsBehind(db: ReadDb, account: AccountId, key: string): number[] {
  return db
    .prepare<[number, string], { id: number }>(
      'SELECT memory_id AS id FROM memory_hidings WHERE account = ? AND behind = ?',
    )
    .all(account, key)
    .map(({ id }) => id);
}

/** Memories that are, or will be, hidden behind one that is renamed follow it to its new key in the namespace; answers their keys. */
export function moveBehind(
  db: WriteDb,
  at: { account: AccountId; namespaceId: number; created_at: number; from: string; to: string },
): string[] {
  const ids = db
    .prepare<[typeof at], { id: number; key: string }>(
      `SELECT m.id, m.key FROM memory_hidings h CROSS JOIN memories m ON m.id = h.memory_id
       WHERE h.account = @account AND h.behind = @from AND h.behind_created_at = @created_at AND m.namespace_id = @namespaceId`,
    )
    .all(at);
  for (const { id } of ids) {
    db.prepare<[string, number]>('UPDATE memory_hidings SET behind = ? WHERE memory_id = ?').run(at.to, id);
    db.prepare<[string, number]>(
      'UPDATE memories SET hidden_behind = ? WHERE id = ? AND hidden_behind IS NOT NULL',
    ).run(at.to, id);
  }
  return ids.map(({ key }) => key);
}
