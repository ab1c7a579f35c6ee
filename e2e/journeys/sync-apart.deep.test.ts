import {
  clearNamespace,
  deleteMemory,
  setMemory,
  storeBatch,
} from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hurry, linkAll, startSyncWorld, type SyncWorld, type TestDevice, together } from '../devices.ts';
import { createWriting } from '../writing.ts';

let world: SyncWorld;
let devices: TestDevice[];
let a: TestDevice;
let b: TestDevice;
let c: TestDevice;

beforeEach(async () => {
  world = await startSyncWorld({ running: 'own-process' });
  [a, b, c] = await Promise.all([world.device(), world.device(), world.device()]);
  devices = [a, b, c];
  await linkAll(devices, world.relay);
  await together(devices);
});
afterEach(() => world.stop());

const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ key: `${name} ${n}`, value: `${name}, number ${n}` }));

async function store(device: TestDevice, items: readonly { key: string; value: string }[]): Promise<void> {
  for (let from = 0; from < items.length; from += 500)
    await device.call(storeBatch, { body: { items: items.slice(from, from + 500) } });
}

test('the relay goes and comes while three devices write: they say so at every moment, and end the same', async () => {
  const writing = createWriting();
  let isOver = false;
  const load = devices.map(async (device, index) => {
    for (let n = 0; !isOver; n += 1) await writing.round(device, `${index}, ${n}`);
  });
  const eachWrites = async (more: number) => {
    const before = devices.map((device) => writing.answered(device));
    const least = () =>
      Math.min(...devices.map((device, index) => writing.answered(device) - (before[index] ?? 0)));
    await expect.poll(least).toBeGreaterThanOrEqual(more);
  };
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
    await eachWrites(7);
    await world.killRelay(signal);
    await eachWrites(7);
    for (const device of devices) {
      const { state, daemon_live, pending, behind, error } = await device.status();
      expect(['offline', 'connecting']).toContain(state);
      expect([daemon_live, behind]).toEqual([false, null]);
      expect(pending).toBeGreaterThan(0);
      expect(error?.advice).toMatch(/tried again by itself/);
    }
    await world.startRelay();
  }
  isOver = true;
  await Promise.all(load);
  await hurry(devices);
  writing.check(await together(devices));
});

test('restored from a backup by the commands of docs/relay.md: devices send again what it lost', async () => {
  await store(a, many('before', 50));
  await together(devices);
  const backup = await world.backUpRelay();
  await store(b, many('after', 50));
  await a.call(deleteMemory, { body: { key: 'before 0' } });
  await a.call(setMemory, { body: { key: 'before 1', value: 'overwritten' } });
  const all = await together(devices);
  const logId = await logIdOf(world.relay);
  // One device is not there when it happens, and only it has not heard of what the others wrote last.
  await c.kill();
  await store(a, many('c was away', 5));
  await together([a, b]);

  await world.killRelay('SIGTERM');
  await backup.putBack();
  await world.startRelay();
  expect(await logIdOf(world.relay)).not.toBe(logId);
  await c.start();
  await hurry(devices);
  const away = Object.fromEntries(many('c was away', 5).map(({ key, value }) => [key, value]));
  expect(await together(devices)).toEqual({ ...all, ...away });
});

async function logIdOf(relay: string): Promise<unknown> {
  const answer: unknown = await (await fetch(`${relay}/healthz`)).json();
  return (answer as { log_id: unknown }).log_id;
}

// Thousands of changes on each side are written, sent and read here: 25 s, and several times that while the machine is busy.
test('a month away: what one device wrote meets what the others wrote, cleared and deleted', async () => {
  await store(a, many('old', 1500));
  await store(a, many('stays', 200));
  await together(devices);

  await c.kill();
  await a.call(clearNamespace, { body: { namespace: 'default' } });
  await store(a, many('new', 1500));
  await store(b, many('stays', 100));
  for (const { key } of many('new', 50)) await b.call(deleteMemory, { body: { key } }).catch(() => undefined);
  const theirs = await together([a, b]);
  await a.kill();
  await b.kill();

  await world.killRelay();
  await c.start();
  const mine = [...many('written away', 300), { key: 'stays 0', value: 'written away' }];
  await store(c, mine);
  const unsent = await c.status();
  expect([unsent.pending, unsent.state, unsent.daemon_live]).toEqual([301, 'offline', false]);
  await world.startRelay();
  await Promise.all([a.start(), b.start()]);
  await hurry(devices);
  const says = await together(devices);
  expect(says).toEqual({ ...theirs, ...Object.fromEntries(mine.map(({ key, value }) => [key, value])) });
  // Of what was cleared nothing came back.
  expect(Object.keys(says).filter((key) => key.startsWith('old'))).toEqual([]);
});
