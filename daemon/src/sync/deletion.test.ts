import fs from 'node:fs';
import { clearNamespace, deleteMemory, setMemory } from '@reverie/shared/contract/memories';
import { pauseSync } from '@reverie/shared/contract/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestDaemon } from '../testing.ts';
import { type LinkedDevices, startLinkedDevices, together } from './testing/linked-devices.ts';

let world: LinkedDevices;
let a: TestDaemon;
let b: TestDaemon;

beforeEach(async () => {
  world = await startLinkedDevices(2);
  const [first, second] = world.devices;
  if (!first || !second) throw new Error('there are two');
  [a, b] = [first, second];
});
afterEach(() => world.stop());

const SECRETS = ['Zyxwobblequonk', 'quixotarium', 'vlorbendash'];

/** Which secrets stand in a file of a home's database. */
function found(device: TestDaemon): string[] {
  return ['', '-wal', '-shm'].flatMap((suffix) => {
    const file = `${device.home.database}${suffix}`;
    if (!fs.existsSync(file)) return [];
    const bytes = fs.readFileSync(file).toString('latin1').toLowerCase();
    return SECRETS.filter((word) => bytes.includes(word.toLowerCase().slice(2, 7))).map(
      (word) => `${word} in ${suffix}`,
    );
  });
}

const set = (device: TestDaemon, key: string, value: string) =>
  device.call(setMemory, { body: { key, value } });
const pause = (device: TestDaemon, paused: boolean) => device.call(pauseSync, { body: { paused } });

/** Says the secret, and says it again in other words, among other memories. */
async function tell(): Promise<void> {
  for (let n = 0; n < 40; n += 1) await set(a, `other ${n}`, `ordinary text number ${n}`);
  for (const secret of SECRETS) await set(a, 'k', `The password is ${secret}.`);
}

/** A minute passes, and the sweeps of it come to their end. */
async function expectGone(devices: readonly TestDaemon[]): Promise<void> {
  for (const device of devices) {
    device.clock.advance(61_000);
    await expect
      .poll(() => {
        device.clock.advance(1000);
        return found(device);
      })
      .toEqual([]);
  }
}

const ways: [string, () => Promise<unknown>][] = [
  ['delete', () => a.call(deleteMemory, { body: { key: 'k' } })],
  ['clear', () => a.call(clearNamespace, { body: { namespace: 'default' } })],
];

describe.each(ways)('on linked homes, what was deleted by %s is nowhere in the files', (_, forget) => {
  test('when all are there', async () => {
    await tell();
    await together([a, b]);
    expect([found(a), found(b)].every((words) => words.length > 0)).toBe(true);
    await forget();
    await together([a, b]);
    await expectGone([a, b]);
    expect(await together([a, b])).not.toHaveProperty('k');
  });

  test('when the relay is away, before and after it was told; and the deletion is not lost', async () => {
    await tell();
    await together([a, b]);
    await pause(a, true);
    // Also what was never sent.
    await set(a, 'k', `Another one, vlorbendash`);
    await forget();
    await expectGone([a]);
    await a.restart();
    expect(found(a)).toEqual([]);
    await pause(a, false);
    await together([a, b]);
    await expectGone([a, b]);
    expect(await together([a, b])).not.toHaveProperty('k');
  });
});
