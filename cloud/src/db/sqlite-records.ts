import type { Database } from './open-database.ts';
import type { StatementResult, Records, SqlStatement, Steps } from './records.ts';

/** The records of a relay in its SQLite file. Steps are run without a pause, so that nobody else's come in between. */
export function createSqliteRecords(db: Database): Records {
  function perform({ sql, values }: SqlStatement): StatementResult {
    const statement = db.prepare<unknown[]>(sql);
    return statement.reader
      ? { rows: statement.all(...values), changes: 0 }
      : { rows: [], changes: statement.run(...values).changes };
  }

  function drive<T>(steps: Steps<T>): T {
    let step = steps.next();
    while (step.done !== true) step = steps.next(perform(step.value));
    return step.value;
  }

  return {
    read: async (steps) => drive(steps()),
    write: async <T>(steps: () => Steps<T>) => {
      // In an object, as a promise could not be told from what is not to be answered by a transaction.
      const { value } = db.write(() => ({ value: drive(steps()) }));
      return value;
    },
    empty: () => db.emptying.empty(),
    check: async () => db.check(),
    close: async () => db.close(),
  };
}
