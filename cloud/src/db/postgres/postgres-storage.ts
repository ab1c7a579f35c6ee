import type { Logger } from 'pino';
import { createPostgresPeers } from '../../peers/postgres-peers.ts';
import type { Storage } from '../../storage.ts';
import { createPostgresLog } from '../../update-log/postgres-log.store.ts';
import { migrate, renameLog, standingOf } from './migrate.ts';
import { type Migration, migrations } from './migrations.ts';
import { createPool } from './pool.ts';
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
      async close() {
        await Promise.all([pool.close(), own.close()]);
      },
    };
  } catch (cause) {
    await Promise.all([pool.close(), own.close()]);
    throw cause;
  }
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
