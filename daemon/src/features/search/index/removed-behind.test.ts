import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { askMemory } from '@reverie/shared/contract/search/ask';
import {
  clearNamespace,
  deleteMemory,
  listMemories,
  setMemory,
} from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { createBackup, status } from '@reverie/shared/contract/system/system';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore, type Store } from '../../../db/open-store.ts';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { loadStaticTable } from '../../../models/static-table.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { wipeAccount } from '../../accounts/wipe.store.ts';
import { deleteMemoryRow } from '../../memories/memories.store.ts';
import { countMatches, matchChunks } from '../ranking/candidates.store.ts';
import {
  createCutter,
  createWaitingChunks,
  type Indexed,
  type IndexDeps,
  indexLeft,
  indexMemory,
  removeStale,
  unindexMemory,
  unindexNamespace,
} from './index.service.ts';
import { chunkRange, createTextIndex, staleAccounts } from './index.store.ts';
import { createSegments } from '../vectors/segments.ts';
import { bodiesBetween } from '../spelling/spelling.store.ts';

const account = 1 as AccountId;
/** What stands where in the text index: of chunks that are there, and of chunks that are gone. */
const counted = (store: Store) =>
  store.read((db) =>
    db
      .prepare<[], { words: number; chunks: number; stale: number }>(
        `SELECT (SELECT count(*) FROM text_1_content) AS words, (SELECT count(*) FROM chunks) AS chunks,
           (SELECT count(*) FROM removed_chunks) AS stale`,
      )
      .get(),
  );

/** What it takes to index; `stale` counts how often words were left. */
function indexing(): { deps: IndexDeps; stale: () => number } {
  const embedder = loadStaticTable();
  let left = 0;
  const none = () => undefined;
  const stale = () => void (left += 1);
  const deps = { embedder, segments: createSegments(embedder), touched: none, removed: none };
  return { deps: { ...deps, wake: none, left: none, stale }, stale: () => left };
}

describe('the words of a long text that is gone', () => {
  let store: Store;
  let world: ReturnType<typeof indexing>;
  const long = 'the boiler is warm today. '.repeat(1_000);
  const texts = [long, 'a boiler', long];

  const memory = (id: number): Indexed => {
    const value = texts[id - 1] ?? '';
    return {
      id,
      account,
      namespaceId: id === 3 ? 2 : 1,
      key: `note ${id}`,
      value,
      metadata: '{}',
      place: undefined,
    };
  };
  function write(one: Indexed): void {
    store.write((db) => {
      db.prepare<[string, number]>('UPDATE memories SET value = ? WHERE id = ?').run(one.value, one.id);
      indexMemory(db, world.deps, { memory: one, before: undefined });
    });
    const [cut, waiting] = [createCutter(), createWaitingChunks()];
    while (store.write((db) => indexLeft(db, { ...world.deps, cut, waiting }, account)));
  }
  beforeEach(() => {
    world = indexing();
    store = openStore({ file: ':memory:', migrations: loadMigrations() });
    store.write((db) => {
      db.exec(`INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1);
        INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at)
          VALUES (1, 1, 'default', 2, 2, 0, 0, 1), (2, 1, 'other', 1, 1, 0, 0, 1)`);
      createTextIndex(db, account);
      const add = db.prepare<[number, number, string]>(
        `INSERT INTO memories (id, account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at)
         VALUES (?, 1, ?, ?, '', '{}', 'note', 1, 1, 1, 1)`,
      );
      for (const id of [1, 2, 3]) add.run(id, memory(id).namespaceId, memory(id).key);
    });
  });
  afterEach(() => store.close());

  const remove = (id: number) => store.write((db) => unindexMemory(db, world.deps, memory(id)));
  const step = () => store.write((db) => removeStale(db, world.deps, account));
  const clear = (namespaceId: number) =>
    store.write((db) => unindexNamespace(db, world.deps, { account, namespaceId }));

  test('are taken out a chunk at a time, behind what deleted it', () => {
    write(memory(1));
    write(memory(2));
    const words = Number(counted(store)?.words);
    remove(1);
    expect([counted(store), world.stale()]).toEqual([{ words, chunks: 1, stale: words - 1 }, 1]);
    for (let done = 1; done < words; done += 1) {
      expect(step()).toBe(true);
      expect(counted(store)).toEqual({ words: words - done, chunks: 1, stale: words - 1 - done });
    }
    expect(step()).toBe(false);
    expect(words).toBeGreaterThan(20);
  });

  test('of a short one are out at once', () => {
    write(memory(2));
    remove(2);
    expect([counted(store), world.stale()]).toEqual([{ words: 0, chunks: 0, stale: 0 }, 0]);
  });

  test('are read by nobody before that, and crowd out nothing', () => {
    write(memory(1));
    write({ ...memory(1), value: 'the boiler is cold' });
    write(memory(2));
    expect(counted(store)?.stale).toBeGreaterThan(20);
    const range = chunkRange(1);
    const match = '"boiler"';
    store.read((db) => {
      expect(matchChunks(db, account, { match, limit: 3, ...range })).toHaveLength(2);
      expect(matchChunks(db, account, { match, limit: 3, most: 2, ...range })).toHaveLength(2);
      for (const namespaces of [undefined, [1], [1, 2]])
        expect(countMatches(db, account, { match, namespaces })).toBe(2);
      expect(bodiesBetween(db, account, { namespaceId: 1, from: 0, to: 1_000 })).toHaveLength(2);
    });
  });

  test('go with a whole namespace behind it, too, beside others', () => {
    for (const id of [1, 2, 3]) write(memory(id));
    const { words, chunks } = counted(store) ?? { words: 0, chunks: 0 };
    clear(2);
    const stale = Number(counted(store)?.stale);
    expect([counted(store), world.stale()]).toEqual([{ words, chunks: chunks - stale, stale }, 1]);
    expect(stale).toBeGreaterThan(20);
    while (step());
    expect(counted(store)).toEqual({ words: words - stale, chunks: chunks - stale, stale: 0 });
  });

  test('of a small namespace are out at once', () => {
    for (const id of [2, 3]) write(memory(id));
    const { words = 0 } = counted(store) ?? {};
    clear(1);
    expect([counted(store), world.stale()]).toEqual([{ words: words - 1, chunks: words - 1, stale: 0 }, 0]);
  });

  test('are owed no more where the index is made anew, or the account is wiped', () => {
    write(memory(1));
    write(memory(2));
    remove(1);
    clear(1);
    expect([counted(store), step()]).toEqual([{ words: 0, chunks: 0, stale: 0 }, false]);
    write(memory(3));
    remove(3);
    expect(store.read(staleAccounts)).toEqual([account]);
    store.write((db) => wipeAccount(db, account));
    expect([store.read(staleAccounts), step()]).toEqual([[], false]);
  });
});

describe('a memory of a hundred thousand characters', () => {
  let daemon: TestDaemon;
  beforeEach(async () => {
    daemon = await startTestDaemon();
    await daemon.call(setMemory, { body: { key: 'long', value: long } });
    await daemon.call(setMemory, { body: { key: 'other', value: 'A note of the boiler.' } });
    while ((await daemon.call(status, {})).indexing.pending > 0) await pause(2);
  });
  afterEach(() => daemon.stop());

  const long = `zebrafirst ${'the boiler is warm today. '.repeat(4_000)} zebralast`;
  const rows = () => daemon.withStore(counted);
  const problems = (file = daemon.home.database) => verifyDatabase(file).problems;
  const found = async (query: string) => {
    const { results } = await daemon.call(searchMemories, { body: { query } });
    return results.map(({ key }) => key);
  };
  const removed = async () => {
    while (rows()?.stale !== 0) await pause(2);
  };
  /** As a kill leaves it that comes right behind the deletion: nobody goes on with what is left. */
  const killed = () =>
    daemon.withStore((store) =>
      store.write((db) => {
        const row = db
          .prepare<[], { id: number; namespaceId: number; bytes: number }>(
            `SELECT id, namespace_id AS namespaceId, bytes FROM memories WHERE key = 'long'`,
          )
          .get();
        if (!row) throw new Error('it was stored');
        const memory = { ...row, account, key: 'long', value: long, metadata: '{}', place: undefined };
        unindexMemory(db, indexing().deps, memory);
        deleteMemoryRow(db, row.id);
        db.prepare<[number]>('UPDATE namespaces SET memories = memories - 1, bytes = bytes - ?').run(
          row.bytes,
        );
      }),
    );

  test('is found by nobody once it is deleted, and a start takes out what a kill left', async () => {
    killed();
    const before = rows();
    expect(before?.stale).toBeGreaterThan(50);
    expect(await found('"zebrafirst"')).toEqual([]);
    expect(await found('"zebralast"')).toEqual([]);
    expect(await found('the boiler is warm today')).toEqual(['other']);
    const { memories } = await daemon.call(listMemories, { body: { query: '"warm today"' } });
    expect(memories).toEqual([]);
    const { citations } = await daemon.call(askMemory, { body: { question: 'Is the boiler warm today?' } });
    expect(citations.filter(({ key }) => key !== 'other')).toEqual([]);
    expect([rows(), problems()]).toEqual([before, []]);
    await daemon.restart();
    await removed();
    expect([rows(), problems()]).toEqual([{ words: 1, chunks: 1, stale: 0 }, []]);
  });

  test('is whole in a backup that is taken meanwhile, and gone when that is opened', async () => {
    killed();
    const { file } = await daemon.call(createBackup, { body: { name: 'meanwhile.db' } });
    const copy = path.join(daemon.home.folder, 'backups', path.basename(file));
    expect(problems(copy)).toEqual([]);
    const { deps } = indexing();
    const store = openStore({ file: copy, migrations: loadMigrations() });
    expect(store.read(staleAccounts)).toEqual([account]);
    while (store.write((db) => removeStale(db, deps, account)));
    expect(counted(store)).toEqual({ words: 1, chunks: 1, stale: 0 });
    store.close();
    expect(problems(copy)).toEqual([]);
  });

  test('that is overwritten, deleted or cleared leaves no word behind', async () => {
    await daemon.call(setMemory, { body: { key: 'long', value: 'short now' } });
    expect(await found('"zebralast"')).toEqual([]);
    expect(await found('"short now"')).toEqual(['long']);
    await removed();
    expect([rows(), problems()]).toEqual([{ words: 2, chunks: 2, stale: 0 }, []]);

    await daemon.call(setMemory, { body: { key: 'long', value: long, namespace: 'elsewhere' } });
    while ((await daemon.call(status, {})).indexing.pending > 0) await pause(2);
    await daemon.call(clearNamespace, { body: { namespace: 'elsewhere' } });
    await daemon.call(deleteMemory, { body: { key: 'other' } });
    // Stopped in the middle, or not begun.
    await daemon.restart();
    await removed();
    expect([rows(), problems()]).toEqual([{ words: 1, chunks: 1, stale: 0 }, []]);
  });
});
