import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createClient, type Client } from '@reverie/shared/client';
import { createTicket } from '@reverie/shared/contract/keys';
import { seconds } from '@reverie/shared/testing/patience';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { CHROMIUM } from './chromium.ts';

const ROOT = join(import.meta.dirname, '..');
/** Another build may be under test: the bundle of the desktop app. */
const COMMAND = process.env['REVERIE_COMMAND'] ?? join(ROOT, 'daemon/bin/reverie.cjs');

/** Whether this machine has the browser that the journeys are driven with. */
export const hasBrowser = existsSync(CHROMIUM);

/** How long something may take to show up in a page, ms: as long as what is polled. */
const PATIENCE = seconds(55);

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
  /** The same with a daemon that is killed. */
  crash(between: () => Promise<void>): Promise<void>;
  /** The address that signs a browser in as the owner, once. */
  ticketAddress(path?: string): Promise<string>;
  /** Runs the command line on this home, and answers what it prints. */
  reverie(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

/** Settings of a daemon by the names of their variables, such as `REVERIE_WEBHOOKS_RETRY_MIN_MS`. */
export type Settings = Readonly<Record<string, string>>;

/** Starts a daemon with an empty home on a free port, and a browser; `close` ends both and removes the home. */
export async function openWorld(settings: Settings = {}): Promise<World> {
  if (!existsSync(join(ROOT, 'app/web/dist/index.html')))
    throw new Error('The page is not built: run `npm run build --workspace @reverie/app`');
  const home = mkdtempSync(join(tmpdir(), 'reverie-e2e-'));
  const ownSettings = { ...settings, REVERIE_PORT: String(await steadyPort()) };
  let daemon = await startDaemon(home, ownSettings);
  const browser = await theBrowser();
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  return {
    get daemon() {
      return daemon;
    },
    complaints,
    visit: async (options = {}) => {
      // Without motion nothing is half faded in when it is looked at.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE);
      return listenTo(await context.newPage(), complaints);
    },
    restart: async (between) => {
      await daemon.stop();
      await between?.();
      daemon = await startDaemon(home, ownSettings);
    },
    crash: async (between) => {
      await daemon.stop('SIGKILL');
      try {
        await between();
      } finally {
        // Also where a check failed meanwhile: the tests after it need a daemon.
        daemon = await startDaemon(home, ownSettings);
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
      await Promise.all(contexts.map((context) => context.close()));
      await daemon.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

let started: Promise<Browser> | undefined;

/** The browser of this test process, which ends with it: sessions are apart by their contexts. */
async function theBrowser(): Promise<Browser> {
  if (started && !(await started).isConnected()) started = undefined;
  return (started ??= launch());
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

function listenTo(page: Page, complaints: string[]): Page {
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
  });
  return page;
}

async function startDaemon(home: string, settings: Settings): Promise<Daemon> {
  const child = spawn(process.execPath, [COMMAND, 'start'], {
    env: { ...process.env, ...settings, REVERIE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const origin = await readyAt(child, said);
  const key = readFileSync(join(home, 'owner-key'), 'utf8').trim();
  return {
    origin,
    home,
    call: createClient({ origin, key: () => key }),
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
