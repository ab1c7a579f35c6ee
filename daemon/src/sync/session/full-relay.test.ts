import { setMemory } from '@reverie/shared/contract/memories/memories';
import { expect, test } from 'vitest';
import { says, startLinkedDevices, statusOf, together } from '../testing/linked-devices.ts';

test('a relay whose space was used up by what was overwritten makes room by itself, and takes what waited', async () => {
  const world = await startLinkedDevices(2, { RELAY_PROVISIONAL_QUOTA_MB: '1' });
  const [a, b] = world.devices;
  if (!a || !b) throw new Error('there are two');
  try {
    const value = (n: number) => `${n} ${'x'.repeat(100_000)}`;
    const isFull = async () => (await statusOf(a)).error?.code === 'quota';
    let n = 0;
    while (!(await isFull())) {
      n += 1;
      await a.call(setMemory, { body: { key: 'k', value: value(n) } });
      await expect.poll(async () => (await statusOf(a)).pending === 0 || (await isFull())).toBe(true);
    }
    expect(n).toBeGreaterThan(5);
    expect((await statusOf(a)).error?.advice).toContain('second device');
    expect((await says(b))['k']).not.toBe(value(n));
    a.clock.advance(30_000);
    expect(await together([a, b])).toEqual({ k: value(n) });
  } finally {
    await world.stop();
  }
});
