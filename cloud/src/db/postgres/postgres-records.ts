import type { Records, Statement, Steps } from '../records.ts';
import type { Pool, TransactionOptions } from './pool.ts';

const texts = new Map<string, string>();

/** The SQL of a statement with `$1`, `$2`, … in the places of its values. */
function numbered(sql: string): string {
  let text = texts.get(sql);
  if (text === undefined) {
    let n = 0;
    text = sql.replaceAll('?', () => `$${(n += 1)}`);
    texts.set(sql, text);
  }
  return text;
}

interface Runs {
  query(statement: {
    text: string;
    values: unknown[];
  }): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

async function drive<T>(steps: Steps<T>, on: Runs): Promise<T> {
  const perform = async ({ sql, values }: Statement) => {
    const { rows, rowCount } = await on.query({ text: numbered(sql), values: [...values] });
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
