import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/** Whom the Postgres of a test runs as where a test is run by root. */
const NOBODY = 65_534;

/** The name of the database that stands in the place of a home's `relay.db`. */
const nameOf = (home: string) => `home_${createHash('sha256').update(home).digest('hex').slice(0, 20)}`;

async function on<T>(
  server: string,
  run: (ask: (sql: string) => Promise<unknown[]>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await run(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
  } finally {
    await client.end();
  }
}

/** The address of a home's database, which is made where there is none. A home that is a disk of its own holds it. */
export function databaseOf(server: string, home: string): Promise<string> {
  const name = nameOf(home);
  return on(server, async (ask) => {
    const found = await ask(`SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    if (found.length === 0) await ask(`CREATE DATABASE ${name}${await placeIn(home, { name, ask })}`);
    return Object.assign(new URL(server), { pathname: `/${name}` }).href;
  });
}

async function placeIn(
  home: string,
  { name, ask }: { name: string; ask: (sql: string) => Promise<unknown[]> },
): Promise<string> {
  if (!fs.existsSync(home) || fs.statSync(home).dev === fs.statSync(path.dirname(home)).dev) return '';
  const folder = path.join(home, 'tables');
  fs.mkdirSync(folder);
  // Who else may mount a disk.
  fs.chownSync(folder, NOBODY, NOBODY);
  for (const above of [home, path.dirname(home)]) fs.chmodSync(above, 0o755);
  await ask(`CREATE TABLESPACE ${name} LOCATION '${folder}'`);
  return ` TABLESPACE ${name}`;
}

/**
 * Copies a home's database, which cuts off the nodes' connections for a moment; `putBack` puts the copy in its place, while no node runs.
 */
export async function copyDatabase(server: string, home: string): Promise<{ putBack(): Promise<void> }> {
  const name = nameOf(home);
  await on(server, async (ask) => {
    await ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await ask(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`);
    await ask(`CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
    await ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  });
  return {
    putBack: () =>
      on(server, async (ask) => {
        await ask(`DROP DATABASE ${name} WITH (FORCE)`);
        await ask(`ALTER DATABASE ${name}_copy RENAME TO ${name}`);
      }),
  };
}

/** Removes what a home has, but for a copy of it. */
export async function emptyDatabase(server: string, home: string): Promise<void> {
  await on(server, (ask) => ask(`DROP DATABASE IF EXISTS ${nameOf(home)} WITH (FORCE)`));
}

/** Removes what a home had. Its disk may be gone by then. */
export async function dropDatabase(server: string, home: string): Promise<void> {
  const name = nameOf(home);
  await on(server, async (ask) => {
    await ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await ask(`DROP DATABASE IF EXISTS ${name}_copy WITH (FORCE)`);
  });
}
