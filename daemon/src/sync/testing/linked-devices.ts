import { listMemories, setMemory } from '@reverie/shared/contract/memories/memories';
import { linkDevice, pauseSync, type SyncStatus, syncStatus } from '@reverie/shared/contract/sync/sync';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { expect, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startRelay, type TestRelay } from '../../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

/** Daemons that are linked to one relay, all in this process, each with a clock that the test moves. */
export interface LinkedDevices {
  relay: TestRelay;
  devices: TestDaemon[];
  stop(): Promise<void>;
}

/** `env`: settings of the relay; `wrap`: around its log. */
export async function startLinkedDevices(
  count: number,
  env: Record<string, string> = {},
  wrap?: Parameters<typeof startRelay>[1],
): Promise<LinkedDevices> {
  const relay = await startRelay(env, wrap);
  const devices: TestDaemon[] = [];
  for (let n = 0; n < count; n += 1) devices.push(await startTestDaemon());
  const [first, ...others] = devices;
  await first?.call(linkDevice, { body: { relay: relay.origin, email: 'me@example.org', name: 'first' } });
  for (const [index, device] of others.entries()) {
    const { code } = (await first?.call(pairDevice, {})) ?? {};
    await device.call(linkDevice, { body: { relay: relay.origin, code, name: `other ${index}` } });
  }
  return {
    relay,
    devices,
    async stop() {
      await Promise.all(devices.map((device) => device.stop()));
      await relay.stop();
    },
  };
}

/** Two daemons that are linked to one relay. */
export interface LinkedPair extends LinkedDevices {
  a: TestDaemon;
  b: TestDaemon;
}

export async function startLinkedPair(wrap?: Parameters<typeof startRelay>[1]): Promise<LinkedPair> {
  const world = await startLinkedDevices(2, {}, wrap);
  const [a, b] = world.devices;
  if (!a || !b) throw new Error('there are two');
  return { ...world, a, b };
}

/** Writes a memory into the namespace that is there by default. */
export const set = (device: TestDaemon, key: string, value: string) =>
  device.call(setMemory, { body: { key, value } });

/** Has a device neither send nor read until it goes on. */
export const pause = (device: TestDaemon, paused: boolean) => device.call(pauseSync, { body: { paused } });

export const statusOf = (device: TestDaemon): Promise<SyncStatus> => device.call(syncStatus, {});

/** What a namespace says on a device: key to value. */
export async function says(device: TestDaemon, namespace = 'default'): Promise<Record<string, string>> {
  const { memories } = await device.call(listMemories, { body: { namespace, limit: 1000 } });
  return Object.fromEntries(memories.map(({ key, value = '' }) => [key, value]));
}

/** Waits until nothing is left to send or read on any of them, and they say the same; answers what. */
export async function together(devices: readonly TestDaemon[]): Promise<Record<string, string>> {
  await expect
    .poll(
      async () => {
        const all = await Promise.all(devices.map((device) => statusOf(device)));
        return all.map(({ state, pending, behind }) => ({ state, pending, behind }));
      },
      { interval: 20 },
    )
    .toEqual(devices.map(() => ({ state: 'live', pending: 0, behind: 0 })));
  return vi.waitFor(
    async () => {
      const [first, ...others] = await Promise.all(devices.map((device) => says(device)));
      for (const other of others) expect(other).toEqual(first);
      return first ?? {};
    },
    // What was acknowledged to one may be on its way to another, which knows nothing of it yet. No heartbeat helps: the relay's clock stands still.
    { timeout: seconds(60), interval: 20 },
  );
}
