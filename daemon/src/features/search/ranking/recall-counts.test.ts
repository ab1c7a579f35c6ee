import fs from 'node:fs';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { deleteMemory, getMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { dreamHealth } from '@reverie/shared/contract/dreams/dreams';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { storeAll } from '../../dreams/testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
  await storeAll(daemon.call, { a: 'The garage code is 4711.', b: 'The tram leaves at nine.' });
});
afterEach(() => daemon.stop());

const DAY = 86_400_000;
const get = (key: string) => daemon.call(getMemory, { body: { key, namespace: 'n' } });
const search = (query: string, limit = 1) =>
  daemon.call(searchMemories, { body: { query, namespace: 'n', limit } });
const rows = () => {
  daemon.clock.advance(1000);
  return daemon.withStore((store) =>
    store.read((db) =>
      db
        .prepare<[], { key: string; day: number; count: number; queries: number }>(
          `SELECT m.key, r.day, r.count, length(r.queries) / 4 AS queries FROM memory_recalls r JOIN memories m ON m.id = r.memory_id
           ORDER BY m.key, r.day`,
        )
        .all(),
    ),
  );
};

test('recalls are counted by memory and day, different queries once, however they are spelled', async () => {
  const today = Math.floor(daemon.clock.now() / DAY);
  await get('a');
  await search('garage code');
  await search(' GARAGE  code');
  expect(rows()).toEqual([{ key: 'a', day: today, count: 3, queries: 1 }]);
  await search('what is the code of the garage');
  daemon.clock.advance(DAY);
  await search('garage code');
  expect(rows()).toEqual([
    { key: 'a', day: today, count: 4, queries: 2 },
    { key: 'a', day: today + 1, count: 1, queries: 1 },
  ]);
  const health = await daemon.call(dreamHealth, { query: { namespace: 'n' } });
  expect(health).toMatchObject({ memories: 2, never_recalled: 1 });
});

test('a question counts for what its answer quotes', async () => {
  const { answer, citations } = await daemon.call(askMemory, {
    body: { question: 'When does the tram leave?', namespace: 'n' },
  });
  expect(citations.map(({ key }) => key)).toContain('b');
  expect(
    rows()
      .map(({ key }) => key)
      .sort(),
  ).toEqual(
    citations
      .filter(({ quote }) => answer.includes(quote))
      .map(({ key }) => key)
      .sort(),
  );
});

test('of many queries as many are told apart as fit, and none stands in the database', async () => {
  for (let n = 0; n < 40; n += 1) await search(`garage xwobblequonk${n}`);
  expect(rows()).toEqual([expect.objectContaining({ key: 'a', count: 40, queries: 32 })]);
  for (const suffix of ['', '-wal'])
    expect(fs.readFileSync(daemon.home.database + suffix).toString('latin1')).not.toContain('wobblequonk');
});

test('they go with their memory, after 180 days, and are written before a stop', async () => {
  await get('a');
  await get('b');
  await daemon.restart();
  expect(rows()).toHaveLength(2);
  await daemon.call(deleteMemory, { body: { key: 'a', namespace: 'n' } });
  expect(rows().map(({ key }) => key)).toEqual(['b']);
  daemon.clock.advance(181 * DAY);
  expect(rows()).toEqual([]);
});
