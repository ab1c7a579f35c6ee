import { randomUUID } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import { type Migration, migrations } from './migrations.ts';
import type { PoolConnection, Pool } from './pool.ts';

/** Two nodes that start at once go one after the other. */
const LOCK = 'SELECT pg_advisory_xact_lock(7347, 1)';

/** How a database stands: the steps that it has had, how many of them a relay has to know, and the name of its log. */
export interface Standing {
  steps: number;
  needs: number;
  logId: string;
}

/**
 * Brings a database to this relay's version, and gives its log a new name where it may not be the database that it was. Throws `Refusal`
 * where a newer relay has changed it beyond what this one knows.
 */
export function migrate(pool: Pool, known: readonly Migration[] = migrations): Promise<Standing> {
  return pool.transaction({ isolation: 'READ COMMITTED', isRepeatable: true }, async (connection) => {
    await connection.query(LOCK);
    const { rows } = await connection.query<{ there: string | null }>("SELECT to_regclass('meta') AS there");
    const read = metaOf(connection);
    const steps = rows[0]?.there == null ? 0 : Number(await read('steps'));
    const needs = steps === 0 ? 0 : Number(await read('needs'));
    if (needs > known.length)
      throw new Refusal(
        'The database was brought forward by a newer relay; start that one. Nothing was changed.',
      );
    for (const { sql } of known.slice(steps)) await connection.query(sql);
    const reached = Math.max(steps, known.length);
    const needed = Math.max(needs, ...known.slice(steps).map((step) => step.needs));
    await save(connection, 'steps', String(reached));
    await save(connection, 'needs', String(needed));
    return { steps: reached, needs: needed, logId: await nameLog(connection) };
  });
}

/** How a database stands now; its log gets a new name where it may not be the database that it was. */
export function standingOf(pool: Pool): Promise<Standing> {
  return pool.transaction({ isolation: 'READ COMMITTED', isRepeatable: true }, async (connection) => {
    await connection.query(LOCK);
    const read = metaOf(connection);
    const [steps, needs] = [Number(await read('steps')), Number(await read('needs'))];
    return { steps, needs, logId: await nameLog(connection) };
  });
}

/** How a database stands, without a change to it; no steps where it is none of a relay. */
export async function standingBeside(pool: Pool): Promise<Pick<Standing, 'steps'>> {
  const there = await pool.query({ text: "SELECT to_regclass('meta') AS there" });
  if ((there.rows[0] as { there: string | null }).there === null) return { steps: 0 };
  const { rows } = await pool.query({ text: "SELECT value FROM meta WHERE name = 'steps'" });
  return { steps: Number((rows[0] as { value: string } | undefined)?.value ?? 0) };
}

/** Gives the log a new name: devices read it from the start, and send what it does not have. */
export function renameLog(pool: Pool): Promise<string> {
  return pool.transaction({ isolation: 'READ COMMITTED', isRepeatable: true }, async (connection) => {
    await connection.query(LOCK);
    await save(connection, 'database', '');
    return nameLog(connection);
  });
}

function metaOf(connection: PoolConnection) {
  return async (name: string): Promise<string | undefined> => {
    const { rows } = await connection.query<{ value: string }>('SELECT value FROM meta WHERE name = $1', [
      name,
    ]);
    return rows[0]?.value;
  };
}

async function save(connection: PoolConnection, name: string, value: string): Promise<void> {
  await connection.query(
    `INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
     WHERE meta.value <> excluded.value`,
    [name, value],
  );
}

/**
 * The name of the log. A cluster has a number, each restore to a point in time and each promotion of a copy begins another timeline, and a
 * dump that is restored makes its tables anew: where any of these is not what it was, the log may be another one, and gets a new name.
 */
async function nameLog(connection: PoolConnection): Promise<string> {
  const { rows } = await connection.query<{ database: string }>(
    `SELECT (SELECT system_identifier FROM pg_control_system())::text
         || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
         || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
         || '/' || 'log_rooms'::regclass::oid AS database`,
  );
  const database = rows[0]?.database ?? '';
  const read = metaOf(connection);
  const known = await read('log');
  if (known !== undefined && (await read('database')) === database) return known;
  const name = `log_${randomUUID()}`;
  await save(connection, 'log', name);
  await save(connection, 'database', database);
  return name;
}
