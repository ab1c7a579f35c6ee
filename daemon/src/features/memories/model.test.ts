import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { byteLength, type JsonObject } from '@reverie/shared/contract/fields';
import * as contract from '@reverie/shared/contract/memories';
import * as portable from '@reverie/shared/contract/portable';
import * as searchContract from '@reverie/shared/contract/search';
import { verifyDatabase } from '../../db/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const NAMESPACES = ['default', 'päpers'];
const KEYS = ['k2', 'k10', 'error:a', 'ключ', '🗼', 'z'];

interface Remembered {
  value: string;
  metadata: JsonObject;
  created: number;
  updated: number;
}
/** By namespace, then by key. */
type Model = Map<string, Map<string, Remembered>>;

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

function remember(model: Model, item: Put, now: number): void {
  const space = model.get(item.namespace) ?? new Map<string, Remembered>();
  model.set(item.namespace, space);
  const old = space.get(item.key);
  if (old?.value === item.value && JSON.stringify(old.metadata) === JSON.stringify(item.metadata)) return;
  const updated = old ? Math.max(now, old.updated + 1) : now;
  space.set(item.key, { value: item.value, metadata: item.metadata, created: old?.created ?? now, updated });
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
      const old = model.get(one.item.namespace)?.get(one.item.key);
      // What is here and newer is kept.
      if (old && old.updated > then) return expect(outcomes).toEqual(['kept']);
      model.get(one.item.namespace)?.delete(one.item.key);
      return remember(model, one.item, then);
    }
    case 'delete': {
      const { kind: _, ...body } = one;
      const deleted = await daemon.ask({ path: '/v1/memory-delete', body });
      const was = model.get(one.namespace)?.delete(one.key) ?? false;
      return expect(deleted.status).toBe(was ? 200 : 404);
    }
    case 'clear': {
      const { deleted } = await daemon.call(contract.clearNamespace, { body: { namespace: one.namespace } });
      expect(deleted).toBe(model.get(one.namespace)?.size ?? 0);
      return void model.delete(one.namespace);
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
  const expected = [...model].flatMap(([name, space]) => {
    const bytes = [...space.values()].reduce((sum, { value: one }) => sum + byteLength(one), 0);
    return space.size === 0 ? [] : [{ namespace: name, count: space.size, bytes }];
  });
  expect(namespaces.map(({ namespace: name, count, bytes }) => ({ namespace: name, count, bytes }))).toEqual(
    expected.sort((a, b) => Buffer.compare(Buffer.from(a.namespace), Buffer.from(b.namespace))),
  );
  for (const [name, space] of model) {
    const { memories, total } = await daemon.call(contract.listMemories, { body: { namespace: name } });
    const inOrder = [...space].sort(
      ([a, one], [b, two]) => one.created - two.created || Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    expect(total).toBe(space.size);
    expect(memories.map(({ class: _, ...memory }) => memory)).toEqual(
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
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
}

async function expectSameIndex(model: Model): Promise<void> {
  const items = [...model].flatMap(([name, space]) =>
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

describe('any sequence of writes', () => {
  test('equals a model in memory, is found by search, and its index is that of the rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const model: Model = new Map();
        for (const name of NAMESPACES)
          await daemon.call(contract.clearNamespace, { body: { namespace: name } });
        for (const one of steps) await run(model, one);
        await expectEqual(model);
        await expectSameIndex(model);
      }),
      { numRuns: 40 },
    );
  });
});
