import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import fc from 'fast-check';
import { byteLength, type JsonObject } from '@reverie/shared/contract/fields';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory, tagMemories } from '@reverie/shared/contract/memories/naming';
import * as portable from '@reverie/shared/contract/memories/portable';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import * as searchContract from '@reverie/shared/contract/search/search';
import { emptyTrash, listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { verifyDatabase } from '../../db/backup/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const NAMESPACES = ['default', 'päpers'];
const KEYS = ['k2', 'k10', 'error:a', 'ключ', '🗼', 'z'];

interface Remembered {
  value: string;
  metadata: JsonObject;
  created: number;
  updated: number;
  /** What it said before, the last one first. */
  earlier: string[];
}
/** By namespace, then by key; what is in the trash, the last one first. */
interface Model {
  spaces: Map<string, Map<string, Remembered>>;
  trash: { namespace: string; key: string; memory: Remembered }[];
}

interface Put {
  namespace: string;
  key: string;
  value: string;
  metadata: JsonObject;
}
type Step =
  | { kind: 'set'; item: Put }
  | { kind: 'batch'; items: Put[] }
  | { kind: 'import'; item: Put; age: number }
  | { kind: 'delete'; namespace: string; key: string }
  | { kind: 'rename'; namespace: string; key: string; to: { namespace: string; key: string } }
  | { kind: 'tag'; namespace: string; key: string; add: string }
  | { kind: 'trash'; namespace: string; key: string }
  | { kind: 'restore'; namespace: string; key: string }
  | { kind: 'empty'; namespace: string }
  | { kind: 'clear'; namespace: string }
  | { kind: 'restart' };

const namespace = fc.constantFrom(...NAMESPACES);
const key = fc.constantFrom(...KEYS);
const words = fc.constantFrom('the', 'cat', 'sat', 'on', 'a', 'mat', 'Berlin', '東京', 'naïve', '42', '…');
const value = fc.oneof(
  { weight: 4, arbitrary: fc.array(words, { minLength: 1, maxLength: 12 }).map((list) => list.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).filter((one) => one.isWellFormed()),
  },
);
const metadata: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({}),
  fc.record({ session: fc.constantFrom('s', 't') }),
  fc.record({ session: fc.constantFrom('s', 't'), timestamp: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ tags: fc.array(words, { maxLength: 3 }), n: fc.integer() }),
);
const put = fc.record({ namespace, key, value, metadata });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: put.map((item) => ({ kind: 'set' as const, item })) },
  {
    weight: 3,
    arbitrary: fc
      .array(put, { minLength: 1, maxLength: 6 })
      .map((items) => ({ kind: 'batch' as const, items })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      item: put,
      age: fc.integer({ min: 1, max: 1000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), namespace, key }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      namespace,
      key,
      to: fc.record({ namespace, key }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tag' as const), namespace, key, add: words }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('trash' as const), namespace, key }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), namespace, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('empty' as const), namespace }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), namespace }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

let daemon: TestDaemon;
/** Gets the same memories in another order, for an index that was made anew. */
let replica: TestDaemon;
beforeAll(async () => {
  [daemon, replica] = await Promise.all([startTestDaemon(), startTestDaemon()]);
});
afterAll(() => Promise.all([daemon.stop(), replica.stop()]));

function spaceOf({ spaces }: Model, name: string): Map<string, Remembered> {
  const space = spaces.get(name) ?? new Map<string, Remembered>();
  spaces.set(name, space);
  return space;
}

function remember(model: Model, item: Put, now: number): void {
  const space = spaceOf(model, item.namespace);
  const old = space.get(item.key);
  if (old?.value === item.value && JSON.stringify(old.metadata) === JSON.stringify(item.metadata)) return;
  const updated = old ? Math.max(now, old.updated + 1) : now;
  const earlier = old ? [old.value, ...old.earlier] : [];
  space.set(item.key, {
    value: item.value,
    metadata: item.metadata,
    created: old?.created ?? now,
    updated,
    earlier,
  });
}

async function run(model: Model, one: Step): Promise<void> {
  daemon.clock.advance(10);
  const now = daemon.clock.now();
  switch (one.kind) {
    case 'set':
      await daemon.call(contract.setMemory, { body: one.item });
      return remember(model, one.item, now);
    case 'batch':
      await daemon.call(contract.storeBatch, { body: { items: one.items } });
      return one.items.forEach((item) => remember(model, item, now));
    case 'import': {
      const then = now - one.age;
      const created_at = new Date(then).toISOString();
      const items = [{ ...one.item, created_at, updated_at: created_at }];
      const { outcomes } = await daemon.call(portable.importMemories, { body: { items } });
      const space = spaceOf(model, one.item.namespace);
      const old = space.get(one.item.key);
      // What is here and newer is kept.
      if (old && old.updated > then) return expect(outcomes).toEqual(['kept']);
      const said = JSON.stringify([one.item.value, one.item.metadata, then, then]);
      const isSame = old && said === JSON.stringify([old.value, old.metadata, old.created, old.updated]);
      expect(outcomes).toEqual([isSame ? 'unchanged' : old ? 'updated' : 'created']);
      if (isSame) return;
      space.delete(one.item.key);
      remember(model, one.item, then);
      const written = space.get(one.item.key);
      // As new as what is here, but something else: the history has what was here.
      if (old && written) written.earlier = [old.value, ...old.earlier];
      return;
    }
    case 'delete': {
      const { kind: _, ...body } = one;
      const deleted = await daemon.ask({ path: '/v1/memory-delete', body });
      const was = spaceOf(model, one.namespace).delete(one.key);
      return expect(deleted.status).toBe(was ? 200 : 404);
    }
    case 'rename': {
      const { kind: _, ...body } = one;
      const { status } = await daemon.ask({ path: `/v1${renameMemory.path}`, body });
      const [from, to] = [spaceOf(model, one.namespace), spaceOf(model, one.to.namespace)];
      const memory = from.get(one.key);
      if (!memory) return expect(status).toBe(404);
      if (from === to && one.key === one.to.key) return expect(status).toBe(200);
      if (to.has(one.to.key)) return expect(status).toBe(409);
      expect(status).toBe(200);
      from.delete(one.key);
      return void to.set(one.to.key, memory);
    }
    case 'tag': {
      const { namespace: where, key: which, add } = one;
      const body = { items: [{ namespace: where, key: which }], add: [add] };
      const { status } = await daemon.ask({ path: `/v1${tagMemories.path}`, body });
      const memory = spaceOf(model, where).get(which);
      expect(status).toBe(memory ? 200 : 404);
      const tags = (memory?.metadata['tags'] ?? []) as string[];
      if (!memory || tags.includes(add)) return;
      const distinct = [...new Set(tags), add];
      const { tags: __, ...others } = memory.metadata;
      const metadata = { ...others, tags: distinct };
      return remember(model, { namespace: where, key: which, value: memory.value, metadata }, now);
    }
    case 'trash': {
      const { kind: _, ...item } = one;
      const { status } = await daemon.ask({ path: `/v1${trashMemories.path}`, body: { items: [item] } });
      const space = spaceOf(model, one.namespace);
      const memory = space.get(one.key);
      expect(status).toBe(memory ? 200 : 404);
      if (!memory) return;
      space.delete(one.key);
      return void model.trash.unshift({ ...item, memory });
    }
    case 'restore': {
      const { kind: _, ...item } = one;
      const { status } = await daemon.ask({ path: `/v1${restoreTrash.path}`, body: { items: [item] } });
      const at = model.trash.findIndex(
        (trashed) => trashed.namespace === one.namespace && trashed.key === one.key,
      );
      const trashed = model.trash[at];
      if (!trashed) return expect(status).toBe(404);
      const space = spaceOf(model, one.namespace);
      expect(status).toBe(space.has(one.key) ? 409 : 200);
      if (space.has(one.key)) return;
      model.trash.splice(at, 1);
      return void space.set(one.key, trashed.memory);
    }
    case 'empty': {
      const { deleted } = await daemon.call(emptyTrash, { body: { namespace: one.namespace } });
      const left = model.trash.filter((trashed) => trashed.namespace !== one.namespace);
      expect(deleted).toBe(model.trash.length - left.length);
      return void (model.trash = left);
    }
    case 'clear': {
      const reply = await daemon.call(contract.clearNamespace, { body: { namespace: one.namespace } });
      const left = model.trash.filter((trashed) => trashed.namespace !== one.namespace);
      expect([reply.deleted, reply.from_trash ?? 0]).toEqual([
        spaceOf(model, one.namespace).size,
        model.trash.length - left.length,
      ]);
      model.trash = left;
      return void model.spaces.delete(one.namespace);
    }
    case 'restart':
      return daemon.restart();
  }
}

/** Everything that search knows of each memory. */
function indexOf({ withStore }: TestDaemon): unknown[] {
  return withStore((store) =>
    store.read((db) => {
      const machine = db
        .prepare<[], { id: number }>("SELECT id FROM accounts WHERE kind = 'machine'")
        .get()?.id;
      return db
        .prepare<[], unknown>(
          `SELECT n.name, m.key, c.position, t.body, t.context, c.model, round(c.scale, 9) AS scale, hex(c.vector) AS vector
           FROM chunks c JOIN memories m ON m.id = c.memory_id JOIN namespaces n ON n.id = m.namespace_id
           JOIN text_${machine} t ON t.rowid = c.id ORDER BY n.name, m.key, c.position`,
        )
        .all();
    }),
  );
}

async function expectEqual(model: Model): Promise<void> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const { namespaces } = await daemon.call(contract.listNamespaces, {});
  const expected = [...model.spaces].flatMap(([name, space]) => {
    const bytes = [...space.values()].reduce((sum, { value: one }) => sum + byteLength(one), 0);
    return space.size === 0 ? [] : [{ namespace: name, count: space.size, bytes }];
  });
  expect(namespaces.map(({ namespace: name, count, bytes }) => ({ namespace: name, count, bytes }))).toEqual(
    expected.sort((a, b) => Buffer.compare(Buffer.from(a.namespace), Buffer.from(b.namespace))),
  );
  for (const [name, space] of model.spaces) {
    const { memories, total } = await daemon.call(contract.listMemories, { body: { namespace: name } });
    const inOrder = [...space].sort(
      ([a, one], [b, two]) => one.created - two.created || Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    expect(total).toBe(space.size);
    expect(memories.map(({ class: _, title: __, ...memory }) => memory)).toEqual(
      inOrder.map(([at, one]) => ({
        key: at,
        namespace: name,
        value: one.value,
        metadata: one.metadata,
        created_at: iso(one.created),
        updated_at: iso(one.updated),
      })),
    );
    for (const [at, { value: text }] of space) {
      const { results } = await daemon.call(searchContract.searchMemories, {
        body: { namespace: name, query: text, limit: 20 },
      });
      const hit = results.find((one) => one.key === at);
      expect([hit?.value, hit?.score], `${JSON.stringify(text)} is found by its exact text`).toEqual([
        text,
        1,
      ]);
    }
  }
  const { memories: trashed } = await daemon.call(listTrash, { query: {} });
  expect(trashed.map(({ namespace: name, key: at, value: text }) => [name, at, text])).toEqual(
    model.trash.map(({ namespace: name, key: at, memory }) => [name, at, memory.value]),
  );
  for (const [name, space] of model.spaces)
    for (const [at, { value: text, earlier }] of space) {
      const { versions } = await daemon.call(memoryHistory, { query: { namespace: name, key: at } });
      expect(versions.map((one) => one.value)).toEqual([text, ...earlier]);
    }
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
}

async function expectSameIndex(model: Model): Promise<void> {
  const items = [...model.spaces].flatMap(([name, space]) =>
    [...space].map(([at, one]) => ({
      namespace: name,
      key: at,
      value: one.value,
      metadata: one.metadata,
      created_at: new Date(one.created).toISOString(),
      updated_at: new Date(one.updated).toISOString(),
    })),
  );
  for (const name of NAMESPACES) await replica.call(contract.clearNamespace, { body: { namespace: name } });
  if (items.length > 0) await replica.call(portable.importMemories, { body: { items: items.reverse() } });
  expect(indexOf(daemon)).toEqual(indexOf(replica));
  expect(indexOf(daemon).length > 0).toBe(items.length > 0);
}

async function expectModelled(steps: readonly Step[]): Promise<void> {
  const model: Model = { spaces: new Map(), trash: [] };
  for (const name of NAMESPACES) await daemon.call(contract.clearNamespace, { body: { namespace: name } });
  for (const one of steps) await run(model, one);
  await expectEqual(model);
  await expectSameIndex(model);
}

describe('any sequence of writes', () => {
  test('equals a model in memory, is found by search, and its index is that of the rows', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), expectModelled), {
      numRuns: runs(12, 40),
    });
  });

  test('seed -228687325: an import as new as what is here, with other metadata, leaves that in the history', async () => {
    const item = { namespace: 'päpers', key: '🗼', value: 'the', metadata: {} };
    await expectModelled([
      { kind: 'batch', items: [item] },
      { kind: 'import', item: { ...item, metadata: { n: 0 } }, age: 10 },
    ]);
  });
});
