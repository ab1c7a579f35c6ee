import { canMount, createSmallDisks } from '@reverie/shared/testing/small-disk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRoom, signUp } from './testing/device.ts';
import { type RelayProcess, spawnRelay, temporaryHome } from './testing/process.ts';

const mountable = canMount();
if (!mountable) console.warn('skipped: this machine lets no test mount a small disk (root is needed)');

describe.skipIf(!mountable)('a relay on a full disk', () => {
  const disks = createSmallDisks();
  let temporary: { home: string; remove: () => void };
  let relay: RelayProcess | undefined;
  beforeEach(() => {
    temporary = temporaryHome();
    disks.mount(temporary.home, '24m');
  });
  afterEach(async () => {
    relay?.child.kill('SIGKILL');
    await relay?.ended;
    disks.unmountAll();
    temporary.remove();
  });

  test('does not start and says in a line why and what to do; with room again it has everything', async () => {
    relay = spawnRelay(temporary.home);
    const device = await signUp(await relay.ready, 'a@example.org');
    const room = await openRoom(await relay.ready, device, 'default');
    relay.child.kill('SIGKILL');
    await relay.ended;
    const free = disks.fill(temporary.home);
    relay = spawnRelay(temporary.home);
    await expect(relay.ready).rejects.toThrow(/ended with 1/);
    expect(relay.logged()).toMatch(/^The disk of \S+ is full\. Free some space and start again; [^\n]+\n$/);
    free();
    relay = spawnRelay(temporary.home);
    expect(await openRoom(await relay.ready, device, 'default')).toBe(room);
  });
});
