import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { expect, test } from 'vitest';
import { startRelay } from '../../../../cloud/src/testing/relay.ts';
import { startTestDaemon } from '../../testing.ts';
import { pause, together } from '../testing/linked-devices.ts';

test('a log that says everything twice since the relay had another history is brought down by an epoch', async () => {
  const names: string[] = [];
  // A restored relay has another log; what it has of it is all there, so that it gets everything a second time.
  const relay = await startRelay({}, (log) => ({
    ...log,
    get logId() {
      return names.at(-1) ?? log.logId;
    },
  }));
  const devices = [await startTestDaemon(), await startTestDaemon()];
  const [a, b] = devices;
  if (!a || !b) throw new Error('there are two');
  await a.call(linkDevice, { body: { relay: relay.origin, email: 'me@example.org' } });
  const { code } = await a.call(pairDevice, {});
  await b.call(linkDevice, { body: { relay: relay.origin, code } });
  const items = Array.from({ length: 150 }, (_, n) => ({ key: `key ${n}`, value: `${n} `.repeat(400) }));
  await a.call(storeBatch, { body: { items } });
  const all = await together(devices);
  const logBytes = async () =>
    (await relay.rows<{ bytes: number }>('SELECT sum(bytes) AS bytes FROM log_rooms'))[0]?.bytes ?? 0;
  const before = await logBytes();

  names.push('log_restored');
  for (const device of devices) {
    await pause(device, true);
    await pause(device, false);
  }
  await expect.poll(logBytes).toBeGreaterThan(before * 2.5);
  await together(devices);
  await expect
    .poll(
      async () => {
        for (const device of devices) device.clock.advance(31_000);
        return (await relay.rows<{ epoch: number }>('SELECT max(epoch) AS epoch FROM log_rooms'))[0]?.epoch;
      },
      { interval: 100 },
    )
    .toBeGreaterThan(0);
  await expect.poll(logBytes).toBeLessThan(before * 1.5);
  expect(await together(devices)).toEqual(all);
  for (const device of devices) await device.stop();
  await relay.stop();
});
