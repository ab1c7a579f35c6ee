import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { saveMeta } from '../../../db/meta.store.ts';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore, type Store } from '../../../db/open-store.ts';
import { loadStaticTable } from '../../../models/static-table.ts';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { status } from '@reverie/shared/contract/system/system';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { piecesOf } from './cutting.ts';
import { type IndexDeps, indexMemory } from './index.service.ts';
import { CHUNK_SPAN, createTextIndex } from './index.store.ts';
import { createRecutting } from './recutting.ts';
import { createSegments } from '../vectors/segments.ts';
import { indexedText } from '../../../language/indexed-text.ts';

const words = (count: number, word: string) =>
  `${word} and other words of no importance. `.repeat(count).trim();
const handbook = (name: string) =>
  `# Handbook ${name}\n\n${words(5, 'zebra')}\n\n## Deploying\n\n${words(5, 'walrus')}\n\n| Host | Window |\n|---|---|\n| prod ${name} | Thursday |\n\n## Billing\n\n${words(14, 'ocelot')}\n\n${words(14, 'lemur')}\n`;
const plain = `A letter. ${words(60, 'badger')}`;

/** Puts the chunks of all memories in the place that an older program gave them: cut by length alone, below the title of the document. */
function cutAsBefore(store: Store, { vectors }: { vectors: boolean }): void {
  store.write((db) => {
    const memories = db
      .prepare<[], { id: number; account: number; key: string; value: string }>(
        'SELECT id, account, key, value FROM memories ORDER BY id',
      )
      .all();
    for (const { id, account, key, value } of memories) {
      const old = db
        .prepare<[number], { id: number; model: string | null; scale: number; vector: Buffer }>(
          'SELECT id, model, scale, vector FROM chunks WHERE memory_id = ? ORDER BY position',
        )
        .all(id);
      for (const chunk of old) {
        db.prepare('DELETE FROM chunks WHERE id = ?').run(chunk.id);
        db.prepare(`DELETE FROM text_${account} WHERE rowid = ?`).run(chunk.id);
      }
      const title = /^# (.*)$/mu.exec(value)?.[1] ?? '';
      const pieces = piecesOf(value);
      // What is hidden stands in another namespace than its own.
      const namespace = Math.floor((old[0]?.id ?? 0) / CHUNK_SPAN);
      const first = namespace * CHUNK_SPAN + 1_000_000 + id * 1_000;
      for (const [position, { text }] of pieces.entries()) {
        const body = text.includes(title) ? text : `${title}\n${text}`;
        const [some] = old;
        const vector = vectors ? [some?.model, some?.scale, some?.vector] : [null, null, null];
        db.prepare(
          'INSERT INTO chunks (id, account, memory_id, position, model, scale, vector) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ).run(first + position, account, id, position, ...vector);
        db.prepare(`INSERT INTO text_${account} (rowid, body, context) VALUES (?, ?, '')`).run(
          first + position,
          indexedText(`${key}\n${body}`),
        );
      }
      db.prepare('UPDATE namespaces SET chunks = chunks + ?, next_chunk = ? WHERE id = ?').run(
        pieces.length - old.length,
        1_000_000 + (id + 1) * 1_000,
        namespace,
      );
    }
    db.prepare("DELETE FROM meta WHERE name = 'recutting'").run();
    saveMeta(db, 'cutting', '1');
  });
}

interface Row {
  key: string;
  id: number;
  position: number;
  body: string;
  model: string | null;
}

const rowsOf = (store: Store, account: number): Row[] =>
  store.read((db) =>
    db
      .prepare<[], Row>(
        `SELECT m.key, c.id, c.position, t.body, c.model FROM chunks c JOIN memories m ON m.id = c.memory_id
         JOIN text_${account} t ON t.rowid = c.id ORDER BY m.key, c.position`,
      )
      .all(),
  );
const metaOf = (store: Store) =>
  store.read((db) =>
    Object.fromEntries(
      db.prepare<[], [string, string]>("SELECT name, value FROM meta WHERE name LIKE '%cutting'").raw().all(),
    ),
  );
/** As they are searched, without where they stand. */
const searched = (rows: readonly Row[]) => rows.map(({ key, position, body }) => ({ key, position, body }));

/** The account of a machine, which is made first. */
const MACHINE = 1;

describe('a home that an older program wrote', () => {
  let daemon: TestDaemon;
  beforeEach(async () => {
    daemon = await startTestDaemon();
  });
  afterEach(() => daemon.stop());

  const put = (key: string, value: string) => daemon.call(setMemory, { body: { key, value } });
  const lag = async () => (await daemon.call(status, {})).indexing.pending;
  const found = async (query: string) => {
    const { results } = await daemon.call(searchMemories, { body: { query } });
    return results.map(({ key }) => key);
  };

  test.each([{ vectors: true }, { vectors: false }])('is cut anew in the background (%o)', async (how) => {
    for (const name of ['one', 'two', 'three']) await put(name, handbook(name));
    await put('letter', plain);
    await put('kessel', 'Der Heizkessel wird im März gewartet.');
    await put('ladder', 'Søren keeps it.');
    const wanted = daemon.withStore((store) => rowsOf(store, MACHINE));
    const before = daemon.withStore((store) => {
      cutAsBefore(store, how);
      // Letters as ø were none of those that are folded.
      store.write((db) => db.exec(`UPDATE text_${MACHINE} SET body = replace(body, 'Soren', 'Søren')`));
      return rowsOf(store, MACHINE);
    });
    expect(searched(before)).not.toEqual(searched(wanted));
    await daemon.restart();
    // Whether it is done already or not: it is found.
    expect(await found('ocelot handbook two')).toContain('two');
    while ((await lag()) > 0) await pause(2);
    expect((await found('boiler'))[0]).toBe('kessel');
    expect(await found('"soren"')).toEqual(['ladder']);
    daemon.withStore((store) => {
      const after = rowsOf(store, MACHINE);
      expect(searched(after)).toEqual(searched(wanted));
      expect(after.every(({ model }) => model !== null)).toBe(true);
      // What is plain text stays where it was.
      const idsOf = (rows: readonly Row[]) => rows.filter(({ key }) => key === 'letter').map(({ id }) => id);
      expect(idsOf(after)).toEqual(idsOf(before));
      expect(metaOf(store)['cutting']).toBe('5');
    });
  });
});

describe('recutting', () => {
  let store: Store;
  let deps: IndexDeps;
  const accounts = [1, 2] as AccountId[];
  beforeEach(() => {
    store = openStore({ file: ':memory:', migrations: loadMigrations() });
    const embedder = loadStaticTable();
    const none = () => undefined;
    deps = {
      embedder,
      segments: createSegments(embedder),
      touched: none,
      removed: none,
      wake: none,
      left: none,
      stale: none,
    };
    store.write((db) => {
      for (const account of accounts) {
        db.prepare(
          "INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (?, ?, 'machine', 'machine', 1)",
        ).run(account, `acc_${account}`);
        createTextIndex(db, account);
      }
      const open = db.prepare(
        'INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (?, ?, ?, 0, 0, 0, 0, 1)',
      );
      open.run(1, 1, 'n');
      open.run(2, 1, 'shelf of n');
      open.run(3, 2, 'n');
    });
  });
  afterEach(() => store.close());

  function add(key: string, value: string, at: { account: number; namespace: number; shelf?: number }): void {
    store.write((db) => {
      const { lastInsertRowid } = db
        .prepare(
          `INSERT INTO memories (account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at)
           VALUES (?, ?, ?, ?, '{}', 'note', 1, 1, 1, 1)`,
        )
        .run(at.account, at.namespace, key, value);
      const memory = {
        id: Number(lastInsertRowid),
        account: at.account as AccountId,
        key,
        value,
        metadata: '{}',
      };
      const namespaceId = at.shelf ?? at.namespace;
      indexMemory(db, deps, { memory: { ...memory, namespaceId, place: undefined }, before: undefined });
    });
  }
  const counts = () =>
    store.read((db) =>
      db.prepare<[], [number, number]>('SELECT id, chunks FROM namespaces ORDER BY id').raw().all(),
    );

  test('goes on where it was when its process was killed, and does each memory once', () => {
    for (const at of [1, 2, 3]) add(`k${at}`, handbook(`${at}`), { account: 1, namespace: 1 });
    add('hidden', handbook('hidden'), { account: 1, namespace: 1, shelf: 2 });
    add('other', handbook('other'), { account: 2, namespace: 3 });
    const wanted = [rowsOf(store, 1), rowsOf(store, 2)].map(searched);
    const wantedCounts = counts();
    cutAsBefore(store, { vectors: true });

    const first = createRecutting(store, deps);
    expect([first.pending(), first.pending(accounts[0]), first.pending(accounts[1])]).toEqual([5, 4, 1]);
    expect(first.step()).toBe(true);
    const done = rowsOf(store, 1).filter(({ key }) => key === 'k1');
    const left = first.pending();
    expect(left).toBe(4);

    const second = createRecutting(store, deps);
    expect(second.pending()).toBe(left);
    // A memory that comes meanwhile is cut as it should be.
    add('new', handbook('new'), { account: 2, namespace: 3 });
    expect(second.pending()).toBe(left);
    let steps = 0;
    while (second.step()) steps++;
    expect(steps).toBe(4);
    expect(second.pending()).toBe(0);
    expect(searched(rowsOf(store, 1))).toEqual(wanted[0]);
    expect(searched(rowsOf(store, 2).filter(({ key }) => key === 'other'))).toEqual(wanted[1]);
    expect(rowsOf(store, 1).filter(({ key }) => key === 'k1')).toEqual(done);
    expect(counts().slice(0, 2)).toEqual(wantedCounts.slice(0, 2));
    expect(metaOf(store)['cutting']).toBe('5');
    expect(createRecutting(store, deps).step()).toBe(false);
  });

  test('has nothing to do in a home that is new', () => {
    const recutting = createRecutting(store, deps);
    expect(recutting.pending()).toBe(0);
    while (recutting.step());
    expect(metaOf(store)).toEqual({ cutting: '5' });
  });

  test('does nothing of a step whose transaction fails', () => {
    add('k', handbook('one'), { account: 1, namespace: 1 });
    cutAsBefore(store, { vectors: true });
    const before = rowsOf(store, 1);
    const broken: IndexDeps = {
      ...deps,
      embedder: {
        ...deps.embedder,
        encode: () => {
          throw new Error('no vector');
        },
        encodeMixed: undefined,
      } as IndexDeps['embedder'],
    };
    expect(() => createRecutting(store, broken).step()).toThrow('no vector');
    expect(rowsOf(store, 1)).toEqual(before);
    expect(metaOf(store)).toEqual({ cutting: '1' });
  });
});
