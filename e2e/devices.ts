import fs from 'node:fs';
import path from 'node:path';
import { createClient, type Client } from '@reverie/shared/client';
import { listMemories } from '@reverie/shared/contract/memories';
import { type SyncStatus, syncStatus } from '@reverie/shared/contract/sync';
import { expect } from 'vitest';
import { spawnRelay, type RelayProcess } from '../cloud/src/testing/process.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../daemon/src/testing.ts';

/** A device: a daemon in a process of its own, on a home of its own. */
export interface TestDevice {
  folder: string;
  readonly pid: number;
  call: Client;
  status(): Promise<SyncStatus>;
  /** What a namespace says: key to value. */
  says(namespace: string): Promise<Record<string, string>>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A relay that can be killed and come again at the same address, and devices; `stop` ends all of them. */
export interface SyncWorld {
  relay: string;
  killRelay(): Promise<void>;
  startRelay(): Promise<void>;
  device(): Promise<TestDevice>;
  stop(): Promise<void>;
}

export async function startSyncWorld(): Promise<SyncWorld> {
  const { folder, remove } = temporaryFolder();
  const relayHome = path.join(folder, 'relay');
  let process: RelayProcess = spawnRelay(relayHome, { RELAY_LOG_LEVEL: 'warn' });
  const origin = await process.ready;
  const devices: TestDevice[] = [];

  async function device(): Promise<TestDevice> {
    const home = path.join(folder, `device-${devices.length}`);
    let daemon: DaemonProcess = spawnDaemon(home, { REVERIE_LOG_LEVEL: 'warn' });
    let at = await daemon.ready;
    const key = () => fs.readFileSync(path.join(home, 'owner-key'), 'utf8').trim();
    const call: Client = (route, sent, options) => createClient({ origin: at, key })(route, sent, options);
    const made: TestDevice = {
      folder: home,
      get pid() {
        return daemon.pid;
      },
      call,
      status: () => call(syncStatus, {}),
      async says(namespace) {
        const { memories } = await call(listMemories, { body: { namespace, limit: 1000 } });
        return Object.fromEntries(memories.map((memory) => [memory.key, memory.value]));
      },
      async kill() {
        daemon.kill('SIGKILL');
        const { stderr } = await daemon.ended;
        if (globalThis.process.env['REVERIE_TEST_LOG']) console.log(stderr);
      },
      async start() {
        daemon = spawnDaemon(home, { REVERIE_LOG_LEVEL: 'warn' });
        at = await daemon.ready;
      },
    };
    devices.push(made);
    return made;
  }

  return {
    relay: origin,
    async killRelay() {
      process.child.kill('SIGKILL');
      await process.ended;
    },
    async startRelay() {
      process = spawnRelay(relayHome, { RELAY_LOG_LEVEL: 'warn', RELAY_PORT: new URL(origin).port });
      await process.ready;
    },
    device,
    async stop() {
      await Promise.all(devices.map((one) => one.kill()));
      process.child.kill('SIGKILL');
      await process.ended;
      remove();
    },
  };
}

/** Waits until devices have nothing to send or read, and say the same of a namespace; answers what. */
export async function together(
  devices: readonly TestDevice[],
  namespace = 'default',
): Promise<Record<string, string>> {
  await expect
    .poll(
      async () => {
        const states = await Promise.all(devices.map((device) => device.status()));
        return states.map(({ state, pending, behind }) => ({ state, pending, behind }));
      },
      { timeout: 60_000, interval: 50 },
    )
    .toEqual(devices.map(() => ({ state: 'live', pending: 0, behind: 0 })));
  const [first, ...others] = await Promise.all(devices.map((device) => device.says(namespace)));
  for (const other of others) expect(other).toEqual(first);
  return first ?? {};
}
