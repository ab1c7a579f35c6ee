import { expect, test } from 'vitest';
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
    const confirmed = await fetch(`${world.relay.origin}/v1/auth/confirm`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: new URL(link).searchParams.get('token') }),
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
