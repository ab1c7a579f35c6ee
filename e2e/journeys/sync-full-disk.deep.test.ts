import { setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hurry, linkAll, startSyncWorld, type SyncWorld, type TestDevice, together } from '../devices.ts';
import { canMount, createSmallDisks } from '@reverie/shared/testing/small-disk';

const mountable = canMount();
if (!mountable) console.warn('skipped: this machine lets no test mount a small disk (root is needed)');

describe.skipIf(!mountable)('a full disk', () => {
  const disks = createSmallDisks();
  const text = 'It rained on the town all day. '.repeat(30);
  let world: SyncWorld | undefined;
  let devices: TestDevice[];

  /** Three devices; `small` has a disk of its own that can be filled. */
  async function start(small: 'the relay' | 'a reader'): Promise<{ world: SyncWorld; home: string }> {
    let home = '';
    const prepare = (folder: string) => disks.mount((home = folder), '24m');
    const made = await startSyncWorld({ running: 'own-process', ...(small === 'the relay' && { prepare }) });
    world = made;
    devices = [
      await made.device(),
      await made.device(),
      await made.device(small === 'a reader' ? { prepare } : {}),
    ];
    await linkAll(devices, made.relay);
    await together(devices);
    return { world: made, home };
  }

  const write = async (device: TestDevice | undefined, name: string) => {
    const items = Array.from({ length: 40 }, (_, n) => ({ key: `${name} ${n}`, value: text }));
    await device?.call(storeBatch, { body: { items } });
    await device?.call(setMemory, { body: { key: name, value: text } });
    return [name, ...items.map(({ key }) => key)];
  };

  beforeEach(() => {
    world = undefined;
    devices = [];
  });
  afterEach(async () => {
    // The system lets go of them once the processes have ended.
    disks.unmountAll();
    await world?.stop();
  });

  test('of the relay: nothing is acknowledged, devices say so and keep it, and it goes on when there is space', async () => {
    const { world: made, home } = await start('the relay');
    const [a, b, c] = devices;
    const before = await write(a, 'before');
    await together(devices);
    const free = disks.fill(home);
    const during = [...(await write(a, 'of a')), ...(await write(c, 'of c'))];
    for (const device of [a, c]) {
      await expect
        .poll(() => device?.status(), { interval: 20 })
        .toMatchObject({
          daemon_live: false,
          state: 'offline',
          error: {
            code: 'later',
            message: expect.stringContaining('could not write to its disk') as string,
          },
        });
      expect((await device?.status())?.pending).toBeGreaterThan(0);
    }
    expect(Object.keys((await b?.says('default')) ?? {}).sort()).toEqual(before.toSorted());
    // Killed while it is full: what was acknowledged before is there.
    await made.killRelay();
    free();
    await made.startRelay();
    await hurry(devices);
    expect(Object.keys(await together(devices)).sort()).toEqual([...before, ...during].sort());
  });

  test('of a device that reads: it says so, the others go on, and it reads the rest when there is space', async () => {
    const { home } = await start('a reader');
    const [a, b, full] = devices;
    const before = await write(a, 'before');
    await together(devices);
    const free = disks.fill(home);
    const during: string[] = [];
    // The write-ahead log has some space of its own: until that is used up, too, it goes on.
    let status = await full?.status();
    for (let n = 0; n < 200 && status?.state !== 'error'; n += 1) {
      during.push(...(await write(n % 2 === 0 ? a : b, `round ${n}`)));
      status = await full?.status();
    }
    expect(status).toMatchObject({
      state: 'error',
      daemon_live: false,
      error: { code: 'storage', advice: expect.stringContaining('Free some space') as string },
    });
    expect(Object.keys(await together([a, b].flatMap((one) => one ?? []))).length).toBe(
      before.length + during.length,
    );
    // Killed while it is full: it starts again, and serves what it has.
    const had = await full?.says('default');
    await full?.kill();
    const freeMore = disks.fill(home);
    await full?.start();
    expect(await full?.says('default')).toEqual(had);
    free();
    freeMore();
    if (full) await hurry([full]);
    expect(Object.keys(await together(devices)).sort()).toEqual([...before, ...during].sort());
    expect(await full?.status()).toMatchObject({ quarantined: 0 });
  });
});
