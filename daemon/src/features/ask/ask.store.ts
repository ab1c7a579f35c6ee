import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../db/open-store.ts';

export interface AskedRow {
  id: number;
  key: string;
  value: string;
  namespace: string;
  metadata: string;
  created_at: number;
  updated_at: number;
}

/** Memories by id, as they are. */
export function findAsked(db: ReadDb, account: AccountId, ids: readonly number[]): AskedRow[] {
  return db
    .prepare<[string, number], AskedRow>(
      `SELECT m.id, m.key, m.value, n.name AS namespace, m.metadata, m.created_at, m.updated_at
       FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value CROSS JOIN namespaces n ON n.id = m.namespace_id
       WHERE m.account = ?`,
    )
    .all(JSON.stringify(ids), account);
}

/** Of a note out of a file: its own day was there at a time, so that it was known then, before it was brought here. */
const noted = (of: string) =>
  `${of}.noted_at IS NOT NULL AND ${of}.noted_at <= @at AND ${of}.metadata ->> '$.imported.path' IS NOT NULL`;
/** A memory that was known at a time. By an index: looking at each row would read past its value, which may be long. */
const KNOWN = `(m.created_at <= @at OR m.id IN (SELECT k.id FROM memories k WHERE k.account = @account AND ${noted('k')}))`;

/**
 * Memories by id, as they were at a time: the last version stored until then, or the first one of a note that had been in its file before.
 * What was made later is left out, and so is what was overwritten since and whose version of that time is not kept any more.
 */
export function findAskedAt(
  db: ReadDb,
  account: AccountId,
  { ids, at }: { ids: readonly number[]; at: number },
): AskedRow[] {
  return db
    .prepare<[{ ids: string; account: number; at: number }], AskedRow>(
      `SELECT m.id, m.key, n.name AS namespace, m.created_at, coalesce(v.value, m.value) AS value,
         coalesce(v.metadata, m.metadata) AS metadata, coalesce(v.updated_at, m.updated_at) AS updated_at
       FROM json_each(@ids) wanted CROSS JOIN memories m ON m.id = wanted.value
       CROSS JOIN namespaces n ON n.id = m.namespace_id
       LEFT JOIN memory_versions v ON m.updated_at > @at AND v.memory_id = m.id AND v.version = coalesce(
         (SELECT max(w.version) FROM memory_versions w WHERE w.memory_id = m.id AND w.updated_at <= @at),
         CASE WHEN ${noted('m')} THEN 1 END)
       WHERE m.account = @account AND (m.created_at <= @at OR (${noted('m')}))
         AND (m.updated_at <= @at OR v.version IS NOT NULL OR (m.version = 1 AND ${noted('m')}))`,
    )
    .all({ ids: JSON.stringify(ids), account, at });
}

interface Wanted {
  namespaces: readonly number[];
  /** Known at this time. */
  at: number;
  limit: number;
}

// One namespace is read in the order of an index; a list of one would be sorted.
function within(namespaces: readonly number[]): { sql: string; namespaces: number | string } {
  const [only] = namespaces;
  if (only !== undefined && namespaces.length === 1)
    return { sql: 'm.namespace_id = @namespaces AND m.hidden IS NULL', namespaces: only };
  // Hidden ones by their index: looking at each row would read past its value, which may be long.
  return {
    sql: `m.namespace_id IN (SELECT value FROM json_each(@namespaces)) AND m.id NOT IN
      (SELECT h.id FROM memories h WHERE h.account = @account AND h.hidden IS NOT NULL)`,
    namespaces: JSON.stringify(namespaces),
  };
}

/** Ids of the memories of some namespaces, newest first. */
export function newestAsked(db: ReadDb, account: AccountId, { at, limit, ...of }: Wanted): number[] {
  const { sql, namespaces } = within(of.namespaces);
  return db
    .prepare<[object], { id: number }>(
      `SELECT m.id FROM memories m WHERE m.account = @account AND ${sql} AND ${KNOWN}
       ORDER BY m.created_at DESC, m.key DESC LIMIT @limit`,
    )
    .all({ account, namespaces, at, limit })
    .map(({ id }) => id);
}

/**
 * Ids of the memories of some namespaces that were known at a time, hidden ones among them; undefined where all were, so that
 * nothing has to be left out.
 */
export function madeUntil(
  db: ReadDb,
  account: AccountId,
  { namespaces, at }: Omit<Wanted, 'limit'>,
): number[] | undefined {
  const sql = (which: string) =>
    `SELECT m.id FROM json_each(@ids) n CROSS JOIN memories m ON m.account = @account AND m.namespace_id = n.value WHERE ${which}`;
  const find = (text: string) => db.prepare<[object], number>(text).pluck();
  const of = { ids: JSON.stringify(namespaces), account, at };
  const later = find(sql(`NOT ${KNOWN} LIMIT 1`)).get(of);
  return later === undefined ? undefined : find(sql(KNOWN)).all(of);
}

/** Ids of the memories of some namespaces that were known at a time and have other words since, the last changed first. */
export function changedAfter(db: ReadDb, account: AccountId, { at, limit, ...of }: Wanted): number[] {
  const { sql, namespaces } = within(of.namespaces);
  return db
    .prepare<[object], { id: number }>(
      `SELECT m.id FROM memories m WHERE m.account = @account AND ${sql} AND m.updated_at > @at AND ${KNOWN}
         AND EXISTS (SELECT 1 FROM memory_versions v WHERE v.memory_id = m.id)
       ORDER BY m.updated_at DESC LIMIT @limit`,
    )
    .all({ account, namespaces, at, limit })
    .map(({ id }) => id);
}

/** The turns next to a turn in its session: those after it and the one before, nearest first. */
export function turnsAround(
  db: ReadDb,
  account: AccountId,
  { id, after, before }: { id: number; after: number; before: number },
): number[] {
  const sql = (than: '<' | '>', order: 'ASC' | 'DESC') =>
    `SELECT t.id FROM memories m CROSS JOIN memories t ON t.account = m.account AND t.namespace_id = m.namespace_id
       AND t.session = m.session AND (t.session_time, t.session_key) ${than} (m.session_time, m.session_key)
     WHERE m.id = ? AND m.account = ? AND m.session IS NOT NULL
     ORDER BY t.session_time ${order}, t.session_key ${order} LIMIT ?`;
  const following = db.prepare<[number, number, number], { id: number }>(sql('>', 'ASC'));
  const preceding = db.prepare<[number, number, number], { id: number }>(sql('<', 'DESC'));
  return [...following.all(id, account, after), ...preceding.all(id, account, before)].map((row) => row.id);
}
