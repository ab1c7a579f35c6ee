import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';

/** The filter of a list or a search, as SQL takes it; lists are JSON, and null where they leave nothing out. */
export interface ListFilter {
  account: AccountId;
  namespaces: readonly number[];
  classes: string | null;
  /** Each tag that will do for one that is wanted, with that one's number: `[["Café", 0], ["CAFE", 0], ["ops", 1]]`. */
  tags: string;
  tagCount: number;
  /** Of this time or later, and before this one: by its own day, else by when it was created. */
  from: number | null;
  to: number | null;
  /** Ids of those that may pass, and of those that may not. */
  having: string | null;
  lacking: string | null;
  /** The kinds of hidden memories that are wanted, too. */
  include: string;
  /** What their keys begin with; empty for all. */
  prefix: string;
  /** Conditions on properties, each of which holds for one of the values; how many they are; and those of which none may hold. */
  where: string;
  whereCount: number;
  whereNot: string;
}

// No byte of UTF-8 is ff, so every key with the prefix stands before it.
const PREFIXED = "p.key >= @prefix AND p.key < @prefix || CAST(x'ff' AS TEXT)";

// Hidden ones and those of a class by their indexes: looking at each row would read past its value, which may be long.
const marked = (isIn: string): string =>
  `SELECT c.id FROM memories c WHERE c.account = @account AND c.namespace_id ${isIn} AND c.class <> 'note'`;
// Taken out of their JSON once, not for each row that they are compared with.
const conditions = (given: string): string => `WITH w AS MATERIALIZED (
    SELECT key, value ->> 'name' AS name, value ->> 'comparison' AS comparison, value ->> 'text' AS text, value ->> 'number' AS number,
      value ->> 'from' AS "from", value ->> 'to' AS "to", value ->> 'least' AS least, value ->> 'most' AS most FROM json_each(${given}))`;
const HOLDS = `CASE w.comparison
    WHEN '=' THEN p.value = w.text OR p.number = w.number OR (p.day >= w."from" AND p.day < w."to")
    WHEN '<' THEN p.number < w.number OR p.day < w."from"
    WHEN '<=' THEN p.number <= w.number OR p.day < w."to"
    WHEN '>' THEN p.number > w.number OR p.day >= w."to"
    WHEN '>=' THEN p.number >= w.number OR p.day >= w."from"
    ELSE 1 END`;
const holding = (isIn: string, given: string): string => `${conditions(given)}
    SELECT p.memory_id FROM w CROSS JOIN memory_properties p ON p.account = @account AND p.namespace_id ${isIn} AND p.name = w.name
      AND p.value >= w.least AND p.value <= w.most AND ${HOLDS}`;
const CLASSES = 'SELECT value FROM json_each(@classes)';
const filtered = (isIn: string): string => `m.account = @account AND m.namespace_id ${isIn}
  AND m.id NOT IN (SELECT h.id FROM memories h WHERE h.account = @account AND h.namespace_id ${isIn}
    AND h.hidden IS NOT NULL AND h.hidden NOT IN (SELECT value FROM json_each(@include)))
  AND (@classes IS NULL
    OR ('note' IN (${CLASSES}) AND m.id NOT IN (${marked(isIn)} AND c.class NOT IN (${CLASSES})))
    OR ('note' NOT IN (${CLASSES}) AND m.id IN (${marked(isIn)} AND c.class IN (${CLASSES}))))
  AND ((@from IS NULL AND @to IS NULL) OR m.id IN (
    SELECT d.id FROM memories d WHERE d.account = @account AND d.namespace_id ${isIn}
      AND coalesce(d.noted_at, d.created_at) >= coalesce(@from, -9e15)
      AND coalesce(d.noted_at, d.created_at) < coalesce(@to, 9e15)))
  AND (@having IS NULL OR m.id IN (SELECT value FROM json_each(@having)))
  AND (@lacking IS NULL OR m.id NOT IN (SELECT value FROM json_each(@lacking)))
  AND (@prefix = '' OR m.id IN (
    SELECT p.id FROM memories p WHERE p.account = @account AND p.namespace_id ${isIn} AND ${PREFIXED}))
  AND (@tagCount = 0 OR m.id IN (
    SELECT t.memory_id FROM json_each(@tags) w CROSS JOIN memory_tags t
      ON t.account = @account AND t.namespace_id ${isIn} AND t.tag = w.value ->> 0
      GROUP BY t.memory_id HAVING count(DISTINCT w.value ->> 1) = @tagCount))
  AND (@whereCount = 0 OR m.id IN (
    ${holding(isIn, '@where')} GROUP BY p.memory_id HAVING count(DISTINCT w.key) = @whereCount))
  AND (@whereNot = '[]' OR m.id NOT IN (${holding(isIn, '@whereNot')}))`;

// One namespace is read in the order of an index; a list of one would be sorted.
const IN_ONE = filtered('= @namespaces');
const IN_SEVERAL = filtered('IN (SELECT value FROM json_each(@namespaces))');

function bound(filter: ListFilter) {
  const { namespaces, ...others } = filter;
  const [only] = namespaces;
  return only !== undefined && namespaces.length === 1
    ? { where: IN_ONE, values: { ...others, namespaces: only } }
    : { where: IN_SEVERAL, values: { ...others, namespaces: JSON.stringify(namespaces) } };
}

const ORDERS = {
  created: 'm.created_at, m.key, m.id',
  updated: 'm.updated_at DESC, m.key, m.id',
  noted: 'coalesce(m.noted_at, m.created_at) DESC, m.key, m.id',
} as const;

export interface ListPage {
  order: keyof typeof ORDERS;
  limit: number;
  offset: number;
}

/** Ids of one page of the memories that pass a filter; only ids, so that sorting does not carry values along. */
export function listIds(db: ReadDb, filter: ListFilter, { order, limit, offset }: ListPage): number[] {
  const { where, values } = bound(filter);
  return db
    .prepare<[object], { id: number }>(
      `SELECT m.id FROM memories m WHERE ${where} ORDER BY ${ORDERS[order]} LIMIT @limit OFFSET @offset`,
    )
    .all({ ...values, limit, offset })
    .map(({ id }) => id);
}

/** The tags that memories of some namespaces have. */
export function tagsIn(db: ReadDb, account: AccountId, namespaces: readonly number[]): string[] {
  return db
    .prepare<[string, AccountId], string>(
      `SELECT DISTINCT t.tag FROM json_each(?) n CROSS JOIN memory_tags t ON t.account = ? AND t.namespace_id = n.value`,
    )
    .pluck()
    .all(JSON.stringify(namespaces), account);
}

export function countMemories(db: ReadDb, filter: ListFilter): number {
  const { where, values } = bound(filter);
  const row = db
    .prepare<[object], { count: number }>(`SELECT count(*) AS count FROM memories m WHERE ${where}`)
    .get(values);
  return row?.count ?? 0;
}

/** Ids of the memories that pass a filter. */
export function filterIds(db: ReadDb, filter: ListFilter): number[] {
  const { where, values } = bound(filter);
  return db
    .prepare<[object], { id: number }>(`SELECT m.id FROM memories m WHERE ${where}`)
    .all(values)
    .map(({ id }) => id);
}

export interface KeyRange {
  account: AccountId;
  namespaceId: number;
  /** What they begin with; empty for all. */
  prefix: string;
  /** Those after this one; empty for all. */
  after: string;
  limit: number;
}

// An index takes one lower bound alone: the first text behind another is that one with the first of all characters.
const isBehind = (place: string): string =>
  `p.key >= max(@prefix, ${place} || char(0)) AND p.key < @prefix || CAST(x'ff' AS TEXT)`;

/** Keys of shown memories by their bytes, those of `among` where there is one; reads the index of keys alone, never a value. */
export function listKeyRows(
  db: ReadDb,
  range: KeyRange & { among?: readonly string[] | undefined },
): string[] {
  const { among, ...rest } = range;
  const isAmong = among === undefined ? '' : ' AND p.key IN (SELECT value FROM json_each(@among))';
  return db
    .prepare<[KeyRange & { among: string }], { key: string }>(
      `SELECT p.key FROM memories p WHERE p.account = @account AND p.namespace_id = @namespaceId
         AND ${isBehind('@after')}${isAmong} AND p.id NOT IN (SELECT h.id FROM memories h
           WHERE h.account = @account AND h.namespace_id = @namespaceId AND h.hidden IS NOT NULL)
       ORDER BY p.key LIMIT @limit`,
    )
    .all({ ...rest, among: JSON.stringify(among ?? []) })
    .map(({ key }) => key);
}

// From each key or folder to the one behind all that it stands for, so that what it costs is what it answers.
const behind = (
  place: string,
): string => `SELECT p.key FROM memories p WHERE p.account = @account AND p.namespace_id = @namespaceId
     AND ${isBehind(place)} AND p.id NOT IN (SELECT h.id FROM memories h
       WHERE h.account = @account AND h.namespace_id = @namespaceId AND h.hidden IS NOT NULL)
   ORDER BY p.key LIMIT 1`;
const rest = (key: string): string => `substr(${key}, length(@prefix) + 1)`;
const isIn = (key: string): string => `instr(${rest(key)}, @delimiter)`;
const folded = (key: string): string =>
  `iif(${isIn(key)} > 0, substr(${key}, 1, length(@prefix) + ${isIn(key)}) || CAST(x'ff' AS TEXT), ${key})`;

/** Keys of shown memories by their bytes; those that have the delimiter behind the prefix as their folder, once. */
export function listFolded(
  db: ReadDb,
  range: KeyRange & { delimiter: string },
): { name: string; isFolder: boolean }[] {
  return db
    .prepare<[KeyRange], { name: string; isFolder: 0 | 1 }>(
      `WITH RECURSIVE item (key) AS (
         SELECT (${behind(folded('@after'))}) UNION ALL
         SELECT (${behind(folded('item.key'))}) FROM item WHERE item.key IS NOT NULL LIMIT @limit)
       SELECT iif(${isIn('key')} > 0, substr(key, 1, length(@prefix) + ${isIn('key')}), key) AS name,
         ${isIn('key')} > 0 AS isFolder FROM item WHERE key IS NOT NULL`,
    )
    .all(range)
    .map(({ name, isFolder }) => ({ name, isFolder: isFolder === 1 }));
}
