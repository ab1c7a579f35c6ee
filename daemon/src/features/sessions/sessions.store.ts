import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SessionRole } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** A session as it is stored; times in ms since 1970. */
export interface SessionRow {
  n: number;
  id: string;
  account: AccountId;
  agent: string;
  /** The agent's own id of it. */
  source: string | null;
  title: string | null;
  title_rank: number;
  project: string | null;
  folder: string | null;
  branch: string | null;
  version: string | null;
  namespace: string;
  /** The agent's own id of the session that it was begun from. */
  parent: string | null;
  parent_kind: 'subagent' | 'fork' | 'continuation' | null;
  /** As a list in JSON. */
  models: string;
  tokens: number;
  entries: number;
  others: number;
  /** Lines of its logs of which not all could be read. */
  unread: number;
  /** Records of its logs of a kind that was not known. */
  unknown: number;
  seq: number;
  role: SessionRole;
  started_at: number;
  updated_at: number;
  ended_at: number | null;
}

const COLUMNS =
  'n, id, account, agent, source, title, title_rank, project, folder, branch, version, namespace, parent, parent_kind, models, tokens, entries, others, unread, unknown, seq, role, started_at, updated_at, ended_at';

export function insertSession(db: WriteDb, row: Omit<SessionRow, 'n'>): SessionRow {
  const { lastInsertRowid } = db
    .prepare<[object]>(
      `INSERT INTO sessions (id, account, agent, source, title, title_rank, project, folder, branch, version, namespace, parent,
         parent_kind, models, tokens, entries, others, unread, unknown, seq, role, started_at, updated_at, ended_at)
       VALUES (@id, @account, @agent, @source, @title, @title_rank, @project, @folder, @branch, @version, @namespace, @parent,
         @parent_kind, @models, @tokens, @entries, @others, @unread, @unknown, @seq, @role, @started_at, @updated_at, @ended_at)`,
    )
    .run(row);
  return { ...row, n: Number(lastInsertRowid) };
}

/** Writes all of a row that may change. */
export function saveSession(db: WriteDb, row: SessionRow): void {
  db.prepare<[object]>(
    `UPDATE sessions SET agent = @agent, title = @title, title_rank = @title_rank, project = @project, folder = @folder, branch = @branch,
       version = @version, namespace = @namespace, parent = @parent, parent_kind = @parent_kind, models = @models, tokens = @tokens,
       entries = @entries, others = @others, unread = @unread, unknown = @unknown, seq = @seq, role = @role, started_at = @started_at, updated_at = @updated_at,
       ended_at = @ended_at
     WHERE n = @n`,
  ).run(row);
}

export function findSession(db: ReadDb, account: AccountId, id: string): SessionRow | undefined {
  return db
    .prepare<[number, string], SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE account = ? AND id = ?`)
    .get(account, id);
}

export function findSessionByNumber(db: ReadDb, n: number): SessionRow | undefined {
  return db.prepare<[number], SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE n = ?`).get(n);
}

/** A session by its agent's own id. */
export function findSessionOfSource(
  db: ReadDb,
  account: AccountId,
  { agent, source }: { agent: string; source: string },
): SessionRow | undefined {
  return db
    .prepare<[number, string, string], SessionRow>(
      `SELECT ${COLUMNS} FROM sessions WHERE account = ? AND agent = ? AND source = ?`,
    )
    .get(account, agent, source);
}

export interface SessionFilter {
  account: AccountId;
  /** Patterns of the namespaces that may be read, as `has_namespace` takes them; null for all. */
  within: string | null;
  agent: string | null;
  project: string | null;
  namespace: string | null;
  since: number | null;
  /** Only sessions that were written to at or after this; null for all. */
  liveSince: number | null;
  /** Only sessions that were written to before this; null for all. */
  quietSince: number | null;
  /** 0: only sessions that nobody ended. */
  ended: 0 | null;
  /** Only sessions that somebody ended, or that were not written to since this; null for all. */
  isOver: number | null;
  subagents: 0 | 1;
  /** Numbers of sessions as a list in JSON; null for all. */
  among: string | null;
  before: number | null;
  beforeN: number | null;
  limit: number;
}

/** Sessions, the one that was written to last first, without those of logs that never began. */
export function listSessionRows(db: ReadDb, filter: SessionFilter): SessionRow[] {
  return db
    .prepare<[SessionFilter], SessionRow>(
      `SELECT ${COLUMNS} FROM sessions
       WHERE account = @account
         AND (@within IS NULL OR has_namespace(@within, namespace))
         AND (@agent IS NULL OR agent = @agent)
         AND (@project IS NULL OR project = @project)
         AND (@namespace IS NULL OR namespace = @namespace)
         AND (@since IS NULL OR updated_at >= @since)
         AND (@liveSince IS NULL OR updated_at >= @liveSince)
         AND (@quietSince IS NULL OR updated_at < @quietSince)
         AND (@ended IS NULL OR ended_at IS NULL)
         AND (@isOver IS NULL OR ended_at IS NOT NULL OR updated_at <= @isOver)
         AND (@subagents = 1 OR parent_kind IS NOT 'subagent')
         AND (@among IS NULL OR n IN (SELECT value FROM json_each(@among)))
         AND (entries > 0 OR title IS NOT NULL OR source IS NULL)
         AND (@before IS NULL OR (updated_at, n) < (@before, @beforeN))
       ORDER BY updated_at DESC, n DESC LIMIT @limit`,
    )
    .all(filter);
}

/** Deletes a session with all that hangs on it but the text index. */
export function deleteSessionRow(db: WriteDb, n: number): void {
  db.prepare<[number]>('DELETE FROM sessions WHERE n = ?').run(n);
}

/** Notes that a session was deleted here, so that its log is not read again. */
export function forgetSource(db: WriteDb, of: { account: AccountId; agent: string; source: string }): void {
  db.prepare<[object]>(
    'INSERT INTO sessions_forgotten (account, agent, source) VALUES (@account, @agent, @source) ON CONFLICT DO NOTHING',
  ).run(of);
}

export function isForgotten(db: ReadDb, of: { account: AccountId; agent: string; source: string }): boolean {
  return (
    db
      .prepare<[object]>(
        'SELECT 1 FROM sessions_forgotten WHERE account = @account AND agent = @agent AND source = @source',
      )
      .get(of) !== undefined
  );
}

/** Sessions by their numbers (`n`), for hits. */
export function findSessionsByNumber(db: ReadDb, numbers: readonly number[]): Map<number, SessionRow> {
  const rows = db
    .prepare<[string], SessionRow>(
      `SELECT ${COLUMNS} FROM sessions WHERE n IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(numbers));
  return new Map(rows.map((row) => [row.n, row]));
}

/** Takes the times of sessions back that are later than can be, as a clock that was wrong left them; times in ms since 1970. */
export function settleTimes(db: WriteDb, { latest, now }: { latest: number; now: number }): void {
  db.prepare<[object]>(
    `UPDATE sessions SET started_at = min(started_at, @now), updated_at = coalesce(
       (SELECT max(at) FROM session_entries e WHERE e.session = sessions.n AND e.at <= @latest), min(started_at, @now))
     WHERE updated_at > @latest`,
  ).run({ latest, now });
}

/** The folders that an agent worked in, the one of its newest session first. */
export function foldersOfSessions(db: ReadDb, account: AccountId, agent: string): string[] {
  return db
    .prepare<[number, string], { folder: string }>(
      `SELECT folder FROM sessions WHERE account = ? AND agent = ? AND folder IS NOT NULL
       GROUP BY folder ORDER BY max(updated_at) DESC LIMIT 100`,
    )
    .all(account, agent)
    .map(({ folder }) => folder);
}
