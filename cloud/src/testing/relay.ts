import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { pino } from 'pino';
import { readConfig } from '../config.ts';
import { type Database, openDatabase } from '../db/open-database.ts';
import { createSqliteStorage } from '../db/sqlite-storage.ts';
import { openPostgres } from '../db/postgres/postgres-storage.ts';
import { all, type Records } from '../db/records.ts';
import { buildRelay } from '../relay.ts';
import type { UpdateLog } from '../update-log/update-log.ts';
import { startBalancer } from './balancer.ts';
import { databaseOf } from './home-database.ts';
import { temporaryHome } from './process.ts';

/** A relay (with `REVERIE_TEST_RELAY=two-nodes` two nodes of one) in this process, on a free port, with a clock that the test moves. */
export interface TestRelay {
  origin: string;
  home: string;
  clock: FakeClock;
  /** Of a relay on SQLite; throws where it has Postgres. */
  readonly db: Database;
  updates: UpdateLog;
  records: Records;
  /** What stands in its database. */
  rows<R>(sql: string): Promise<R[]>;
  /** Has a table take nothing more, and take it again. */
  fill(table: string): Promise<void>;
  unfill(table: string): Promise<void>;
  /** The links in the mails that wait, in no order. */
  links(): string[];
  stop(): Promise<void>;
}

/** The Postgres that relays of tests stand on where a test names none; a file of tests sets `url` for all of its relays. */
export const onPostgres = { url: async (): Promise<string | undefined> => undefined };

const FULL = {
  sqlite: (table: string) =>
    `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`,
  postgres: (table: string) => `ALTER TABLE ${table} ADD CONSTRAINT full_${table} CHECK (false) NOT VALID`,
};
const NOT_FULL = {
  sqlite: (table: string) => `DROP TRIGGER full_${table}`,
  postgres: (table: string) => `ALTER TABLE ${table} DROP CONSTRAINT full_${table}`,
};

/** The links in the mails that wait in the home of a relay, in no order. */
export function mailedLinks(home: string): string[] {
  const outbox = path.join(home, 'outbox');
  return (fs.existsSync(outbox) ? fs.readdirSync(outbox) : [])
    .map((name) => fs.readFileSync(path.join(outbox, name), 'utf8'))
    .map((text) => /^http:\S+token=\S+$/m.exec(text)?.[0] ?? '');
}

/** Another database for each relay where all relays of a run are two nodes: `two-nodes-setup.ts`. */
async function ownDatabase(home: string): Promise<string | undefined> {
  const server = process.env['REVERIE_TEST_POSTGRES'];
  return server === undefined ? undefined : databaseOf(server, home);
}

export async function startRelay(
  env: Record<string, string> = {},
  wrap: (log: UpdateLog) => UpdateLog = (log) => log,
): Promise<TestRelay> {
  const { home, remove } = temporaryHome();
  const shared = await ownDatabase(home);
  const url = env['RELAY_DATABASE_URL'] ?? (await onPostgres.url()) ?? shared;
  const balancer = shared === undefined ? undefined : await startBalancer();
  const config = readConfig({
    RELAY_HOME: home,
    RELAY_LOG_LEVEL: 'silent',
    RELAY_POLL_MS: '200',
    ...(url !== undefined && { RELAY_DATABASE_URL: url }),
    ...(balancer && { RELAY_PUBLIC_URL: balancer.origin }),
    ...env,
  });
  const clock = createFakeClock();
  const log = pino({ level: 'silent' });
  let db: Database | undefined;

  async function startNode() {
    const given =
      url === undefined
        ? createSqliteStorage((db = openDatabase(path.join(home, 'relay.db'), path.join(home, 'relay.mark'))))
        : await openPostgres(
            {
              url,
              connections: 6,
              pollMs: config.RELAY_POLL_MS,
              sessionUrl: config.RELAY_DATABASE_SESSION_URL ?? url,
            },
            log,
          );
    const storage = { ...given, updates: wrap(given.updates) };
    const relay = await buildRelay({ config, storage, clock, log, leave: () => undefined });
    await relay.http.listen({ host: '127.0.0.1', port: 0 });
    const origin = `http://127.0.0.1:${(relay.http.server.address() as AddressInfo).port}`;
    relay.listensAt(origin);
    await relay.startBackground();
    return { origin, storage, stop: () => relay.stop().then(() => storage.close()) };
  }

  const first = await startNode();
  const nodes = balancer ? [first, await startNode()] : [first];
  balancer?.nodes(nodes.map(({ origin }) => origin));
  const kind = url === undefined ? 'sqlite' : 'postgres';
  const rows = <R>(sql: string) => first.storage.records.read(() => all<R>(sql));
  return {
    origin: balancer?.origin ?? first.origin,
    home,
    clock,
    get db() {
      if (!db) throw new Error('This relay has no SQLite file');
      return db;
    },
    updates: first.storage.updates,
    records: first.storage.records,
    rows,
    async fill(table) {
      await rows(FULL[kind](table));
    },
    async unfill(table) {
      await rows(NOT_FULL[kind](table));
    },
    links: () => mailedLinks(home),
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      await balancer?.stop();
      remove();
    },
  };
}
