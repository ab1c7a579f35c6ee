import fs from 'node:fs';
import path from 'node:path';
import { createClient, type Client } from '@reverie/shared/client';
import { listMemories } from '@reverie/shared/contract/memories/memories';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { linkDevice, type SyncStatus, syncStatus, triggerSync } from '@reverie/shared/contract/sync/sync';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { expect, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { type Backup, backUp } from '../cloud/src/testing/backup.ts';
import { dropDatabase, emptyDatabase } from '../cloud/src/testing/home-database.ts';
import { spawnRelay, type RelayProcess } from '../cloud/src/testing/process.ts';
import { everyMemory } from '../daemon/src/cli/every-memory.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../daemon/src/testing.ts';
import { type Running, startInProcess } from './world.ts';

/** A device: a daemon on a home of its own, in a process of its own where it is to be killed. */
export interface TestDevice {
  folder: string;
  readonly pid: number;
  call: Client;
  status(): Promise<SyncStatus>;
  /** What a namespace says: key to value. */
  says(namespace: string): Promise<Record<string, string>>;
  /** Everything that it holds, as an export writes it. */
  exported(): Promise<PortableMemory[]>;
  /** Resolves when the process has ended, however that came. */
  ended(): Promise<unknown>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A relay that can be killed and come again at the same address, and devices; `stop` ends all of them. */
export interface SyncWorld {
  relay: string;
  /** Makes a copy of the relay's database while it runs. */
  backUpRelay(): Promise<Backup>;
  readonly relayPid: number;
  relayEnded(): Promise<unknown>;
  killRelay(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  startRelay(env?: Readonly<Record<string, string>>): Promise<void>;
  /** Takes all that it has from a relay that has ended, but for a backup. */
  emptyRelay(): Promise<void>;
  device(settings?: DeviceSettings): Promise<TestDevice>;
  stop(): Promise<void>;
}

export interface DeviceSettings {
  /** In this process where nothing else is said: it cannot be killed there, and takes a tenth of the time. */
  running?: Running;
  /** Is handed the home before the daemon starts on it. */
  prepare?: (home: string) => void;
}

export interface SyncWorldSettings {
  /** How its devices are run where they say nothing themselves. */
  running?: Running;
  /** Is handed the relay's home before it starts. */
  prepare?: (home: string) => void;
  env?: Readonly<Record<string, string>>;
}

export async function startSyncWorld({
  prepare,
  env = {},
  running,
}: SyncWorldSettings = {}): Promise<SyncWorld> {
  const { folder, remove } = temporaryFolder();
  const relayHome = path.join(folder, 'relay');
  prepare?.(relayHome);
  // Heartbeats as seldom as they may be: what they would mend has to be told without them.
  const relayEnv = {
    RELAY_LOG_LEVEL: 'warn',
    RELAY_HEARTBEAT_MS: '30000',
    RELAY_PORT: String(await steadyPort()),
    ...env,
  };
  let process: RelayProcess = spawnRelay(relayHome, relayEnv);
  const origin = await process.ready;
  const ends: (() => Promise<unknown>)[] = [];
  let count = 0;

  async function device(settings: DeviceSettings = {}): Promise<TestDevice> {
    const home = path.join(folder, `device-${count}`);
    count += 1;
    settings.prepare?.(home);
    const run = (settings.running ?? running) === 'own-process' ? runAlone : runHere;
    let daemon = await run(home);
    const key = () => fs.readFileSync(path.join(home, 'owner-key'), 'utf8').trim();
    const call: Client = (route, sent, options) =>
      createClient({ origin: daemon.origin, key })(route, sent, options);
    const made: TestDevice = {
      folder: home,
      get pid() {
        return daemon.process().pid;
      },
      call,
      status: () => call(syncStatus, {}),
      async says(namespace) {
        const { memories } = await call(listMemories, { body: { namespace, limit: 1000 } });
        return Object.fromEntries(memories.map(({ key, value = '' }) => [key, value]));
      },
      async exported() {
        const all: PortableMemory[] = [];
        for await (const memory of everyMemory(call, {})) all.push(memory);
        return all;
      },
      ended: () => daemon.process().ended,
      async kill() {
        const killed = daemon.process();
        killed.kill('SIGKILL');
        const { stderr } = await killed.ended;
        if (globalThis.process.env['REVERIE_TEST_LOG']) console.log(stderr);
      },
      async start() {
        daemon = await run(home);
      },
    };
    ends.push(() => daemon.end());
    return made;
  }

  return {
    relay: origin,
    backUpRelay: () => backUp(relayHome),
    get relayPid() {
      return process.child.pid ?? 0;
    },
    relayEnded: () => process.ended,
    async killRelay(signal = 'SIGKILL') {
      process.child.kill(signal);
      await process.ended;
    },
    async startRelay(other = {}) {
      process = spawnRelay(relayHome, { ...relayEnv, ...other });
      await process.ready;
    },
    async emptyRelay() {
      const server = globalThis.process.env['REVERIE_TEST_POSTGRES'];
      if (server !== undefined) await emptyDatabase(server, relayHome);
      for (const name of fs.readdirSync(relayHome))
        if (name !== 'copy.db') fs.rmSync(path.join(relayHome, name), { recursive: true });
    },
    device,
    async stop() {
      await Promise.all(ends.map((end) => end()));
      process.child.kill('SIGKILL');
      await process.ended;
      const server = globalThis.process.env['REVERIE_TEST_POSTGRES'];
      if (server !== undefined) await dropDatabase(server, relayHome);
      remove();
    },
  };
}

/** A daemon that runs. */
interface RunningDaemon {
  origin: string;
  /** Its process; throws where it has none of its own. */
  process(): DaemonProcess;
  end(): Promise<unknown>;
}

async function runAlone(home: string): Promise<RunningDaemon> {
  const daemon = spawnDaemon(home, { REVERIE_LOG_LEVEL: 'warn' });
  const origin = await daemon.ready;
  const end = () => {
    daemon.kill('SIGKILL');
    return daemon.ended;
  };
  return { origin, process: () => daemon, end };
}

async function runHere(home: string): Promise<RunningDaemon> {
  const running = await startInProcess(home, { REVERIE_PORT: '0' });
  return {
    origin: running.origin,
    process: () => {
      throw new Error('This device is a part of the test process: make it with running: "own-process"');
    },
    end: () => running.stop(),
  };
}

/**
 * Links devices with one account: the first by e-mail, the others by its codes. `at` is where the first reaches the
 * relay, `others` where the others do.
 */
export async function linkAll(
  [first, ...rest]: readonly TestDevice[],
  at: string,
  others = at,
): Promise<void> {
  await first?.call(linkDevice, { body: { relay: at, email: 'me@example.org', name: 'first' } });
  for (const [index, other] of rest.entries()) {
    const { code } = (await first?.call(pairDevice, {})) ?? {};
    if (code === undefined) throw new Error('There is no first device');
    await other.call(linkDevice, { body: { relay: others, code, name: `other ${index}` } });
  }
}

/** Waits until devices have nothing to send or read. */
export async function settled(devices: readonly TestDevice[]): Promise<void> {
  await expect
    .poll(
      async () => {
        const states = await Promise.all(devices.map((device) => device.status()));
        return states.map(({ state, pending, behind }) => ({ state, pending, behind }));
      },
      { interval: 50 },
    )
    .toEqual(devices.map(() => ({ state: 'live', pending: 0, behind: 0 })));
}

/** Waits until devices have nothing to send or read, and hold the same; answers what a namespace says. */
export async function together(
  devices: readonly TestDevice[],
  namespace = 'default',
): Promise<Record<string, string>> {
  await settled(devices);
  return vi.waitFor(
    async () => {
      const [first = [], ...others] = await Promise.all(devices.map((device) => device.exported()));
      for (const other of others) expect(other).toEqual(first);
      return Object.fromEntries(
        first.filter((one) => one.namespace === namespace).map((one) => [one.key, one.value]),
      );
    },
    // What was acknowledged to one may be on its way to another, which knows nothing of it yet. No heartbeat comes so soon.
    { timeout: seconds(25), interval: 50 },
  );
}

/** Has devices try again at once that wait to do so. */
export async function hurry(devices: readonly TestDevice[]): Promise<void> {
  await Promise.all(devices.map((device) => device.call(triggerSync, {})));
}
