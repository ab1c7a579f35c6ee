import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createClient, type Client } from '@reverie/shared/client';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { spawnRelay, type RelayProcess } from '../../cloud/src/testing/process.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../../daemon/src/testing.ts';
import { type Home, homeAt } from '../../daemon/src/platform/home/home.ts';

/** A daemon of its own home that is attacked; it may be killed and comes again, at another port. */
export interface AttackedDaemon {
  readonly home: Home;
  readonly origin: string;
  readonly pid: number;
  readonly ownerKey: string;
  call: Client;
  as(key: string | undefined, account?: string): Client;
  /** Starts the process without waiting until it is ready. */
  launch(): void;
  start(): Promise<void>;
  /** Ends the process and resolves when it is gone; answers what it wrote to stderr. */
  kill(signal?: NodeJS.Signals): Promise<string>;
  /** Returns the longest turn of its main thread since a time (since it was ready last, where none is given), ms of the processor. */
  longestTurn(since?: number): number;
}

export interface AttackedRelay {
  readonly home: string;
  readonly origin: string;
  readonly pid: number;
  longestTurn(since?: number): number;
  launch(): void;
  start(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<string>;
}

/** A temporary folder with all homes of one section; `stop` ends what runs, by its pid, and removes the folder. */
export interface Grounds {
  readonly folder: string;
  daemon(name: string, env?: Record<string, string>): Promise<AttackedDaemon>;
  relay(name: string, env?: Record<string, string>): Promise<AttackedRelay>;
  stop(): Promise<void>;
}

const open = new Set<Grounds>();

/** Ends everything that runs, where the attack itself is ended. */
export async function leaveAllGrounds(): Promise<void> {
  await Promise.all([...open].map((grounds) => grounds.stop()));
}

export function openGrounds(): Grounds {
  const { folder, remove } = temporaryFolder();
  const running: { kill(signal?: NodeJS.Signals): Promise<string> }[] = [];
  const made: Grounds = {
    folder,
    async daemon(name, env = {}) {
      const daemon = attackedDaemon(path.join(folder, name), env);
      running.push(daemon);
      await daemon.start();
      return daemon;
    },
    async relay(name, env = {}) {
      const relay = attackedRelay(path.join(folder, name), {
        RELAY_PORT: String(await steadyPort()),
        ...env,
      });
      running.push(relay);
      await relay.start();
      return relay;
    },
    async stop() {
      open.delete(made);
      await Promise.all(running.map((one) => one.kill('SIGKILL')));
      remove();
    },
  };
  open.add(made);
  return made;
}

function attackedDaemon(folder: string, env: Record<string, string>): AttackedDaemon {
  const home = homeAt(folder);
  const key = () => fs.readFileSync(home.ownerKey, 'utf8').trim();
  const turns = turnsIn(`${folder}.turns`);
  let child: DaemonProcess | undefined;
  let origin = '';
  const as =
    (given: string | undefined, account?: string): Client =>
    (route, sent, options) =>
      createClient({ origin, key: () => given, ...(account !== undefined && { account }) })(
        route,
        sent,
        options,
      );
  return {
    home,
    get origin() {
      return origin;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    get ownerKey() {
      return key();
    },
    call: (route, sent, options) => as(key())(route, sent, options),
    as,
    launch() {
      child = spawnDaemon(folder, {
        REVERIE_TRUST_PROXY: 'true',
        REVERIE_LOG_LEVEL: 'fatal',
        ...COMPILED,
        ...turns.env,
        ...env,
      });
    },
    async start() {
      this.launch();
      origin = (await child?.ready) ?? '';
      await turns.ready(origin);
    },
    longestTurn: turns.longest,
    async kill(signal = 'SIGKILL') {
      child?.kill(signal);
      return (await child?.ended)?.stderr ?? '';
    },
  };
}

function attackedRelay(home: string, env: Record<string, string>): AttackedRelay {
  const turns = turnsIn(`${home}.turns`);
  let child: RelayProcess | undefined;
  let origin = '';
  return {
    home,
    get origin() {
      return origin;
    },
    get pid() {
      return child?.child.pid ?? 0;
    },
    launch() {
      child = spawnRelay(home, {
        RELAY_TRUST_PROXY: 'true',
        RELAY_LOG_LEVEL: 'error',
        ...COMPILED,
        ...turns.env,
        ...env,
      });
    },
    async start() {
      this.launch();
      origin = (await child?.ready) ?? '';
      await turns.ready(origin);
    },
    longestTurn: turns.longest,
    async kill(signal = 'SIGKILL') {
      child?.child.kill(signal);
      await child?.ended;
      return child?.logged() ?? '';
    },
  };
}

/** Where Node keeps what it compiled, for the next start of the same program. */
const COMPILED = { NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache') };

/** The turns that `turns-preload.ts` writes down in a process of this home. */
function turnsIn(file: string) {
  let readyAt = 0;
  const preload = pathToFileURL(path.join(import.meta.dirname, 'turns-preload.ts')).href;
  return {
    env: { NODE_OPTIONS: `--import ${preload}`, REVERIE_ATTACK_TURNS: file },
    // What a start takes holds up nobody, for nobody is served before it: the turn that says so is over when something is answered.
    async ready(origin: string) {
      await fetch(`${origin}/healthz`);
      readyAt = Date.now();
    },
    longest(since = readyAt): number {
      if (!fs.existsSync(file)) return 0;
      const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
      const turns = lines.map((line) => line.split(' ').map(Number));
      return Math.max(0, ...turns.filter(([at = 0]) => at > since).map(([, ms = 0]) => ms));
    },
  };
}

let addresses = 0;

/** An address that nobody had before: limits by address shall not hide what lies behind them. */
export function newAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Asks until what is answered is not undefined, or the time is over; answers undefined then. */
export async function eventually<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { withinMs, everyMs = 50 }: { withinMs: number; everyMs?: number },
): Promise<T | undefined> {
  const until = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > until) return undefined;
    await pause(everyMs);
  }
}
