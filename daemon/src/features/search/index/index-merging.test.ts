import { storeBatch, setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { findMachineAccount } from '../../accounts/accounts.store.ts';
import { countSegments } from './index.store.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const segments = () =>
  daemon.withStore((store) =>
    store.read((db) => {
      const machine = findMachineAccount(db);
      if (!machine) throw new Error('The store has no account of the machine');
      return countSegments(db, machine.id);
    }),
  );

async function write(from: number): Promise<void> {
  for (let at = from; at < from + 6; at += 1)
    await daemon.call(storeBatch, {
      body: {
        items: Array.from({ length: 40 }, (_, i) => ({
          key: `${at}-${i}`,
          value: `harbour ${at} pilot ${i}`,
        })),
      },
    });
}

describe('the text index', () => {
  test('is merged into one segment while nobody writes, and finds all as before', async () => {
    await write(0);
    expect(segments()).toBeGreaterThan(1);
    const query = { body: { query: 'pilot of harbour 3', limit: 5 } };
    const before = await daemon.call(searchMemories, query);
    daemon.clock.advance(10_000);
    await expect.poll(segments).toBe(1);
    expect(await daemon.call(searchMemories, query)).toEqual(before);
    expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
  });

  test('is left alone while somebody writes', async () => {
    await write(100);
    const many = segments();
    expect(many).toBeGreaterThan(1);
    for (let second = 0; second < 8; second += 1) {
      await daemon.call(setMemory, { body: { key: 'busy', value: `at ${second}` } });
      daemon.clock.advance(1_000);
    }
    expect(segments()).toBeGreaterThanOrEqual(many);
  });
});
