import type { AccountId } from '@reverie/shared/accounts/caller';
import type { EntryKind } from '@reverie/shared/contract/sessions';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** The text index of an account's sessions: one for each, so that no account's words weigh in another's ranking. */
function textTable(account: AccountId): string {
  return `session_text_${Number(account)}`;
}

function hasTable(db: ReadDb, account: AccountId): boolean {
  return (
    db
      .prepare<[string]>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .get(textTable(account)) !== undefined
  );
}

/** Makes the text index of an account that has a session for the first time. */
export function ensureTextIndex(db: WriteDb, account: AccountId): void {
  if (hasTable(db, account)) return;
  const table = textTable(account);
  db.exec(
    `CREATE VIRTUAL TABLE ${table} USING fts5(body, tokenize = 'porter unicode61 remove_diacritics 2')`,
  );
  db.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('secure-delete', 1)`);
  db.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('automerge', 8)`);
}

export function indexText(db: WriteDb, account: AccountId, { n, body }: { n: number; body: string }): void {
  db.prepare<[number, string]>(`INSERT INTO ${textTable(account)} (rowid, body) VALUES (?, ?)`).run(n, body);
}

export function removeText(db: WriteDb, account: AccountId, n: number): void {
  db.prepare<[number]>('DELETE FROM unindexed_entries WHERE entry = ?').run(n);
  if (hasTable(db, account)) db.prepare<[number]>(`DELETE FROM ${textTable(account)} WHERE rowid = ?`).run(n);
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
  if (!hasTable(db, filter.account)) return [];
  const table = textTable(filter.account);
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

/** How many entries of an account can be searched for, roughly: those that were taken out are counted, too. */
export function countTexts(db: ReadDb, account: AccountId): number {
  if (!hasTable(db, account)) return 0;
  return (
    db.prepare<[], { count: number }>(`SELECT max(rowid) AS count FROM ${textTable(account)}`).get()?.count ??
    0
  );
}

/** How often a stem, or what begins with it, stands in what an account's sessions say. */
export function countOccurrences(
  db: ReadDb,
  account: AccountId,
  { stem, prefix }: { stem: string; prefix: boolean },
): number {
  if (!hasTable(db, account)) return 0;
  const table = textTable(account);
  db.prepare<[]>(
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems_of_${table} USING fts5vocab(main, ${table}, row)`,
  ).run();
  const range = prefix ? 'term >= ? AND term <= ?' : 'term = ? AND term = ?';
  const row = db
    .prepare<[string, string], { count: number | null }>(
      `SELECT sum(cnt) AS count FROM temp.stems_of_${table} WHERE ${range}`,
    )
    .get(stem, prefix ? `${stem}\u{10ffff}` : stem);
  return row?.count ?? 0;
}

/** In how many entries of an account a term stands. */
export function countMatches(db: ReadDb, account: AccountId, match: string): number {
  if (!hasTable(db, account)) return 0;
  return (
    db
      .prepare<[string], { count: number }>(
        `SELECT count(*) AS count FROM ${textTable(account)} WHERE body MATCH ?`,
      )
      .get(match)?.count ?? 0
  );
}

/** Sessions in which an entry has words of a query, by their numbers. */
export function sessionsWithText(db: ReadDb, account: AccountId, match: string): number[] {
  if (!hasTable(db, account)) return [];
  return db
    .prepare<[string], { session: number }>(
      `SELECT DISTINCT e.session FROM ${textTable(account)} t JOIN session_entries e ON e.n = t.rowid
       WHERE t.body MATCH ?`,
    )
    .all(match)
    .map(({ session }) => session);
}
