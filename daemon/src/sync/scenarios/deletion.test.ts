import fs from 'node:fs';
import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { clearNamespace, deleteMemory } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestDaemon } from '../../testing.ts';
import { type LinkedPair, pause, set, startLinkedPair, together } from '../testing/linked-devices.ts';

let world: LinkedPair;
let a: TestDaemon;
let b: TestDaemon;

beforeEach(async () => {
  world = await startLinkedPair();
  ({ a, b } = world);
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
        device.clock.advance(30_000);
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

/** Where the other device says the first secret still, a clock's minute not passed: history, conflicts, events, versions, documents. */
function tablesWith(device: TestDaemon, word: string): string[] {
  const tables = [
    'memory_versions',
    'sync_conflicts',
    'sync_updates',
    'sync_sends',
    'sync_outbox',
    'memories',
    'events',
  ];
  return device.withStore((store) =>
    store.read((db) =>
      tables.filter((table) =>
        db
          .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`)
          .all()
          .some((row) =>
            Object.values(row).some((cell) =>
              (Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell)).includes(word),
            ),
          ),
      ),
    ),
  );
}

describe('what was deleted and written again before that was sent', () => {
  const again: [string, () => Promise<unknown>][] = [
    ['at once', () => Promise.resolve()],
    // The bytes are written anew meanwhile, and say no more that there was a deletion.
    [
      'after the bytes that wait were written anew',
      async () => {
        await expect
          .poll(() => {
            a.clock.advance(1000);
            return tablesWith(a, 'vlorbendash');
          })
          .not.toContain('sync_updates');
      },
    ],
    ['after a restart', () => a.restart()],
  ];

  test.each(again)('is nowhere on the other device, sent %s', async (_, meanwhile) => {
    await tell();
    await together([a, b]);
    expect(tablesWith(b, 'vlorbendash')).toContain('memories');
    await pause(a, true);
    a.clock.advance(5);
    await a.call(deleteMemory, { body: { key: 'k' } });
    await set(a, 'k', 'something else');
    await meanwhile();
    await pause(a, false);
    expect(await together([a, b])).toHaveProperty('k', 'something else');
    expect(
      tablesWith(b, 'vlorbendash').filter((table) => !['sync_updates', 'events'].includes(table)),
    ).toEqual([]);
    await expectGone([a, b]);
  });

  test('leaves what another device said meanwhile, without having seen that', async () => {
    await tell();
    await together([a, b]);
    for (const device of [a, b]) await pause(device, true);
    await set(b, 'k', 'concurrent');
    for (const { clock } of [a, b, world.relay]) clock.advance(60_000);
    await a.call(deleteMemory, { body: { key: 'k' } });
    await set(a, 'k', 'something else');
    for (const device of [a, b]) await pause(device, false);
    expect(await together([a, b])).toHaveProperty('k', 'something else');
    for (const device of [a, b]) {
      const { conflicts } = await device.call(listConflicts, { query: {} });
      expect(conflicts.map(({ value }) => value)).toEqual(['concurrent']);
    }
  });
});
