import { setMemory } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TcpLine, startLine } from '../../cloud/src/testing/line.ts';
import { linkAll, startSyncWorld, type SyncWorld, type TestDevice, together } from '../devices.ts';

let world: SyncWorld;
let line: TcpLine;
let a: TestDevice;
let b: TestDevice;
let c: TestDevice;

const set = (device: TestDevice, key: string, value: string) =>
  device.call(setMemory, { body: { key, value } });

beforeEach(async () => {
  // Heads and pings every second in place of every 30 s.
  world = await startSyncWorld({ env: { RELAY_HEARTBEAT_MS: '1000' } });
  line = await startLine(world.relay);
  [a, b, c] = await Promise.all([world.device(), world.device(), world.device()]);
  await linkAll([a, b, c], line.origin, world.relay);
  await together([a, b, c]);
});
afterEach(async () => {
  await line.stop();
  await world.stop();
});

test('a line that goes dead without being closed, in either direction or both: it is noticed, told, and mended', async () => {
  for (const way of ['both', 'down', 'up'] as const) {
    line.mute(way);
    await set(a, `${way}, of a`, 'written into a dead line');
    await set(b, `${way}, of b`, 'written beside it');
    // Whether it is noticed yet or not: what is not acknowledged is not said to be safe.
    const { pending, daemon_live, state } = await a.status();
    expect([way, pending, state]).toEqual([way, 1, daemon_live ? 'syncing' : 'offline']);
    await expect
      .poll(
        async () => {
          const { pending, daemon_live, error } = await a.status();
          return { pending, daemon_live, message: error?.message };
        },
        { interval: 20 },
      )
      .toEqual({
        pending: 1,
        daemon_live: false,
        message: way === 'up' ? 'The relay closed the connection (1006)' : 'The relay has gone silent',
      });
    line.mend();
    expect(await together([a, b, c])).toMatchObject({
      [`${way}, of a`]: 'written into a dead line',
      [`${way}, of b`]: 'written beside it',
    });
    await expect.poll(() => a.status()).not.toHaveProperty('error');
  }
});
