import fs from 'node:fs';
import type { Server } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '@reverie/shared/contract/loopback';
import { nodeOptions } from '@reverie/shared/http/server';
import { type App, type AppDeps, buildApp } from './app.ts';
import type { Config } from './config/config.ts';
import { createSettings } from './config/settings-file.ts';
import { loadMigrations } from './db/migrations.ts';
import { openStore } from './db/open-store.ts';
import { createModels } from './compose/models/models.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import {
  describeFileError,
  type Home,
  homeAt,
  homeFolder,
  prepareHome,
  Refusal,
} from './platform/home/home.ts';
import { removeLeftovers } from './platform/home/leftovers.ts';
import { announce, takeLock } from './platform/home/lock.ts';
import { createLog, type Log } from './platform/log.ts';
import { createSecrets } from './platform/secrets/secrets.ts';
import { VERSION } from './version.ts';

// Importing them would read every name that they export, `WebSocket` among them, and load all of undici for it.
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

export interface StartOptions {
  env: NodeJS.ProcessEnv;
  /** Settings of the command line, by dotted name. */
  flags: Readonly<Record<string, string>>;
  /** The system's, unless a test hands in its own. */
  clock?: Clock;
  /** In tests alone: what `/mcp` serves in place of memory, to anybody. */
  mcpFixture?: AppDeps['mcpFixture'];
}

export interface Running {
  /** Where it listens, without `/v1`. */
  origin: string;
  log: Log;
  stop(): Promise<void>;
}

/**
 * Starts a daemon on its home: config, lock, store (migrated, or refused), app, listen, `daemon.json`.
 * Throws `Refusal` with what to do where it cannot start.
 */
export async function startDaemon({
  env,
  flags,
  clock = systemClock,
  mcpFixture,
}: StartOptions): Promise<Running> {
  const home = homeAt(homeFolder(env));
  const settings = createSettings({ file: home.config, env, flags });
  const config = settings.read();
  refuseOpenAddress(config);
  const log = createLog(config.log.level);
  const tls = readTls(config);
  prepareHome(home);
  const lock = takeLock(home);
  /** What ends each thing that has begun, in the order in which they began. */
  const undo: (() => void | Promise<void>)[] = [() => lock.release()];
  try {
    tidy(home, log);
    const store = openStore({ file: home.database, migrations: loadMigrations(), now: clock.now });
    undo.push(() => store.close());
    const secrets = createSecrets({ home, log });
    const ollama = { host: env['OLLAMA_HOST'], models: env['OLLAMA_MODELS'] };
    const models = await createModels({ config, store, clock, log, secrets, environment: env });
    undo.push(() => models.agents.end());
    const app = await buildApp({
      config,
      settings,
      home,
      store,
      models,
      ollama,
      // Where coding agents keep their logs follows from their own variables.
      environment: env,
      secrets,
      clock,
      log,
      tls,
      mcpFixture,
    });
    const servers = [app.http.server];
    // Awaited before the store is closed, which it still writes to.
    undo.push(() => cutAfter(STOP_PATIENCE, servers, app.stop));
    const second = await listen(app, config, { log, tls });
    const closeSecond = () => second && new Promise<void>((resolve) => void second.close(() => resolve()));
    if (second) {
      servers.push(second);
      undo.push(() => void closeSecond());
    }
    const { port } = app.http.server.address() as AddressInfo;
    const scheme = tls ? 'https' : 'http';
    const names = new Set([
      config.host.includes(':') ? `[${config.host}]` : config.host,
      'localhost',
      '127.0.0.1',
      '[::1]',
    ]);
    // Browsers leave out the port of their scheme.
    const isUsual = port === (tls ? 443 : 80);
    const hosts = [...names].flatMap((name) => [`${name}:${port}`, ...(isUsual ? [name] : [])]);
    app.listensAt(hosts.map((host) => ({ scheme, host })));
    const [name] = names;
    const origin = `${scheme}://${name}:${port}`;
    const stopAnnouncing = announce(
      home,
      {
        pid: process.pid,
        origin,
        nonce: app.nonce,
        known: app.knownProof(),
        started_at: new Date().toISOString(),
        version: VERSION,
      },
      { clock, log },
    );
    undo.push(stopAnnouncing);
    app.startBackground();
    log.info({ origin, home: home.folder, ms: Math.round(performance.now()) }, 'ready');
    return {
      origin,
      log,
      async stop() {
        const closed = closeSecond();
        await cutAfter(STOP_PATIENCE, servers, async () => {
          await app.stop();
          await closed;
        });
        store.checkpoint();
        const left = store.emptying.state();
        // On a full disk, say: the write-ahead log stays, and the next start reads it.
        if (left.kind === 'waiting')
          log.warn({ err: left.cause }, 'the write-ahead log could not be emptied');
        store.close();
        // A backup that was under way is not finished any more.
        tidy(home, log);
        stopAnnouncing();
        fs.rmSync(home.daemon, { force: true });
        lock.release();
      },
    };
  } catch (cause) {
    for (const step of undo.reverse())
      try {
        await step();
      } catch (err) {
        log.warn({ err }, 'a start that failed could not be undone as a whole');
      }
    throw explain(cause, config, home.folder);
  }
}

/** Takes away what an end in the midst of something left in the home: a draft of a backup holds what was deleted since. */
function tidy(home: Home, log: Log): void {
  try {
    const gone = removeLeftovers(home);
    if (gone.length > 0) log.info({ files: gone.map(({ file }) => file) }, 'leftovers were removed');
  } catch (err) {
    log.warn({ err }, 'leftovers could not be removed; `reverie doctor` names them');
  }
}

/** How long requests in flight may take once a stop was asked for, in ms: what is left of 5 s is for the disk. */
const STOP_PATIENCE = 3500;

/** Runs a stop, and cuts what connections are still open after a while: a client may hold one for ever. */
async function cutAfter(ms: number, servers: readonly Server[], stop: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, ms);
  try {
    await stop();
  } finally {
    clearTimeout(timer);
  }
}

function explain(cause: unknown, config: Config, folder: string): unknown {
  const { code } = cause as { code?: unknown };
  if (code === 'EADDRINUSE')
    return new Refusal(
      `The port ${config.port} is in use by another program. Stop that one, or choose another port with \`--port\` or REVERIE_PORT (0 picks a free one).`,
      cause,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Refusal(
      `This machine has no address ${config.host}. Set REVERIE_HOST to one that it has.`,
      cause,
    );
  if (code === 'EACCES' && (cause as { syscall?: unknown }).syscall === 'listen')
    return new Refusal(
      `This user may not listen on port ${config.port}. Choose one above 1023 with REVERIE_PORT.`,
      cause,
    );
  if (String(code).startsWith('ERR_OSSL'))
    return new Refusal(
      `The files of tls.cert and tls.key are not a certificate and its key in PEM: ${(cause as Error).message}`,
      cause,
    );
  if (['EACCES', 'EROFS', 'EPERM', 'ENOSPC', 'EDQUOT'].includes(String(code)))
    return new Refusal(`${describeFileError(cause, folder)}.`, cause);
  return cause;
}

function refuseOpenAddress(config: Config): void {
  if (isLoopback(config.host) || config.tls || config.allow_remote) return;
  throw new Refusal(
    `The address ${config.host} is reachable from other machines, and plain http would show them keys and memories. Set tls.cert and tls.key, or insist with REVERIE_ALLOW_REMOTE=true.`,
  );
}

function readTls(config: Config): { cert: string; key: string } | undefined {
  if (!config.tls) return undefined;
  const read = (name: 'cert' | 'key', file: string) => {
    try {
      return fs.readFileSync(file, 'utf8');
    } catch (cause) {
      throw new Refusal(
        `The setting tls.${name} names ${file}, which cannot be read: ${(cause as Error).message}`,
        cause,
      );
    }
  };
  return { cert: read('cert', config.tls.cert), key: read('key', config.tls.key) };
}

/**
 * Listens on the address, and with 127.0.0.1 on ::1 too, since `localhost` may mean either. By that name fastify would
 * make the second server itself, and nothing of `shedFirst` would be true of it.
 */
async function listen(
  app: App,
  config: Config,
  { log, tls }: { log: Log; tls: { cert: string; key: string } | undefined },
): Promise<Server | undefined> {
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
  await app.http.listen({ host, port: config.port });
  if (host !== '127.0.0.1') return undefined;
  const { port } = app.http.server.address() as AddressInfo;
  const second = tls ? https.createServer({ ...nodeOptions, ...tls }) : http.createServer(nodeOptions);
  second.on('request', (...asked: unknown[]) => void app.http.server.emit('request', ...asked));
  second.on('checkExpectation', (...asked: unknown[]) => void app.http.server.emit('request', ...asked));
  second.on('clientError', (...failed: unknown[]) => void app.http.server.emit('clientError', ...failed));
  second.on('upgrade', (...upgrade: unknown[]) => void app.http.server.emit('upgrade', ...upgrade));
  // What gets another protocol is decided by the first one, see `shedFirst`.
  const { shouldUpgradeCallback } = app.http.server as { shouldUpgradeCallback?: unknown };
  Object.assign(second, { shouldUpgradeCallback });
  return new Promise((resolve) => {
    second.once('error', (err) => {
      // No IPv6 on this machine, or the port is another's there: 127.0.0.1 serves.
      log.warn({ err }, 'not listening on ::1');
      resolve(undefined);
    });
    second.listen({ host: '::1', port, ipv6Only: true }, () => resolve(second));
  });
}
