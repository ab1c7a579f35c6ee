import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SessionAgent } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** What a person said about the logs of an agent. */
export interface LogSourceRow {
  agent: SessionAgent;
  /** Where they lie, where that was said. */
  root: string | null;
  enabled: 0 | 1;
  enabled_at: number | null;
}

export function listSourceRows(db: ReadDb, account: AccountId): LogSourceRow[] {
  return db
    .prepare<[number], LogSourceRow>(
      'SELECT agent, root, enabled, enabled_at FROM session_sources WHERE account = ?',
    )
    .all(account);
}

export function saveSource(db: WriteDb, account: AccountId, source: LogSourceRow): void {
  db.prepare<[object]>(
    `INSERT INTO session_sources (account, agent, root, enabled, enabled_at)
     VALUES (@account, @agent, @root, @enabled, @enabled_at)
     ON CONFLICT (account, agent) DO UPDATE SET root = excluded.root, enabled = excluded.enabled, enabled_at = excluded.enabled_at`,
  ).run({ ...source, account });
}

/** A log that was read, as it was then; it is unchanged while its inode, size and time of change are. */
export interface FileRow {
  path: string;
  agent: SessionAgent;
  /** The agent's own id of the session whose log it is; null where it holds others or none. */
  session: string | null;
  inode: string;
  size: number;
  /** Ms since 1970, with fractions. */
  changed: number;
  /** Lines of which not all could be read. */
  malformed: number;
  /** Records of a kind that was not known. */
  unknown: number;
}

export function listFileRows(db: ReadDb, account: AccountId, agent: string): FileRow[] {
  return db
    .prepare<[number, string], FileRow>(
      'SELECT path, agent, session, inode, size, changed, malformed, unknown FROM session_files WHERE account = ? AND agent = ?',
    )
    .all(account, agent);
}

export function saveFile(db: WriteDb, account: AccountId, file: FileRow): void {
  db.prepare<[object]>(
    `INSERT INTO session_files (account, path, agent, session, inode, size, changed, malformed, unknown)
     VALUES (@account, @path, @agent, @session, @inode, @size, @changed, @malformed, @unknown)
     ON CONFLICT (account, path) DO UPDATE SET agent = excluded.agent, session = excluded.session, inode = excluded.inode, size = excluded.size,
       changed = excluded.changed, malformed = excluded.malformed, unknown = excluded.unknown`,
  ).run({ ...file, account });
}

/** Forgets a log that lies elsewhere now. */
export function dropFile(db: WriteDb, account: AccountId, path: string): void {
  db.prepare<[number, string]>('DELETE FROM session_files WHERE account = ? AND path = ?').run(account, path);
}

/** Says of a session how many lines of all its logs could not be read, and how many records are not known; nothing where it is not here. */
export function countUnread(
  db: WriteDb,
  account: AccountId,
  of: { agent: SessionAgent; session: string },
): void {
  db.prepare<[object]>(
    `UPDATE sessions SET (unread, unknown) = (
       SELECT coalesce(sum(f.malformed), 0), coalesce(sum(f.unknown), 0) FROM session_files f
       WHERE f.account = @account AND f.agent = @agent AND f.session = @session)
     WHERE account = @account AND agent = @agent AND source = @session`,
  ).run({ account, ...of });
}

/** Forgets how far the logs of an agent were read: they are read again. */
export function dropFiles(db: WriteDb, account: AccountId, agent: SessionAgent): void {
  db.prepare<[number, string]>('DELETE FROM session_files WHERE account = ? AND agent = ?').run(
    account,
    agent,
  );
}

export interface RecordRow {
  agent: string;
  version: string;
  record: string;
  known: 0 | 1;
  count: number;
  first_at: number;
  last_at: number;
}

/** Adds to how often a kind of record was met. */
export function countRecords(
  db: WriteDb,
  account: AccountId,
  seen: Omit<RecordRow, 'first_at' | 'last_at'> & { now: number },
): void {
  db.prepare<[object]>(
    `INSERT INTO session_records (account, agent, version, record, known, count, first_at, last_at)
     VALUES (@account, @agent, @version, @record, @known, @count, @now, @now)
     ON CONFLICT (account, agent, version, record) DO UPDATE SET
       known = excluded.known, count = count + excluded.count, last_at = excluded.last_at`,
  ).run({ ...seen, account });
}

/** The kinds of records of each agent that were met, at most `limit` of it: those that are not known first, then those that were met most. */
export function listRecords(db: ReadDb, account: AccountId, limit: number): RecordRow[] {
  return db
    .prepare<[number, number], RecordRow>(
      `SELECT agent, version, record, known, count, first_at, last_at FROM (
         SELECT agent, version, record, known, count, first_at, last_at,
           row_number() OVER (PARTITION BY agent ORDER BY known, count DESC, version, record) AS place
         FROM session_records WHERE account = ?)
       WHERE place <= ? ORDER BY agent, place`,
    )
    .all(account, limit);
}

/** Counts the lines of which not all could be read, by agent. */
export function malformedLines(db: ReadDb, account: AccountId): { agent: string; lines: number }[] {
  return db
    .prepare<[number], { agent: string; lines: number }>(
      `SELECT agent, sum(malformed) AS lines FROM session_files WHERE account = ?
       GROUP BY agent HAVING sum(malformed) > 0 ORDER BY agent`,
    )
    .all(account);
}
