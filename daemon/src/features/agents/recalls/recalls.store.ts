import type { AccountId } from '@reverie/shared/accounts/caller';
import type { RecallWay, Verdict } from '@reverie/shared/contract/agents/recalls';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

export interface RecallRow {
  id: string;
  at: number;
  agent: string;
  session: string | null;
  way: RecallWay;
  namespace: string;
  query: string | null;
  tokens: number;
  shown: number;
}

export interface RecalledRow {
  memory_id: number;
  reason: string;
  score: number | null;
  verdict: Verdict | null;
}

const COLUMNS = 'r.id, r.at, r.agent, r.session, r.way, r.namespace, r.query, r.tokens, r.shown';

export function insertRecall(
  db: WriteDb,
  { account, key }: { account: AccountId; key: string },
  { recall, memories }: { recall: RecallRow; memories: readonly Omit<RecalledRow, 'verdict'>[] },
): void {
  db.prepare<[object]>(
    `INSERT INTO recalls (id, account, at, agent, session, way, namespace, query, tokens, shown, key_id)
     VALUES (@id, @account, @at, @agent, @session, @way, @namespace, @query, @tokens, @shown, @key)`,
  ).run({ ...recall, account, key });
  const add = db.prepare<unknown[]>(
    `INSERT INTO recalled_memories (account, recall, memory_id, place, reason, score) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  for (const [at, { memory_id, reason, score }] of memories.entries())
    add.run(account, recall.id, memory_id, at + 1, reason, score);
}

/** The id of a memory by its address; undefined where there is none. */
export function memoryIdOf(
  db: ReadDb,
  account: AccountId,
  { namespace, key }: { namespace: string; key: string },
): number | undefined {
  return db
    .prepare<[number, string, string], { id: number }>(
      `SELECT m.id FROM memories m JOIN namespaces n ON n.id = m.namespace_id
       WHERE n.account = ? AND n.name = ? AND m.key = ?`,
    )
    .get(account, namespace, key)?.id;
}

export interface RecallFilter {
  account: AccountId;
  /** Patterns of the namespaces that may be read, as `has_namespace` takes them; null for all. */
  within: string | null;
  namespace: string | null;
  agent: string | null;
  session: string | null;
  verdict: Verdict | 'none' | null;
  /** The id that the page before ended with. */
  before: string | null;
  limit: number;
}

/** Recalls, the last first. */
export function listRecallRows(db: ReadDb, filter: RecallFilter): RecallRow[] {
  return db
    .prepare<[RecallFilter], RecallRow>(
      `SELECT ${COLUMNS} FROM recalls r
       WHERE r.account = @account AND (@before IS NULL OR r.id < @before)
         AND (@within IS NULL OR has_namespace(@within, r.namespace))
         AND (@namespace IS NULL OR r.namespace = @namespace)
         AND (@agent IS NULL OR r.agent = @agent) AND (@session IS NULL OR r.session = @session)
         AND (@verdict IS NULL OR EXISTS (SELECT 1 FROM recalled_memories m
           WHERE m.recall = r.id AND coalesce(m.verdict, 'none') = @verdict))
       ORDER BY r.id DESC LIMIT @limit`,
    )
    .all(filter);
}

/**
 * A recall by its id. Of those over all namespaces (`*`) a narrower key finds the ones that it wrote, and is shown only the memories that
 * it may read.
 */
export function findRecall(
  db: ReadDb,
  asking: Pick<RecallFilter, 'account' | 'within'> & { key: string },
  id: string,
): RecallRow | undefined {
  return db
    .prepare<[object], RecallRow>(
      `SELECT ${COLUMNS} FROM recalls r WHERE r.account = @account AND r.id = @id
         AND (@within IS NULL OR has_namespace(@within, r.namespace) OR (r.namespace = '*' AND r.key_id = @key))`,
    )
    .get({ ...asking, id });
}

/** The memories of a recall that are there still, as they were shown. */
export function recalledIn(db: ReadDb, recall: string): RecalledRow[] {
  return db
    .prepare<[string], RecalledRow>(
      'SELECT memory_id, reason, score, verdict FROM recalled_memories WHERE recall = ? ORDER BY place',
    )
    .all(recall);
}

/** How many memories came before an agent in a namespace since a time: in one session, or by its tools, which do not know theirs. */
export function countRecalled(
  db: ReadDb,
  wanted: { account: AccountId; agent: string; namespace: string; session: string; since: number },
): number {
  return (
    db
      .prepare<[object], { count: number }>(
        `SELECT count(DISTINCT m.memory_id) AS count FROM recalls r JOIN recalled_memories m ON m.recall = r.id
         WHERE r.at >= @since AND r.account = @account AND r.agent = @agent AND r.namespace IN (@namespace, '*')
           AND (r.session IS NULL OR r.session = @session OR r.session GLOB 'mcp-*')`,
      )
      .get(wanted)?.count ?? 0
  );
}

export function setVerdict(
  db: WriteDb,
  { recall, memoryId }: { recall: string; memoryId: number },
  verdict: Verdict | null,
): void {
  db.prepare<[string | null, string, number]>(
    'UPDATE recalled_memories SET verdict = ? WHERE recall = ? AND memory_id = ?',
  ).run(verdict, recall, memoryId);
}

/** Drops recalls from before a time of which nothing was judged, at most 500 a call; answers how many. */
export function dropRecallsBefore(db: WriteDb, before: number): number {
  return db
    .prepare<[number]>(
      `DELETE FROM recalls WHERE id IN (SELECT r.id FROM recalls r WHERE r.at < ? AND NOT EXISTS
         (SELECT 1 FROM recalled_memories m WHERE m.recall = r.id AND m.verdict IS NOT NULL) LIMIT 500)`,
    )
    .run(before).changes;
}

/** Drops the recalls that looked into a namespace by its name; those over all (`*`) stay. */
export function dropRecallsOf(
  db: WriteDb,
  { account, namespace }: { account: AccountId; namespace: string },
): void {
  db.prepare<[number, string]>('DELETE FROM recalls WHERE account = ? AND namespace = ?').run(
    account,
    namespace,
  );
}
