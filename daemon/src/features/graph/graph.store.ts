import type { AccountId } from '@reverie/shared/accounts/caller';
import type { MemoryClass } from '@reverie/shared/contract/memories/memories';
import type { ReadDb } from '../../db/open-store.ts';

/** A memory as it stands in the picture; `head` is the beginning of its value. */
export interface GraphNodeRow {
  id: number;
  key: string;
  head: string;
  /** JSON of an object. */
  metadata: string;
  class: MemoryClass;
  created_at: number;
  noted_at: number | null;
  /** JSON of a list of texts. */
  tags: string;
}

const COLUMNS =
  'm.id, m.key, substr(m.value, 1, 200) AS head, m.metadata, m.class, m.created_at, m.noted_at, (SELECT json_group_array(t.tag) FROM memory_tags t WHERE t.memory_id = m.id) AS tags';

interface In {
  account: AccountId;
  namespaceId: number;
}

export function findNamespace(db: ReadDb, account: AccountId, name: string): number | undefined {
  return db
    .prepare<[number, string], { id: number }>('SELECT id FROM namespaces WHERE account = ? AND name = ?')
    .get(account, name)?.id;
}

export function findNode(db: ReadDb, at: In & { key: string }): GraphNodeRow | undefined {
  return db
    .prepare<[number, number, string], GraphNodeRow>(
      `SELECT ${COLUMNS} FROM memories m WHERE m.account = ? AND m.namespace_id = ? AND m.key = ? AND m.hidden IS NULL`,
    )
    .get(at.account, at.namespaceId, at.key);
}

/** The memories that were changed last, the newest first. */
export function newestNodes(
  db: ReadDb,
  { account, namespaceId, limit }: In & { limit: number },
): GraphNodeRow[] {
  return db
    .prepare<[number, number, number], GraphNodeRow>(
      `SELECT ${COLUMNS} FROM memories m WHERE m.account = ? AND m.namespace_id = ? AND m.hidden IS NULL
       ORDER BY m.updated_at DESC, m.key DESC LIMIT ?`,
    )
    .all(account, namespaceId, limit);
}

/** Those of some memories that are of this namespace and not hidden. */
export function nodesById(db: ReadDb, at: In & { ids: readonly number[] }): Map<number, GraphNodeRow> {
  const rows = db
    .prepare<[string, number, number], GraphNodeRow>(
      `SELECT ${COLUMNS} FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value
       WHERE m.account = ? AND m.namespace_id = ? AND m.hidden IS NULL`,
    )
    .all(JSON.stringify(at.ids), at.account, at.namespaceId);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The vectors of a memory's first chunks; null where one is still to be made. */
export function firstVectors(
  db: ReadDb,
  memoryId: number,
  limit: number,
): { scale: number | null; vector: Buffer | null }[] {
  return db
    .prepare<[number, number], { scale: number | null; vector: Buffer | null }>(
      'SELECT scale, vector FROM chunks WHERE memory_id = ? ORDER BY position LIMIT ?',
    )
    .all(memoryId, limit);
}
