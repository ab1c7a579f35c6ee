import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, Store, WriteDb } from './open-store.ts';

/** What the text index of an account tells of the texts in it. */
export interface TextsOfAccount {
  /** How many there are, roughly: those that were taken out are counted, too. */
  texts: number;
  /** In how many of them a match of FTS5 stands. */
  count(match: string): number;
  /** How often a stem, or what begins with it, stands in them. */
  occurrences(stem: string, prefix: boolean): number;
}

/** Text indexes for one kind of texts that are no memories: one for each account, so that no account's words weigh in another's ranking. */
export interface TextIndexes {
  /** The name of the table of an account; its rows are called by the numbers of the texts. */
  tableOf(account: AccountId): string;
  /** Whether an account has one. */
  has(db: ReadDb, account: AccountId): boolean;
  /** Makes that of an account, where it has none. */
  ensure(db: WriteDb, account: AccountId): void;
  put(db: WriteDb, account: AccountId, text: { n: number; body: string }): void;
  remove(db: WriteDb, account: AccountId, n: number): void;
  /** What an account's tells; it reads the database when it is asked. */
  about(store: Pick<Store, 'read'>, account: AccountId): TextsOfAccount;
}

/** The text indexes whose tables have a name that begins so. */
export function textIndexes(prefix: string): TextIndexes {
  const tableOf = (account: AccountId) => `${prefix}_${Number(account)}`;
  const has = (db: ReadDb, account: AccountId): boolean =>
    db
      .prepare<[string]>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .get(tableOf(account)) !== undefined;
  return {
    tableOf,
    has,
    ensure(db, account) {
      if (has(db, account)) return;
      const table = tableOf(account);
      db.exec(
        `CREATE VIRTUAL TABLE ${table} USING fts5(body, tokenize = 'porter unicode61 remove_diacritics 2')`,
      );
      db.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('secure-delete', 1)`);
      db.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('automerge', 8)`);
    },
    put(db, account, { n, body }) {
      db.prepare<[number, string]>(`INSERT INTO ${tableOf(account)} (rowid, body) VALUES (?, ?)`).run(
        n,
        body,
      );
    },
    remove(db, account, n) {
      if (has(db, account)) db.prepare<[number]>(`DELETE FROM ${tableOf(account)} WHERE rowid = ?`).run(n);
    },
    about: ({ read }, account) => ({
      texts: read((db) => countTexts(db, has(db, account) ? tableOf(account) : undefined)),
      count: (match) => read((db) => (has(db, account) ? countMatches(db, tableOf(account), match) : 0)),
      occurrences: (stem, prefix) =>
        read((db) => (has(db, account) ? countOccurrences(db, tableOf(account), { stem, prefix }) : 0)),
    }),
  };
}

function countTexts(db: ReadDb, table: string | undefined): number {
  if (table === undefined) return 0;
  return db.prepare<[], { count: number }>(`SELECT max(rowid) AS count FROM ${table}`).get()?.count ?? 0;
}

function countMatches(db: ReadDb, table: string, match: string): number {
  return (
    db
      .prepare<[string], { count: number }>(`SELECT count(*) AS count FROM ${table} WHERE body MATCH ?`)
      .get(match)?.count ?? 0
  );
}

/** The stems of a text index, a row each: a view of the index, of this connection only; making it again does nothing. */
export function stemsTable(db: ReadDb, table: string): string {
  db.prepare<[]>(
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems_of_${table} USING fts5vocab(main, ${table}, row)`,
  ).run();
  return `temp.stems_of_${table}`;
}

/** How often a stem, or what begins with it, stands in a text index. */
export function countOccurrences(
  db: ReadDb,
  table: string,
  { stem, prefix }: { stem: string; prefix: boolean },
): number {
  const range = prefix ? 'term >= ? AND term <= ?' : 'term = ? AND term = ?';
  const row = db
    .prepare<[string, string], { count: number | null }>(
      `SELECT sum(cnt) AS count FROM ${stemsTable(db, table)} WHERE ${range}`,
    )
    .get(stem, prefix ? `${stem}\u{10ffff}` : stem);
  return row?.count ?? 0;
}

/** Any of the words that are looked for, with what has to be there and without what must not. */
export function narrowedMatch(
  words: string,
  {
    having = [],
    lacking = [],
  }: { having?: readonly string[] | undefined; lacking?: readonly string[] | undefined } = {},
): string {
  const all = [`(${words})`, ...having].join(' AND ');
  return lacking.length === 0 ? all : `(${all}) NOT (${lacking.join(' OR ')})`;
}
