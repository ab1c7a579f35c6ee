/** A value of a statement. */
export type Value = string | number | Uint8Array | null;

/** One statement on its way to a database; each `?` of its SQL stands for a value. */
export interface SqlStatement {
  sql: string;
  values: readonly Value[];
}

/** What a statement came to: its rows, or how many rows it changed. */
export interface StatementResult {
  rows: readonly unknown[];
  changes: number;
}

/**
 * Something that is done with the database, one statement after the other. It is written once: SQLite runs it in one go,
 * Postgres while others are served. It may be run again from its start, so it changes nothing but the database.
 */
export type Steps<T> = Generator<SqlStatement, T, StatementResult>;

/** What a relay keeps beside its log: accounts, devices, rooms, invites and shared documents. */
export interface Records {
  /** Runs steps one by one, outside of a transaction. */
  read<T>(steps: () => Steps<T>): Promise<T>;
  /** Runs steps as one transaction that sees no other one in its midst; durable when it resolves, nothing when it rejects. */
  write<T>(steps: () => Steps<T>): Promise<T>;
  /** Takes what was removed out of the files where the database leaves it behind. */
  empty(): void;
  /** Rejects where the database does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The rows of a statement. */
export function* all<R>(sql: string, ...values: Value[]): Steps<R[]> {
  return (yield { sql, values }).rows as R[];
}

/** The first row of a statement. */
export function* one<R>(sql: string, ...values: Value[]): Steps<R | undefined> {
  return (yield { sql, values }).rows[0] as R | undefined;
}

/** How many rows a statement changed. */
export function* run(sql: string, ...values: Value[]): Steps<number> {
  return (yield { sql, values }).changes;
}
