import { setMemory } from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import * as sync from '@reverie/shared/contract/sync/sync';
import * as devices from '@reverie/shared/contract/sync/devices';
import { startSyncWorld, type TestDevice } from '../../e2e/devices.ts';

/**
 * Devices over a relay, as real processes: what a write takes with and without a link, how soon the other one shows it,
 * and how long a first upload and a second device's download take. `node bench/sync/devices.ts [memories]`
 */
const MEMORIES = Number(process.argv[2] ?? 100_000);
const SETS = 300;

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `p50 ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms`;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

const words =
  'the lease of the van ends in March and Ada keeps the keys in the drawer below the window'.split(' ');
const text = (i: number) =>
  Array.from({ length: 45 }, (_, n) => words[(i * 7 + n * ((i % 5) + 1)) % words.length]).join(' ');

async function sets(device: TestDevice, prefix: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < SETS; i += 1)
    times.push(
      await timed(() => device.call(setMemory, { body: { key: `${prefix} ${i}`, value: text(i) } })),
    );
  return times;
}

/** Waits until a device has nothing to send or read; answers the longest that a status took meanwhile, ms. */
async function settled(device: TestDevice, isDone: (status: sync.SyncStatus) => boolean): Promise<number> {
  let longest = 0;
  for (;;) {
    let status: sync.SyncStatus | undefined;
    longest = Math.max(longest, await timed(async () => (status = await device.status())));
    if (status?.state === 'live' && isDone(status)) return longest;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const world = await startSyncWorld();
try {
  const [a, b] = [await world.device(), await world.device()];
  console.log(`set, never linked      ${spread(await sets(a, 'before'))}`);
  for (let from = 0; from < MEMORIES; from += 1000) {
    const items = Array.from({ length: Math.min(1000, MEMORIES - from) }, (_, i) => ({
      key: `memory ${from + i}`,
      value: text(from + i),
      namespace: 'many',
    }));
    await a.call(importMemories, { body: { items } });
  }
  let longest = 0;
  const up = await timed(async () => {
    await a.call(sync.linkDevice, { body: { relay: world.relay, email: 'me@example.org', name: 'a' } });
    longest = await settled(a, (status) => status.upload === null && status.pending === 0);
  });
  console.log(
    `first upload of ${MEMORIES}  ${(up / 1000).toFixed(1)} s; slowest status meanwhile ${longest.toFixed(0)} ms`,
  );
  const down = await timed(async () => {
    const { code } = await a.call(devices.pairDevice, {});
    await b.call(sync.linkDevice, { body: { relay: world.relay, code, name: 'b' } });
    longest = await settled(b, (status) => status.memories >= MEMORIES + SETS && status.behind === 0);
  });
  console.log(
    `download of ${MEMORIES}      ${(down / 1000).toFixed(1)} s; slowest status meanwhile ${longest.toFixed(0)} ms`,
  );
  console.log(`set, linked            ${spread(await sets(a, 'linked'))}`);
  await settled(b, (status) => status.behind === 0 && status.memories >= MEMORIES + 2 * SETS);
  const seen: number[] = [];
  for (let i = 0; i < 100; i += 1) {
    const from = performance.now();
    await a.call(setMemory, { body: { key: 'seen', value: `change ${i}`, namespace: 'seen' } });
    while ((await b.says('seen'))['seen'] !== `change ${i}`)
      await new Promise((resolve) => setTimeout(resolve, 2));
    seen.push(performance.now() - from);
  }
  console.log(`set until the other shows it  ${spread(seen)}`);
} finally {
  await world.stop();
}
