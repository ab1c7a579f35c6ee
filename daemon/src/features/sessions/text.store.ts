import type { AccountId } from '@reverie/shared/accounts/caller';
import type { EntryKind } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { textIndexes } from '../../db/text-indexes.store.ts';

/** The text indexes of sessions. */
export const sessionTexts = textIndexes('session_text');

export function removeText(db: WriteDb, account: AccountId, n: number): void {
  db.prepare<[number]>('DELETE FROM unindexed_entries WHERE entry = ?').run(n);
  sessionTexts.remove(db, account, n);
}

/** Leaves the text of an entry to be indexed behind the write that stores it. */
export function leaveText(db: WriteDb, account: AccountId, n: number): void {
  db.prepare<[number, number]>('INSERT INTO unindexed_entries (entry, account) VALUES (?, ?)').run(
    n,
    account,
  );
}

/** The first entry of an account that was left so. */
export function leftText(
  db: ReadDb,
  account: AccountId,
): { n: number; kind: EntryKind; text: string } | undefined {
  return db
    .prepare<[number], { n: number; kind: EntryKind; text: string }>(
      `SELECT e.n, e.kind, e.text FROM unindexed_entries u JOIN session_entries e ON e.n = u.entry
       WHERE u.account = ? ORDER BY u.entry LIMIT 1`,
    )
    .get(account);
}

/** The accounts of which entries were left so. */
export function accountsWithLeftTexts(db: ReadDb): AccountId[] {
  return db
    .prepare<[], { account: AccountId }>('SELECT DISTINCT account FROM unindexed_entries')
    .all()
    .map(({ account }) => account);
}

export interface TextHit {
  n: number;
  session: number;
  /** BM25 as FTS5 gives it: the smaller, the better. */
  rank: number;
}

export interface TextFilter {
  account: AccountId;
  /** A query of FTS5. */
  match: string;
  within: string | null;
  session: number | null;
  namespace: string | null;
  agent: string | null;
  /** Names of namespaces as JSON; null for all. */
  among: string | null;
  /** When it was said, in ms since 1970: from then on, and before then. */
  from: number | null;
  to: number | null;
  limit: number;
}

/** Entries with words of a query, best first. */
export function matchText(db: ReadDb, filter: TextFilter): TextHit[] {
  if (!sessionTexts.has(db, filter.account)) return [];
  const table = sessionTexts.tableOf(filter.account);
  return db
    .prepare<[TextFilter], TextHit>(
      `SELECT e.n, e.session, t.rank FROM ${table} t
       JOIN session_entries e ON e.n = t.rowid JOIN sessions s ON s.n = e.session
       WHERE t.body MATCH @match AND s.account = @account
         AND (@within IS NULL OR has_namespace(@within, s.namespace))
         AND (@session IS NULL OR e.session = @session)
         AND (@namespace IS NULL OR s.namespace = @namespace)
         AND (@agent IS NULL OR s.agent = @agent)
         AND (@among IS NULL OR s.namespace IN (SELECT value FROM json_each(@among)))
         AND (@from IS NULL OR e.at >= @from) AND (@to IS NULL OR e.at < @to)
       ORDER BY t.rank LIMIT @limit`,
    )
    .all(filter);
}

/** Sessions in which an entry has words of a query, by their numbers. */
export function sessionsWithText(db: ReadDb, account: AccountId, match: string): number[] {
  if (!sessionTexts.has(db, account)) return [];
  return db
    .prepare<[string], { session: number }>(
      `SELECT DISTINCT e.session FROM ${sessionTexts.tableOf(account)} t JOIN session_entries e ON e.n = t.rowid
       WHERE t.body MATCH ?`,
    )
    .all(match)
    .map(({ session }) => session);
}
