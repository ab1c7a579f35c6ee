import Database from 'better-sqlite3';

/** A row of a table that another program owns: its columns may be others in another version. */
export type ForeignRow = Readonly<Record<string, unknown>>;

/** Reads of a table of another program. */
export interface ForeignDb {
  /** The columns of a table, none where there is no such table. */
  columns(table: string): ReadonlySet<string>;
  /** Rows as they are met; numbers beyond what a double holds are rounded. */
  rows(sql: string, ...values: (string | number)[]): Iterable<ForeignRow>;
}

/**
 * Reads a database of another program, opened read-only and closed however the reading ends. Where the file is away, damaged, locked for
 * long or no database, one undefined comes at the end.
 */
export function* readForeign<T>(
  file: string,
  read: (db: ForeignDb) => Iterable<T>,
): Generator<T | undefined> {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 2_000 });
    try {
      yield* read({
        columns: (table) =>
          new Set(
            db
              .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
              .all(table)
              .map(({ name }) => name),
          ),
        rows: (sql, ...values) => db.prepare<(string | number)[], ForeignRow>(sql).iterate(...values),
      });
    } finally {
      db.close();
    }
  } catch (failure) {
    if (!(failure instanceof Database.SqliteError)) throw failure;
    yield undefined;
  }
}
