import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { Problem } from '@reverie/shared/contract/problems';
import { systemClock } from '@reverie/shared/time/clock';
import { type Config, readConfig } from './config.ts';
import { takeLock } from './db/lock.ts';
import { openDatabase } from './db/open-database.ts';
import { Refusal } from './db/refusal.ts';
import { createSqliteStorage } from './db/sqlite-storage.ts';
import { buildRelay } from './relay.ts';
import type { Storage } from './storage.ts';

const LONGEST_STOP = 10_000;
/** What SQLite and the system say where a disk takes nothing more. */
const NO_ROOM = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'];

function openHome(config: Config) {
  try {
    fs.mkdirSync(config.RELAY_HOME, { recursive: true, mode: 0o700 });
    takeLock(path.join(config.RELAY_HOME, 'relay.lock'));
    return openDatabase(path.join(config.RELAY_HOME, 'relay.db'), path.join(config.RELAY_HOME, 'relay.mark'));
  } catch (cause) {
    if (!NO_ROOM.includes(String((cause as { code?: unknown }).code))) throw cause;
    throw new Refusal(
      `The disk of ${config.RELAY_HOME} is full. Free some space and start again; what was acknowledged is safe.`,
    );
  }
}

async function openStorage(config: Config, log: Logger): Promise<Storage> {
  const { RELAY_DATABASE_URL: url } = config;
  if (url === undefined) return createSqliteStorage(openHome(config));
  fs.mkdirSync(config.RELAY_HOME, { recursive: true, mode: 0o700 });
  // Only where it is used: who has SQLite loads nothing of it.
  const { openPostgres } = await import('./db/postgres/postgres-storage.ts');
  const { RELAY_DATABASE_SESSION_URL: sessionUrl = url, RELAY_DATABASE_CONNECTIONS: connections } = config;
  try {
    return await openPostgres({ url, sessionUrl, connections, pollMs: config.RELAY_POLL_MS }, log);
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause;
    throw new Refusal(`Postgres does not answer: ${(cause.cause as Error).message}`);
  }
}

async function run(config: Config): Promise<void> {
  const log = pino(
    { level: config.RELAY_LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  const storage = await openStorage(config, log);
  const relay = await buildRelay({
    config,
    storage,
    clock: systemClock,
    log,
    leave(why) {
      log.error({ why }, 'this node has to start anew');
      stop('leave');
    },
  });
  await relay.http.listen({ host: config.RELAY_HOST, port: config.RELAY_PORT }).catch((cause: unknown) => {
    if ((cause as { code?: unknown }).code !== 'EADDRINUSE') throw cause;
    throw new Refusal(
      `The port ${config.RELAY_PORT} is in use by another program. Stop that one, or choose another port with RELAY_PORT (0 picks a free one).`,
    );
  });
  const { port } = relay.http.server.address() as AddressInfo;
  const host = config.RELAY_HOST.includes(':') ? `[${config.RELAY_HOST}]` : config.RELAY_HOST;
  const origin = `http://${host}:${port}`;
  relay.listensAt(origin);
  await relay.startBackground();

  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('what was in flight did not end in time');
      process.exit(1);
    }, LONGEST_STOP + config.RELAY_DRAIN_MS).unref();
    relay
      .stop()
      .then(() => storage.close())
      .then(() => {
        process.exit(0);
      })
      .catch((err: unknown) => {
        log.fatal({ err }, 'the stop failed');
        process.exit(1);
      });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(`Reverie relay is ready at ${origin}\n`);
}

async function renew({ RELAY_DATABASE_URL: url }: Config): Promise<void> {
  if (url === undefined)
    throw new Refusal('This is for Postgres: set RELAY_DATABASE_URL. SQLite is told apart by `relay.mark`.');
  const { renewLog } = await import('./db/postgres/postgres-storage.ts');
  process.stdout.write(`The log is called ${await renewLog(url)} now; devices read it from the start.\n`);
}

/** `backup FILE` while the relay runs or not; without a command the relay itself. */
async function main(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  const [command, file] = args;
  if (command === undefined) return run(config);
  if (command === 'admin') {
    const { admin } = await import('./admin/admin.ts');
    process.stdout.write(`${await admin(config, args.slice(1))}\n`);
    return;
  }
  if (command === 'renew-log' && args.length === 1) return renew(config);
  if (command !== 'backup' || file === undefined || args.length > 2)
    throw new Refusal(
      'Commands: none, to run the relay; `backup FILE`, to copy its database; `renew-log`, after a Postgres was restored from a snapshot of its disk; `admin`, to see and change accounts (`admin` alone says how).',
    );
  if (config.RELAY_DATABASE_URL !== undefined)
    throw new Refusal(
      'This relay has Postgres: make its backups with `pg_dump`, or archive its write-ahead log.',
    );
  if (fs.existsSync(file)) throw new Refusal(`There is something at ${file} already.`);
  const { backupDatabase } = await import('./db/backup-database.ts');
  await backupDatabase(path.join(config.RELAY_HOME, 'relay.db'), file);
  process.stdout.write(`The backup is in ${file}.\n`);
}

main(process.argv.slice(2)).catch((cause: unknown) => {
  process.stderr.write(
    cause instanceof Refusal ? `${cause.message}\n` : `${String((cause as Error).stack)}\n`,
  );
  process.exit(1);
});
