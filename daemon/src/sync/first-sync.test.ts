import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { changeNamespace, setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { joinNamespace, shareNamespace } from '@reverie/shared/contract/sync/sharing';
import { linkDevice, type SyncProgress, type SyncStatus } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startRelay, type TestRelay } from '../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { pause, statusOf } from './testing/linked-devices.ts';

let relay: TestRelay;
let devices: TestDaemon[];

beforeEach(async () => {
  relay = await startRelay();
  devices = [];
});
afterEach(async () => {
  await Promise.all(devices.map((device) => device.stop()));
  await relay.stop();
});

async function device(): Promise<TestDaemon> {
  const made = await startTestDaemon();
  devices.push(made);
  return made;
}

async function fill(of: TestDaemon, namespace: string, memories: number): Promise<void> {
  const items = Array.from({ length: memories }, (_, n) => ({
    namespace,
    key: `note ${n}`,
    value: `text ${n}`,
  }));
  for (let from = 0; from < memories; from += 1000)
    await of.call(storeBatch, { body: { items: items.slice(from, from + 1000) } });
}

const link = (of: TestDaemon, email: string) =>
  of.call(linkDevice, { body: { relay: relay.origin, email, name: 'device' } });

async function join(of: TestDaemon, first: TestDaemon): Promise<void> {
  const { code } = await first.call(pairDevice, {});
  await of.call(linkDevice, { body: { relay: relay.origin, code, name: 'another' } });
}

/** What a device told while it synced, a second of its clock between two looks, until it is in sync. */
async function watch(of: TestDaemon, look?: (status: SyncStatus) => Promise<unknown>): Promise<SyncStatus[]> {
  const told: SyncStatus[] = [];
  await expect
    .poll(
      async () => {
        const status = await statusOf(of);
        told.push(status);
        await look?.(status);
        of.clock.advance(1000);
        return [status.state, status.pending, status.behind];
      },
      { interval: 5, timeout: seconds(60) },
    )
    .toEqual(['live', 0, 0]);
  return told;
}

/** What was told of one direction; nothing that was there before may be gone again, and 100 % is not told of what goes on. */
function ofWay(told: readonly SyncStatus[], way: 'upload' | 'download'): SyncProgress[] {
  const all = told.flatMap((status) => status[way] ?? []);
  for (const { done, total, percent } of all) {
    expect(percent).toBe(Math.floor((100 * done) / total));
    expect(percent).toBeLessThan(100);
  }
  const percents = all.map(({ percent }) => percent);
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect(told.at(-1)?.[way]).toBeNull();
  return all;
}

test('a first upload tells what the relay has confirmed, over a pause, and however much is written meanwhile', async () => {
  const a = await device();
  await fill(a, 'work', 3000);
  await fill(a, 'home', 500);
  await link(a, 'a@example.org');
  let paused: SyncStatus | undefined;
  let written = 0;
  const told = await watch(a, async ({ upload }) => {
    if (written < 20)
      await a.call(setMemory, { body: { namespace: 'work', key: `new ${written++}`, value: 'x' } });
    if (paused || (upload?.done ?? 0) === 0) return;
    await pause(a, true);
    paused = await statusOf(a);
    a.clock.advance(3000);
    expect((await statusOf(a)).upload).toEqual(paused.upload);
    await pause(a, false);
  });
  expect(paused?.upload).toMatchObject({ seconds_left: null });
  const all = ofWay(told, 'upload');
  expect(all[0]).toMatchObject({ done: 0, percent: 0, seconds_left: null });
  // What is written before its namespace has its turn may go up with the rest.
  for (const { total } of all) expect([total >= 3500, total <= 3520]).toEqual([true, true]);
  expect(all.length).toBeGreaterThan(2);
  // Nothing is counted as sent that still waits.
  for (const { upload, pending } of told)
    if (upload) expect(upload.total - upload.done).toBeLessThanOrEqual(pending);
  expect(told[0]?.download).toBeNull();
});

test('a first download tells how far it is and how long it takes, and another one later begins at nothing', async () => {
  const a = await device();
  await fill(a, 'work', 3000);
  await link(a, 'a@example.org');
  await watch(a);
  const b = await device();
  await join(b, a);
  const all = ofWay(await watch(b), 'download');
  expect(all.length).toBeGreaterThan(2);
  expect(all.some(({ seconds_left }) => (seconds_left ?? 0) > 0)).toBe(true);

  await b.call(changeNamespace, { params: { namespace: 'late' }, body: { sync: false } });
  await fill(a, 'late', 800);
  await watch(a);
  await b.call(changeNamespace, { params: { namespace: 'late' }, body: { sync: true } });
  await expect.poll(async () => (await statusOf(b)).namespaces.length, { interval: 5 }).toBe(2);
  const late = ofWay(await watch(b), 'download');
  // What had been read first counts no more.
  expect(late[0]?.done).toBeLessThan((all[0]?.total ?? 0) / 2);
});

test('who is invited to what there is now begins at nothing, and not behind what was before the invite', async () => {
  const a = await device();
  await fill(a, 'team', 4000);
  await link(a, 'a@example.org');
  await watch(a);
  const { invite } = await a.call(shareNamespace, { body: { namespace: 'team', role: 'editor' } });
  const guest = await device();
  await link(guest, 'guest@example.org');
  await watch(guest);
  await guest.call(joinNamespace, { body: { namespace: 'team', invite } });
  const all = ofWay(await watch(guest), 'download');
  expect(all.length).toBeGreaterThan(3);
  expect(all[0]?.percent).toBeLessThan(50);
});

test('who has memories of the namespace reads first, and hears of the upload only what is left of it', async () => {
  const a = await device();
  await fill(a, 'work', 2000);
  await link(a, 'a@example.org');
  await watch(a);
  const b = await device();
  await b.call(storeBatch, {
    body: {
      items: Array.from({ length: 500 }, (_, n) => ({ namespace: 'work', key: `of b ${n}`, value: 'x' })),
    },
  });
  await join(b, a);
  const told = await watch(b);
  const both = told.filter(({ upload, download }) => upload !== null && download !== null);
  expect(both).toEqual([]);
  // The rows are made at the end of it, which takes longer than to read.
  expect(Math.max(...ofWay(told, 'download').map(({ percent }) => percent))).toBeLessThan(50);
});

test('documents that stand in place of entries count as those: as they come, are begun, and are made into rows', async () => {
  const a = await device();
  await fill(a, 'work', 1);
  await link(a, 'a@example.org');
  await watch(a);
  await pause(a, true);
  const percentAt = async (
    row: { entering: number | null; entered: number; cursor: number },
    bases: number,
  ) => {
    a.withStore((store) =>
      store.write((db) => {
        db.prepare<[]>('UPDATE sync_namespaces SET first_head = 1000, head = 1000, in_first_sync = 1').run();
        db.prepare<[typeof row]>(
          'UPDATE sync_namespaces SET entering = @entering, entered = @entered, cursor = @cursor',
        ).run(row);
        db.prepare<[]>('DELETE FROM sync_bases').run();
        for (let bucket = 0; bucket < bases; bucket += 1)
          db.prepare<[number]>(
            `INSERT INTO sync_bases (account, namespace_id, bucket, epoch, covers, body) SELECT account, id, ?, 1, 900, x'00' FROM sync_namespaces`,
          ).run(bucket);
      }),
    );
    return (await statusOf(a)).download?.percent;
  };
  const before = { entering: null, entered: 0, cursor: 0 };
  expect([
    await percentAt(before, 0),
    await percentAt(before, 32),
    await percentAt(before, 64),
    await percentAt({ ...before, entering: 1, entered: 32 }, 64),
    await percentAt({ ...before, entering: 1, entered: 64 }, 64),
    await percentAt({ ...before, entering: 1, entered: 64 }, 1),
    await percentAt({ ...before, cursor: 950 }, 0),
  ]).toEqual([0, 15, 30, 45, 60, 89, 95]);
});
