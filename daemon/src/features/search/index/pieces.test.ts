import type { AccountId } from '@reverie/shared/accounts/caller';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../../../db/open-store.ts';
import { loadMigrations } from '../../../db/migrations.ts';
import { loadStaticTable } from '../../../models/static-table.ts';
import { createFrequencies } from '../ranking/frequencies.ts';
import { createTextIndex, textTable } from './index.store.ts';
import { createMeanings } from '../query/meanings.ts';
import type { PiecewiseDeps, SearchScope } from '../query/query.ts';
import { createSegments } from '../vectors/segments.ts';
import { createSpelling } from '../spelling/spelling.ts';
import { search } from '../search.service.ts';
import { wordsStream } from '../vectors/streams.ts';

const account = 1 as AccountId;
const namespace = 'large';
const NAMESPACE_ID = 1;
const MEMORIES = 9_000;
const WORDS = ['apple', 'pear', 'plum', 'grape', 'peach', 'quince'];

let store: Store;
let looks = 0;
let turns = 0;
let deps: PiecewiseDeps;

/** Says each of a few words again and again, so that looking for them walks many places. */
const valueOf = (n: number) =>
  Array.from({ length: 40 }, (_, at) => WORDS[(n * 7 + at * (1 + (n % 5))) % WORDS.length]).join(' ');

beforeAll(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  store.write((db) => {
    db.prepare<[]>(
      `INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc_1', 'machine', 'pro', 0)`,
    ).run();
    db.prepare<[number, string]>(
      'INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (?, 1, ?, 9000, 0, 9000, 9001, 1)',
    ).run(NAMESPACE_ID, namespace);
    createTextIndex(db, account);
    for (let n = 1; n <= MEMORIES; n += 1) {
      const chunk = NAMESPACE_ID * 2 ** 31 + n;
      db.prepare<[number, string, string]>(
        `INSERT INTO memories (id, account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at)
         VALUES (?, 1, 1, ?, ?, '{}', 'note', 1, 1, 0, 0)`,
      ).run(n, `${n}`, valueOf(n));
      db.prepare<[number, number]>(
        'INSERT INTO chunks (id, account, memory_id, position) VALUES (?, 1, ?, 0)',
      ).run(chunk, n);
      db.prepare<[number, string]>(
        `INSERT INTO ${textTable(account)} (rowid, body, context) VALUES (?, ?, '')`,
      ).run(chunk, valueOf(n));
    }
  });
  const embedder = loadStaticTable();
  deps = {
    embedder,
    segments: createSegments(embedder),
    frequencies: createFrequencies(),
    meanings: createMeanings(() => embedder),
    spelling: createSpelling(() => true),
    store: {
      read(run) {
        looks += 1;
        return store.read(run);
      },
    },
    yieldToOthers: async () => void (turns += 1),
  };
});
afterAll(() => store.close());

const find = async (among?: ReadonlySet<number>, where: Partial<SearchScope> = {}) => {
  looks = turns = 0;
  return wordsStream(deps, { account, namespace, ...where, among, queries: [WORDS.join(' ')], limit: 50 });
};

/** What SQLite finds in one piece. */
function whole(among: (id: number) => boolean) {
  const table = textTable(account);
  const rows = store.read((db) =>
    db
      .prepare<[string], { id: number; score: number }>(
        `SELECT rowid AS id, -bm25(${table}, 1.0, 0.3) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY score DESC, rowid`,
      )
      .all(WORDS.map((word) => `"${word}"`).join(' OR ')),
  );
  return rows
    .map(({ id, score }) => ({ chunkId: id, memoryId: id - NAMESPACE_ID * 2 ** 31, score }))
    .filter(({ memoryId }) => among(memoryId))
    .slice(0, 50);
}

describe('words that stand at more places than may be walked at once', () => {
  test('are looked for in pieces, others have their turn before each, and they find the same', async () => {
    expect(await find()).toEqual(whole((id) => id <= MEMORIES));
    expect(looks).toBeGreaterThan(2);
    expect(turns).toBeGreaterThanOrEqual(looks - 1);
  });

  test('are looked for among some memories as often, not once for each of them', async () => {
    const some = new Set(Array.from({ length: 3_000 }, (_, n) => 3 * n + 1));
    expect(await find(some)).toEqual(whole((id) => some.has(id)));
    expect(looks).toBeLessThan(10);
    expect(turns).toBeGreaterThanOrEqual(looks - 1);
  });

  test('find nothing among none', async () => {
    expect(await find(new Set())).toEqual([]);
    expect(looks).toBe(0);
  });
});

describe('another way to say a query', () => {
  const all = { account, namespace, limit: MEMORIES };
  const texts = ['apple pear', 'apple 12 plum', 'quince'];

  test('finds the same as if it were looked for by itself', async () => {
    const together = await wordsStream(deps, { ...all, queries: texts });
    const best = new Map<number, number>();
    for (const text of texts)
      for (const { memoryId, score } of await wordsStream(deps, { ...all, queries: [text] }))
        best.set(memoryId, Math.max(best.get(memoryId) ?? 0, score));
    expect(new Map(together.map(({ memoryId, score }) => [memoryId, score.toFixed(9)]))).toEqual(
      new Map([...best].map(([memoryId, score]) => [memoryId, score.toFixed(9)])),
    );
  });

  test('is not looked for where it has no other word', async () => {
    const alone = await wordsStream(deps, { ...all, queries: ['apple pear'] });
    looks = 0;
    expect(await wordsStream(deps, { ...all, queries: ['apple pear', 'pear', 'apple'] })).toEqual(alone);
    const more = looks;
    looks = 0;
    await wordsStream(deps, { ...all, queries: ['apple pear'] });
    expect(more).toBe(looks + 2);
  });
});

describe('signs that no index knows', () => {
  test('are looked for value by value, in pieces, the newest first', async () => {
    store.write((db) => {
      const insert = db.prepare<[number, string, string, number, string | null]>(
        `INSERT INTO memories (id, account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at, hidden)
         VALUES (?, 1, 1, ?, ?, '{}', 'note', 1, 1, ?, 0, ?)`,
      );
      insert.run(50_001, '0', '§§§', 3, null);
      insert.run(50_002, '5 b', '§§§', 9, null);
      insert.run(50_003, 'a', '§§§', 5, null);
      insert.run(50_004, 'b', '§§§', 6, 'archived');
      insert.run(50_005, 'c', '§§¶', 7, null);
    });
    looks = turns = 0;
    const { found } = await search({ ...deps, store }, wanted('§§§'));
    expect(found.map(({ memoryId, score }) => [memoryId, score])).toEqual([
      [50_002, 1],
      [50_003, 1],
      [50_001, 1],
    ]);
    expect(turns).toBeGreaterThan(MEMORIES / 2_000);
    const among = new Set([50_001, 50_005]);
    expect((await search(deps, { ...wanted('§§§'), among })).found).toMatchObject([{ memoryId: 50_001 }]);
  });

  const wanted = (query: string) => ({ account, namespace, query, limit: 10, threshold: 0 });
});

describe('words of several namespaces', () => {
  const SMALL = 40;
  const everywhere: Partial<SearchScope> = { namespace: '*', readable: (name) => !name.startsWith('theirs') };
  const isMine = (chunk: number) => chunk < 2 ** 32 || Math.floor(chunk / 2 ** 31) % 3 !== 0;

  /** What SQLite finds in one piece, without what is not looked at. */
  const mine = () =>
    store.read((db) =>
      db
        .prepare<[string], { chunkId: number; score: number }>(
          `SELECT rowid AS chunkId, -bm25(${textTable(account)}, 1.0, 0.3) AS score FROM ${textTable(account)}
           WHERE ${textTable(account)} MATCH ? ORDER BY score DESC, rowid`,
        )
        .all(WORDS.map((word) => `"${word}"`).join(' OR '))
        .filter(({ chunkId }) => isMine(chunkId)),
    );

  beforeAll(() => {
    store.write((db) => {
      for (let id = 2; id < 2 + SMALL; id += 1) {
        db.prepare<[number, string]>(
          'INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (?, 1, ?, 20, 0, 20, 21, 1)',
        ).run(id, id % 3 === 0 ? `theirs ${id}` : `mine ${id}`);
        for (let n = 1; n <= 20; n += 1) {
          const [memory, chunk] = [id * 100_000 + n, id * 2 ** 31 + n];
          db.prepare<[number, number, string]>(
            `INSERT INTO memories (id, account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at)
             VALUES (?, 1, ?, ?, '', '{}', 'note', 1, 1, 0, 0)`,
          ).run(memory, id, `${memory}`);
          db.prepare<[number, number]>(
            'INSERT INTO chunks (id, account, memory_id, position) VALUES (?, 1, ?, 0)',
          ).run(chunk, memory);
          // They are not all as long: scores tell most of them apart.
          db.prepare<[number, string]>(
            `INSERT INTO ${textTable(account)} (rowid, body, context) VALUES (?, ?, '')`,
          ).run(chunk, `${`${WORDS.join(' ')} `.repeat(7)} ${'and '.repeat((7 * id + 3 * n) % 20)}`);
        }
      }
    });
    deps = { ...deps, frequencies: createFrequencies() };
  });

  test('are looked for in pieces as well, small namespaces together, and in no others', async () => {
    const found = await find(undefined, everywhere);
    const there = mine().slice(0, 50);
    expect(found.map(({ chunkId, score }) => ({ chunkId, score }))).toEqual(there);
    expect(new Set(found.map(({ chunkId }) => Math.floor(chunkId / 2 ** 31))).size).toBeGreaterThan(3);
    expect(looks).toBeGreaterThan(2);
    expect(looks).toBeLessThan(10);
    expect(turns).toBeGreaterThanOrEqual(looks - 1);
  });

  test('are looked for among some memories of them as often', async () => {
    const some = new Set(
      Array.from({ length: 50 }, (_, n) => [n + 1, 200_001 + n, 300_001 + n, 400_001 + n]).flat(),
    );
    const found = await find(some, everywhere);
    expect(found).toHaveLength(50);
    expect(found.every(({ memoryId, chunkId }) => some.has(memoryId) && isMine(chunkId))).toBe(true);
    expect(looks).toBeLessThan(10);
  });
});
