import { Problem } from '@reverie/shared/contract/problems';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A connection of the pool, within a transaction. */
export interface PoolConnection {
  query<R extends pg.QueryResultRow>(
    statement: pg.QueryConfig | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>>;
  /** A statement and the end of the transaction in one go: what the transaction holds, it holds no longer than it must. Nothing comes after it. */
  end(statement: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** How far a transaction is kept apart from others, in Postgres's terms. */
export type Isolation = 'READ COMMITTED' | 'SERIALIZABLE';

/** `isRepeatable`: run a second time, it answers the same. `isRelaxed`: it need not outlive a power cut. */
export interface TransactionOptions {
  isolation: Isolation;
  isRepeatable?: boolean;
  isRelaxed?: boolean;
}

/** Connections to Postgres, and transactions on them that are tried again where trying again helps. */
export interface Pool {
  /** One statement. It is tried again where Postgres was not there. */
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>;
  /**
   * One transaction, durable when it resolves. Tried again where Postgres asks for it or was not there; where nobody can tell
   * whether it was committed, only if it `isRepeatable`: then it answers the same a second time.
   */
  transaction<T>(how: TransactionOptions, run: (connection: PoolConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface PoolOptions {
  url: string;
  connections: number;
  /** Told of what ends a connection that nobody uses just now. */
  failed(cause: unknown): void;
}

/** Numbers of all kinds are numbers: none here is beyond 2^53. */
const NUMERIC = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const types: pg.CustomTypesConfig = {
  // The binary format is never asked for.
  getTypeParser: (id) => (NUMERIC.has(id) ? Number : (pg.types.getTypeParser(id) as never)),
};

/** How long a statement may take, and a server may be away before who waits is told, ms. */
const LONGEST = 15_000;
const PATIENCE = 4000;

/**
 * The settings of a connection, made once it is open, since a pooler refuses them while it connects. Their limits keep a node that was cut
 * off from holding its rooms for long.
 */
export const ASKED = `SET statement_timeout = ${LONGEST}; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 5000`;
/**
 * The same of a pool. Everything is found by an index, in its order: where the planner thinks that a room has few entries, a bitmap would read
 * all of them for each page. What is looked for does not change how: nothing is planned twice.
 */
const ASKED_OF_POOL = `${ASKED}; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan`;

/** What every connection of a relay is made with. */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types,
    application_name: 'reverie-relay',
    connectionTimeoutMillis: 5000,
    query_timeout: LONGEST,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
  };
}

function codeOf(cause: unknown): string {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Two transactions were in each other's way: serialization, deadlock, lock timeout, and a row that the other was first to insert. */
const COLLISIONS = ['40001', '40P01', '55P03', '23505'];

/** Postgres is not there, or is not the one that writes: stopped, starting, failing over, closed for upkeep (55000: its database takes no connections). */
export function isAway(cause: unknown): boolean {
  const code = codeOf(cause);
  if (/^(08|57P)/.test(code) || ['25006', '53300', '55000'].includes(code)) return true;
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EHOSTUNREACH'].includes(code))
    return true;
  return (
    code === '' &&
    cause instanceof Error &&
    /Connection terminated|timeout|Client has encountered a connection error|not queryable/i.test(
      cause.message,
    )
  );
}

/** Whoever asked is to come again: nothing is wrong with what they asked. */
function away(cause: unknown): Problem {
  return new Problem('unavailable', 'The database of this relay does not answer; try again', {
    headers: { 'Retry-After': '5' },
    cause,
  });
}

function unnamed(statement: pg.QueryConfig | string): pg.QueryConfig | string {
  return typeof statement === 'string' ? statement : { ...statement, name: undefined };
}

/** Whether a pooler stands between: the process id that the server tells is then not the one that was told when the connection began. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as unknown as { processID: number | null }).processID;
}

export function createPool({ url, connections, failed }: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: connections,
    // Statements that need not wait for each other are sent together.
    pipeline: true,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', failed);
  pool.on('connect', (client) => void client.query(ASKED_OF_POOL).catch(failed));
  let knowing: Promise<boolean> | undefined;

  /** Finds out, once, whether a pooler stands between: one that gives each transaction another connection knows no statement by its name. */
  async function sendable(): Promise<(statement: pg.QueryConfig | string) => pg.QueryConfig | string> {
    knowing ??= pool.connect().then(async (client) => {
      try {
        return await isPooled(client);
      } finally {
        client.release();
      }
    });
    try {
      return (await knowing) ? unnamed : (statement) => statement;
    } catch (cause) {
      knowing = undefined;
      throw cause;
    }
  }

  async function again<T>(run: () => Promise<T>, isFinal: (cause: unknown) => boolean): Promise<T> {
    const until = Date.now() + PATIENCE;
    for (let tries = 1; ; tries += 1) {
      try {
        return await run();
      } catch (cause) {
        const isCollision = COLLISIONS.includes(codeOf(cause));
        const mostTries = codeOf(cause) === '23505' ? 3 : 12;
        const helps = isCollision ? tries < mostTries : isAway(cause) && Date.now() < until;
        if (!helps || isFinal(cause)) throw isAway(cause) ? away(cause) : cause;
        // Longer each time and by chance, so that the same two do not meet again.
        await delay(Math.random() * Math.min(500, 4 * 2 ** tries));
      }
    }
  }

  return {
    query: (statement) =>
      again(
        async () => pool.query((await sendable())(statement) as pg.QueryConfig),
        () => false,
      ),
    transaction({ isolation, isRepeatable = false, isRelaxed = false }, run) {
      let isUnknown = false;
      return again(
        async () => {
          isUnknown = false;
          const sent = await sendable();
          const client = await pool.connect();
          let broken: unknown;
          const breaks = (cause: unknown) => (broken = cause);
          client.on('error', breaks);
          let isEnded = false;
          const commit = async () => {
            isEnded = true;
            isUnknown = true;
            // Says `ROLLBACK` where a statement before it failed, which has been told by then.
            await client.query('COMMIT');
          };
          const connection: PoolConnection = {
            query: (statement, values) => client.query(sent(statement), values),
            async end(statement) {
              const asked = client.query(sent(statement));
              const committed = commit();
              committed.catch(() => undefined);
              const answer = await asked;
              await committed;
              return answer;
            },
          };
          try {
            // What comes next is sent with it, and fails with it.
            const begun = client.query(
              // Acknowledged means on disk, whatever the server's own default is.
              `BEGIN ISOLATION LEVEL ${isolation}; SET LOCAL synchronous_commit = ${isRelaxed ? 'off' : 'on'}`,
            );
            begun.catch(() => undefined);
            const value = await run(connection);
            await begun;
            if (!isEnded) await commit();
            return value;
          } catch (cause) {
            // What Postgres refuses by itself is not committed.
            if (!isAway(cause)) isUnknown = false;
            if (isAway(cause)) broken = cause;
            else await client.query('ROLLBACK').catch(breaks);
            throw cause;
          } finally {
            client.off('error', breaks);
            client.release(broken !== undefined);
          }
        },
        () => isUnknown && !isRepeatable,
      );
    },
    close: () => pool.end(),
  };
}
