import { expect, test } from 'vitest';
import { call } from '../../../cloud/src/testing/device.ts';
import { pause, startLinkedDevices, statusOf, together } from './testing/linked-devices.ts';

test('a device waits for its mail to be confirmed until the relay says that it was', async () => {
  const world = await startLinkedDevices(1);
  try {
    const [device] = world.devices;
    if (!device) throw new Error('there is one');
    await together([device]);
    expect((await statusOf(device)).waiting_for).toBe('confirmation');
    const [link] = world.relay.links();
    if (link === undefined) throw new Error('no mail waits');
    const token = new URL(link).searchParams.get('token');
    const confirmed = await call(world.relay.origin, {
      method: 'POST',
      path: '/auth/confirm',
      body: { token },
    });
    expect(confirmed.status).toBe(200);
    // A connection that is opened asks again.
    await pause(device, true);
    await pause(device, false);
    await expect.poll(async () => (await statusOf(device)).waiting_for).toBeNull();
    expect((await statusOf(device)).device).not.toBeNull();
  } finally {
    await world.stop();
  }
});
