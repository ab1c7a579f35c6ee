import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createClient, type Client } from '@reverie/shared/client';
import { createTicket } from '@reverie/shared/contract/accounts/keys';
import { DIAGRAMS_AT } from '@reverie/shared/http/page-policy';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Running as RunningDaemon, startDaemon } from '../daemon/src/main.ts';
import { freshDatabase } from '../daemon/src/testing.ts';
import { homeAt } from '../daemon/src/platform/home/home.ts';
import { openVisits } from './browser.ts';

const ROOT = join(import.meta.dirname, '..');
/** Another build may be under test: the bundle of the desktop app. */
const COMMAND = process.env['REVERIE_COMMAND'] ?? join(ROOT, 'daemon/bin/reverie.cjs');

/** A running daemon of its own home. */
export interface Daemon {
  origin: string;
  home: string;
  /** Calls with the owner key. */
  call: Client;
  /** Ends the process, politely where nothing else is said; the home stays. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface World {
  daemon: Daemon;
  /** A fresh browser session; what went wrong in it is in `complaints`. */
  visit(options?: BrowserContextOptions): Promise<Page>;
  /** Script errors and CSP violations of every page so far. */
  complaints: string[];
  /** Stops the daemon and starts another on the same home and port; `between` runs while there is none. */
  restart(between?: () => Promise<void>): Promise<void>;
  /** The same with a daemon that is killed; it has to be a process of its own. */
  crash(between: () => Promise<void>): Promise<void>;
  /** The address that signs a browser in as the owner, once. */
  ticketAddress(path?: string): Promise<string>;
  /** Runs the command line on this home, and answers what it prints. */
  reverie(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

/** Settings of a daemon by the names of their variables, such as `REVERIE_WEBHOOKS_RETRY_MIN_MS`. */
export type Settings = Readonly<Record<string, string>>;

/** How a daemon is run: in this process, which takes a fraction of the time, or in one of its own, which can be killed. */
export type Running = 'in-process' | 'own-process';

/** Starts a daemon with an empty home on a free port, and a browser; `close` ends both and removes the home. */
export async function openWorld(settings: Settings = {}, running: Running = 'in-process'): Promise<World> {
  if (!existsSync(join(ROOT, 'app/web/dist/index.html')))
    throw new Error('The page is not built: run `npm run build --workspace @reverie/app`');
  const home = mkdtempSync(join(tmpdir(), 'reverie-e2e-'));
  const ownSettings = { ...settings, REVERIE_PORT: String(await steadyPort()) };
  const start = () => (running === 'in-process' ? startHere : spawnDaemon)(home, ownSettings);
  let daemon = await start();
  const complaints: string[] = [];
  const visits = openVisits((page) => listenTo(page, complaints));
  return {
    get daemon() {
      return daemon;
    },
    complaints,
    visit: visits.visit,
    restart: async (between) => {
      await daemon.stop();
      await between?.();
      daemon = await start();
    },
    crash: async (between) => {
      await daemon.stop('SIGKILL');
      try {
        await between();
      } finally {
        // Also where a check failed meanwhile: the tests after it need a daemon.
        daemon = await start();
      }
    },
    ticketAddress: async (path = '/') => {
      const { ticket } = await daemon.call(createTicket, {});
      return `${daemon.origin}${path}#ticket=${encodeURIComponent(ticket)}`;
    },
    reverie: async (...args) => {
      const env = { ...process.env, REVERIE_HOME: home };
      const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
      return stdout.trim();
    },
    close: async () => {
      await visits.close();
      await daemon.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function listenTo(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    // What a diagram wants to run or load is refused in the frame that draws it: the frame is there for that.
    if (message.location().url.endsWith(DIAGRAMS_AT)) return;
    if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
  });
}

/** A client with the owner key of a home. */
function ownerOf(origin: string, home: string): Client {
  const key = readFileSync(join(home, 'owner-key'), 'utf8').trim();
  return createClient({ origin, key: () => key });
}

/** Starts a daemon in this process on a home, which gets a database where it has none. */
export async function startInProcess(home: string, settings: Settings = {}): Promise<RunningDaemon> {
  const { database } = homeAt(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (!existsSync(database)) writeFileSync(database, freshDatabase(), { mode: 0o600 });
  const env = { REVERIE_LOG_LEVEL: 'silent', ...process.env, ...settings, REVERIE_HOME: home };
  return startDaemon({ env, flags: {} });
}

async function startHere(home: string, settings: Settings): Promise<Daemon> {
  const running = await startInProcess(home, settings);
  let isStopped = false;
  return {
    origin: running.origin,
    home,
    call: ownerOf(running.origin, home),
    stop: async (signal = 'SIGTERM') => {
      if (signal === 'SIGKILL')
        throw new Error('A daemon of this process cannot be killed: open its world as "own-process"');
      if (isStopped) return;
      isStopped = true;
      await running.stop();
    },
  };
}

async function spawnDaemon(home: string, settings: Settings): Promise<Daemon> {
  const child = spawn(process.execPath, [COMMAND, 'start'], {
    env: { ...process.env, ...settings, REVERIE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const origin = await readyAt(child, said);
  return {
    origin,
    home,
    call: ownerOf(origin, home),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

async function readyAt(child: ChildProcess, said: readonly string[]): Promise<string> {
  if (!child.stdout) throw new Error('The daemon has no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, origin] = /^Reverie is ready at (http\S+)/.exec(line) ?? [];
    if (origin === undefined) continue;
    // Whoever stops reading would block a daemon that goes on writing.
    child.stdout.resume();
    return origin;
  }
  throw new Error(`The daemon ended before it was ready:\n${said.join('')}`);
}
