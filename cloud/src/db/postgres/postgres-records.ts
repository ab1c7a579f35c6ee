import type { Records, SqlStatement, Steps } from '../records.ts';
import type { Pool, TransactionOptions } from './pool.ts';

interface Prepared {
  /** By which a connection knows it again: to plan it takes longer than to run it. */
  name: string;
  text: string;
}

const statements = new Map<string, Prepared>();

/** A statement with `$1`, `$2`, … in the places of its values. */
function prepared(sql: string): Prepared {
  let found = statements.get(sql);
  if (found === undefined) {
    let n = 0;
    const text = sql.replaceAll('?', () => `$${(n += 1)}`);
    found = { name: `records ${statements.size}`, text };
    statements.set(sql, found);
  }
  return found;
}

interface Runs {
  query(statement: Prepared & { values: unknown[] }): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

async function drive<T>(steps: Steps<T>, on: Runs): Promise<T> {
  const perform = async ({ sql, values }: SqlStatement) => {
    const { rows, rowCount } = await on.query({ ...prepared(sql), values: [...values] });
    return { rows, changes: rowCount ?? 0 };
  };
  let step = steps.next();
  while (step.done !== true) step = steps.next(await perform(step.value));
  return step.value;
}

/** The records of a relay in Postgres. */
export function createPostgresRecords(
  pool: Pool,
  how: TransactionOptions = { isolation: 'SERIALIZABLE' },
): Records {
  return {
    read: (steps) => drive(steps(), pool),
    write: (steps) => pool.transaction(how, (connection) => drive(steps(), connection)),
    // Vacuum takes what was removed out of the tables, by itself.
    empty: () => undefined,
    async check() {
      await pool.query({ text: 'SELECT 1' });
    },
    close: () => pool.close(),
  };
}
