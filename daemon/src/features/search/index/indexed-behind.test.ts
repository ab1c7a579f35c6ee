import type { AccountId } from '@reverie/shared/accounts/caller';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { status } from '@reverie/shared/contract/system/system';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSearch } from '../../../compose/search/search.ts';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore, type Store } from '../../../db/open-store.ts';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { createBackgroundEmbedder } from '../../../models/background-embedder.ts';
import { loadStaticTable } from '../../../models/static-table.ts';
import { createLog } from '../../../platform/log.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { createCutter, createWaitingChunks, indexLeft, indexMemory } from './index.service.ts';
import { createTextIndex } from './index.store.ts';
import { createSegments, type Segments } from '../vectors/segments.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

const found = async (query: string) => {
  const { results } = await daemon.call(searchMemories, { body: { query } });
  return results.map(({ key }) => key);
};
/** Some 100,000 characters, with a word that stands nowhere else at the beginning, and at the end. */
const long = (word: string) => `${word}first ${'the boiler is warm today. '.repeat(4_000)} ${word}last`;
/** Chunks that the text index does not have yet. */
const waiting = () =>
  daemon.withStore((store) =>
    store.read((db) =>
      db
        .prepare<[], { key: string; chunks: number }>(
          `SELECT m.key, count(*) AS chunks FROM chunks c JOIN memories m ON m.id = c.memory_id
           WHERE c.model = 'unindexed' GROUP BY m.key ORDER BY m.key`,
        )
        .all(),
    ),
  );

test('a long text is found as soon as it is written, from its first word to its last', async () => {
  await daemon.call(setMemory, { body: { key: 'long', value: long('zebra') } });
  expect(await found('zebrafirst')).toEqual(['long']);
  expect(await found('zebralast')).toEqual(['long']);
  expect(waiting()).toEqual([]);
});

test('it is on the disk before it is indexed, and not cut yet', async () => {
  const seen: { key: string; chunks: number }[] = [];
  const writing = daemon.call(setMemory, { body: { key: 'long', value: long('zebra') } });
  while (seen.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(...waiting());
  }
  await writing;
  expect(seen).toEqual([{ key: 'long', chunks: 1 }]);
});

test('what was left at the end is indexed after the next start', async () => {
  await daemon.call(setMemory, { body: { key: 'long', value: long('zebra') } });
  while ((await daemon.call(status, {})).indexing.pending > 0) await pause(2);
  // As if it had ended right behind the write: all but the first chunk are still to be cut, and none has words.
  daemon.withStore((store) =>
    store.write((db) => {
      db.exec('DELETE FROM text_1');
      const chunks = Number(
        db.prepare<[], { count: number }>('SELECT count(*) AS count FROM chunks').get()?.count,
      );
      db.exec('DELETE FROM chunks WHERE position > 0');
      db.exec("UPDATE chunks SET model = 'unindexed', scale = NULL, vector = NULL");
      db.prepare('UPDATE namespaces SET chunks = chunks - ?').run(chunks - 1);
    }),
  );
  await daemon.restart();
  expect(await found('zebralast')).toEqual(['long']);
  while ((await daemon.call(status, {})).indexing.pending > 0) await pause(2);
  expect(waiting()).toEqual([]);
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
});

test('a large write waits until the one before it is indexed', async () => {
  const batch = (key: string, value: string) =>
    daemon.call(importMemories, { body: { items: [{ key, namespace: 'default', value }] } });
  await batch('first', long('zebra'));
  expect(waiting().map(({ key }) => key)).toEqual(['first']);
  await batch('second', 'short');
  expect(waiting()).toEqual([]);
});

test('a batch of many is found, and what is deleted or overwritten meanwhile is not', async () => {
  const items = Array.from({ length: 40 }, (_, n) => ({
    key: `note ${n}`,
    namespace: 'default',
    value: `word${n} ${'some text that is here. '.repeat(200)}`,
  }));
  await daemon.call(importMemories, { body: { items } });
  await daemon.call(deleteMemory, { body: { key: 'note 39' } });
  await daemon.call(setMemory, { body: { key: 'note 38', value: 'short now' } });
  expect(await found('word37')).toContain('note 37');
  expect(await found('"word39"')).toEqual([]);
  expect(await found('"word38"')).toEqual([]);
  expect(await found('"short now"')).toEqual(['note 38']);
  expect(waiting()).toEqual([]);
});

describe('what a write left behind it', () => {
  const account = 1 as AccountId;
  let store: Store;
  beforeEach(() => {
    store = openStore({ file: ':memory:', migrations: loadMigrations() });
    store.write((db) => {
      db.exec(`INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1);
        INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (1, 1, 'default', 1, 1, 0, 0, 1);
        INSERT INTO memories (id, account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at)
          VALUES (1, 1, 1, 'long', '', '{}', 'note', 1, 1, 1, 1)`);
      db.prepare<[string]>('UPDATE memories SET value = ?').run(value);
      createTextIndex(db, account);
    });
  });
  afterEach(() => store.close());

  const value = 'the boiler is warm today. '.repeat(1_000);
  const memory = { id: 1, account, namespaceId: 1, key: 'long', value, metadata: '{}', place: undefined };
  const chunks = (model: string | null) =>
    store.read((db) =>
      db
        .prepare<[string | null], number>('SELECT id FROM chunks WHERE model IS ? ORDER BY id')
        .pluck()
        .all(model),
    );

  test('is indexed when a query is prepared', async () => {
    const log = createLog('silent');
    const embedder = loadStaticTable();
    const clock = createFakeClock();
    const background = createBackgroundEmbedder({ now: clock.now });
    const [table, reach] = [() => embedder, () => undefined];
    const search = createSearch({ store, clock, log, embedder, background, table, reach });
    store.write((db) => search.index.put(db, memory, undefined));
    expect(chunks('unindexed')).toHaveLength(1);
    await search.prepare(['boiler'], { account, namespace: 'default' });
    expect(chunks('unindexed')).toEqual([]);
    expect(chunks(embedder.model).length).toBeGreaterThan(20);
  });

  test.each([false, true])('has its vectors: made elsewhere %j', (isRemote) => {
    const embedder = { ...loadStaticTable(), isRemote };
    const added: number[] = [];
    const add: Segments['add'] = ({ id }) => void added.push(id);
    const segments = { ...createSegments(embedder), add };
    let woken = 0;
    const wake = () => void (woken += 1);
    const none = () => undefined;
    const deps = { embedder, segments, touched: none, removed: none, left: none, stale: none, wake };
    store.write((db) => indexMemory(db, deps, { memory, before: undefined }));
    const [cut, waiting] = [createCutter(), createWaitingChunks()];
    while (store.write((db) => indexLeft(db, { ...deps, cut, waiting }, account)));
    const [made, wait] = [chunks(embedder.model), chunks(null)];
    expect(isRemote ? wait.length : made.length).toBeGreaterThan(20);
    expect([added, woken]).toEqual(isRemote ? [[], wait.length] : [made, 0]);
  });
});
