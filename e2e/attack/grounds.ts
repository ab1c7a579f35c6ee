import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Client } from '@reverie/shared/client';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { spawnRelay, type RelayProcess } from '../../cloud/src/testing/process.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../../daemon/src/testing.ts';
import { type Home, homeAt } from '../../daemon/src/platform/home.ts';

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
}

export interface AttackedRelay {
  readonly home: string;
  readonly origin: string;
  readonly pid: number;
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
        ...env,
      });
    },
    async start() {
      this.launch();
      origin = (await child?.ready) ?? '';
    },
    async kill(signal = 'SIGKILL') {
      child?.kill(signal);
      return (await child?.ended)?.stderr ?? '';
    },
  };
}

function attackedRelay(home: string, env: Record<string, string>): AttackedRelay {
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
      child = spawnRelay(home, { RELAY_TRUST_PROXY: 'true', RELAY_LOG_LEVEL: 'error', ...COMPILED, ...env });
    },
    async start() {
      this.launch();
      origin = (await child?.ready) ?? '';
    },
    async kill(signal = 'SIGKILL') {
      child?.child.kill(signal);
      await child?.ended;
      return child?.logged() ?? '';
    },
  };
}

/** Where Node keeps what it compiled, for the next start of the same program. */
const COMPILED = { NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache') };

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
