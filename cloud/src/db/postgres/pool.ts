import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A connection of the pool, within a transaction. */
export interface Connection extends Pick<pg.PoolClient, 'query'> {
  /** A statement and the end of the transaction in one go: what the transaction holds, it holds no longer than it must. Nothing comes after it. */
  end(statement: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** How a transaction stands to others. */
export type Isolation = 'READ COMMITTED' | 'SERIALIZABLE';

/** `isRelaxed`: it need not outlive a power cut. */
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
  transaction<T>(how: TransactionOptions, run: (connection: Connection) => Promise<T>): Promise<T>;
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

/** What every connection of a relay is made with. A node that is cut off must not hold its rooms for long. */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types,
    application_name: 'reverie-relay',
    connectionTimeoutMillis: 5000,
    query_timeout: LONGEST,
    statement_timeout: LONGEST,
    lock_timeout: 5000,
    idle_in_transaction_session_timeout: 5000,
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

/** Postgres is not there, or is not the one that writes: stopped, starting, failing over. */
export function isAway(cause: unknown): boolean {
  const code = codeOf(cause);
  if (/^(08|57P)/.test(code) || code === '25006' || code === '53300') return true;
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

export function createPool({ url, connections, failed }: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: connections,
    // Statements that need not wait for each other are sent together.
    pipeline: true,
    idleTimeoutMillis: 30_000,
    // Acknowledged means on disk, whatever the server's own default is. Everything is found by an index, in its order: where the planner thinks
    // that a room has few entries, a bitmap would read all of them for each page. What is looked for does not change how: nothing is planned twice.
    options: '-c synchronous_commit=on -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan',
  });
  pool.on('error', failed);

  async function again<T>(run: () => Promise<T>, isFinal: (cause: unknown) => boolean): Promise<T> {
    const until = Date.now() + PATIENCE;
    for (let tries = 1; ; tries += 1) {
      try {
        return await run();
      } catch (cause) {
        const isCollision = COLLISIONS.includes(codeOf(cause));
        const mostTries = codeOf(cause) === '23505' ? 3 : 12;
        const helps = isCollision ? tries < mostTries : isAway(cause) && Date.now() < until;
        if (!helps || isFinal(cause)) throw cause;
        // Longer each time and by chance, so that the same two do not meet again.
        await delay(Math.random() * Math.min(isCollision ? 50 : 500, 4 * 2 ** tries));
      }
    }
  }

  return {
    query: (statement) =>
      again(
        () => pool.query(statement),
        () => false,
      ),
    transaction({ isolation, isRepeatable = false, isRelaxed = false }, run) {
      let isUnknown = false;
      return again(
        async () => {
          isUnknown = false;
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
          const connection: Connection = {
            query: client.query.bind(client),
            async end(statement) {
              const sent = client.query(statement);
              const committed = commit();
              committed.catch(() => undefined);
              const answer = await sent;
              await committed;
              return answer;
            },
          };
          try {
            // What comes next is sent with it, and fails with it.
            const begun = client.query(
              `BEGIN ISOLATION LEVEL ${isolation}${isRelaxed ? '; SET LOCAL synchronous_commit = off' : ''}`,
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
