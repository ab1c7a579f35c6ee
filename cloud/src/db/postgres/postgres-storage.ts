import type { Logger } from 'pino';
import { createGathered } from '../../peers/hints.ts';
import { sayAll } from '../../peers/peers.store.ts';
import { createPostgresPeers } from '../../peers/postgres-peers.ts';
import type { Beside, Storage } from '../../storage.ts';
import { createPostgresLog } from '../../update-log/postgres-log.store.ts';
import { Refusal } from '../refusal.ts';
import { migrate, renameLog, standingBeside, standingOf } from './migrate.ts';
import { type Migration, migrations } from './migrations.ts';
import { createPool, type Pool } from './pool.ts';
import { createPostgresRecords } from './postgres-records.ts';

export interface PostgresSettings {
  url: string;
  /** An address of Postgres itself, where a pooler stands at the other one. */
  sessionUrl: string;
  connections: number;
  pollMs: number;
}

/** Postgres as all that a relay stands on, which it may share with other nodes. */
export async function openPostgres(
  { url, sessionUrl, connections, pollMs }: PostgresSettings,
  log: Logger,
  known: readonly Migration[] = migrations,
): Promise<Storage> {
  const pool = createPool({
    url,
    connections,
    failed: (err) => log.debug({ err }, 'a connection to the database ended'),
  });
  // What other nodes did is looked at on connections of its own: behind a thousand devices that come at once, it would seem out of reach.
  const own = createPool({
    url,
    connections: 2,
    failed: (err) => log.debug({ err }, 'a connection to the database ended'),
  });
  try {
    let { logId } = await migrate(pool, known);
    const peers = createPostgresPeers({
      sessionUrl,
      log,
      pollMs,
      records: createPostgresRecords(own, {
        isolation: 'READ COMMITTED',
        isRelaxed: true,
        isRepeatable: true,
      }),
      version: known.length,
      logId: { get: () => logId, set: (name) => (logId = name) },
      standing: () => standingOf(pool),
    });
    return {
      records: createPostgresRecords(pool),
      updates: createPostgresLog(pool, () => logId),
      peers,
      startBackground: () => () => undefined,
      databaseBytes: () => databaseBytes(pool),
      async close() {
        await Promise.all([pool.close(), own.close()]);
      },
    };
  } catch (cause) {
    await Promise.all([pool.close(), own.close()]);
    throw cause;
  }
}

async function databaseBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query({ text: 'SELECT pg_database_size(current_database()) AS bytes' });
  return (rows[0] as { bytes: number }).bytes;
}

/** Opens Postgres beside the nodes that may be running on it. Throws `Refusal` where it is of another version. */
export async function openPostgresBeside(url: string): Promise<Beside> {
  const pool = createPool({ url, connections: 2, failed: () => undefined });
  const records = createPostgresRecords(pool);
  try {
    const { steps } = await standingBeside(pool);
    if (steps !== migrations.length)
      throw new Refusal(
        steps < migrations.length
          ? 'The database is of an older relay; start this version once, which brings it forward.'
          : 'The database was brought forward by a newer relay; use that version.',
      );
  } catch (cause) {
    await pool.close();
    throw cause;
  }
  return {
    records,
    updates: createPostgresLog(pool, () => ''),
    databaseBytes: () => databaseBytes(pool),
    async tell(news) {
      const gathered = createGathered();
      gathered.add(news);
      await records.write(() => sayAll(gathered.take('command')));
    },
    close: () => pool.close(),
  };
}

/** Gives the log of a database another name, after it was restored in a way that it cannot tell by itself. */
export async function renewLog(url: string): Promise<string> {
  const pool = createPool({ url, connections: 1, failed: () => undefined });
  try {
    await migrate(pool);
    return await renameLog(pool);
  } finally {
    await pool.close();
  }
}
