import { expect, test } from 'vitest';
import { run } from '../../cli/fake-terminal.ts';
import { call } from '../../../../cloud/src/testing/device.ts';
import { pause, startLinkedDevices, statusOf, together } from '../testing/linked-devices.ts';

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

test('who is online is told with the state of sync as with the devices, and not once the link is paused', async () => {
  const world = await startLinkedDevices(2);
  try {
    const [one, other] = world.devices;
    if (!one || !other) throw new Error('there are two');
    await together([one, other]);
    const onlineOf = async () => (await statusOf(one)).peers.map(({ online }) => online);
    // What is known is some seconds old.
    one.clock.advance(10_000);
    await expect.poll(onlineOf).toEqual([true]);
    expect((await run({ home: one.home.folder }, 'sync')).out).toContain('other 0, seen now');
    await pause(other, true);
    await expect
      .poll(() => {
        one.clock.advance(10_000);
        return onlineOf();
      })
      .toEqual([false]);
    await pause(other, false);
    await pause(one, true);
    expect(await onlineOf()).toEqual([false]);
  } finally {
    await world.stop();
  }
});
