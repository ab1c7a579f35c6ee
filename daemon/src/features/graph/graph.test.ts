import { memoryGraph } from '@reverie/shared/contract/search/graph';
import { deleteMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { nearMemories } from './near.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const store = (
  namespace: string,
  memories: Record<string, string>,
  metadata: (at: number) => object = () => ({}),
) =>
  daemon.call(storeBatch, {
    body: {
      items: Object.entries(memories).map(([key, text], at) => ({
        key,
        value: text,
        namespace,
        metadata: { ...metadata(at) },
      })),
    },
  });
const graph = (namespace: string, key?: string, limit?: number) =>
  daemon.call(memoryGraph, {
    query: { namespace, ...(key !== undefined && { key }), ...(limit !== undefined && { limit }) },
  });

describe('the graph around a memory', () => {
  test('is empty where nothing is remembered, and 404 around what is not there', async () => {
    expect(await graph('nowhere')).toEqual({ namespace: 'nowhere', center: null, nodes: [], links: [] });
    await expect(graph('nowhere', 'absent')).rejects.toMatchObject({ code: 'memory_not_found' });
  });

  test('begins with what was changed last, and has what is near it in meaning', async () => {
    await store('garden', {
      tomatoes: 'The tomatoes in the greenhouse need water every evening.',
      server: 'The payment server listens on port 8443.',
      cucumbers: 'Cucumbers in the greenhouse want water in the evening, too.',
    });
    const { center, nodes, links } = await graph('garden');
    expect(nodes.find(({ hops }) => hops === 0)?.key).toBe(center);
    const joined = links
      .filter(({ kind }) => kind === 'similar')
      .map(({ from, to, weight }) => ({ pair: [from, to].sort().join(), weight }))
      .sort((a, b) => b.weight - a.weight);
    expect(joined[0]?.pair).toBe('cucumbers,tomatoes');
  });

  test('says what is nearest to a memory, and never that it is the memory itself', async () => {
    await store('nearest', {
      a: 'The tomatoes want water.',
      b: 'Water for the tomatoes.',
      c: 'The server is red.',
    });
    const near = daemon.withStore((opened) =>
      opened.read((db) => {
        const chunks = db
          .prepare<[], { id: number; memory_id: number; vector: Buffer | null }>(
            "SELECT c.id, c.memory_id, c.vector FROM chunks c JOIN memories m ON m.id = c.memory_id WHERE m.key IN ('a', 'b', 'c') AND m.namespace_id = (SELECT id FROM namespaces WHERE name = 'nearest') ORDER BY m.key",
          )
          .all();
        const [own, ...others] = chunks.map(({ memory_id }) => memory_id);
        const vectors = {
          dimensions: chunks[0]?.vector?.byteLength ?? 0,
          // As the index answers: the memory itself first, and one of its neighbours twice.
          search: () => chunks.map(({ id }, at) => ({ id, cosine: 1 - at / 10 })),
          memoriesOf: (ids: readonly number[]) =>
            new Map(chunks.filter(({ id }) => ids.includes(id)).map(({ id, memory_id }) => [id, memory_id])),
        };
        const found = nearMemories(db, vectors, { memoryId: own ?? 0, limit: 2 });
        return { found: found.map(({ memoryId }) => memoryId), others };
      }),
    );
    expect(near.others).toHaveLength(2);
    expect(near.found).toEqual(near.others);
  });

  test('has the turns of a session next to each other', async () => {
    await store(
      'talk',
      { a: 'Shall we paint the shed?', b: 'Yes, green.', c: 'Then I buy paint.' },
      (at) => ({
        session: 's1',
        timestamp: `2026-11-0${at + 1}T10:00:00Z`,
      }),
    );
    const { links } = await graph('talk', 'b');
    const turns = links
      .filter(({ kind }) => kind === 'session')
      .map(({ from, to }) => [from, to].sort().join());
    expect(turns.sort()).toEqual(['a,b', 'b,c']);
  });

  test('joins facts about the same thing, and forgets what is deleted', async () => {
    await store('facts', {
      lives: '# Bruno Almeida\nPhone: 01 23 45',
      works: '| Name | Phone |\n|-|-|\n| Bruno Almeida | 01 23 46 |',
      other: 'Sourdough needs twelve hours in the fridge.',
    });
    const { links } = await graph('facts', 'lives');
    expect(links.filter(({ kind }) => kind === 'fact').map(({ to }) => to)).toEqual(['works']);
    await daemon.call(deleteMemory, { body: { namespace: 'facts', key: 'works' } });
    const after = await graph('facts', 'lives');
    expect(after.nodes.map(({ key }) => key).sort()).toEqual(['lives', 'other']);
    expect(after.links.filter(({ kind }) => kind === 'fact')).toEqual([]);
  });

  test('quotes the line that says something of the same thing', async () => {
    await store('quoted', { a: '# Ada\nPhone: 01', b: '# Ada\nPhone: 02' });
    const told = await graph('quoted', 'a');
    expect(told.links.find(({ kind }) => kind === 'fact')?.why).toBe('“Phone: 02”');
  });

  test('has the whole of a small namespace, and only links of the kinds that are asked for', async () => {
    await store(
      'vault',
      { 'a/one': 'See [[two]].', 'a/two': 'The shed is green.', lone: 'The payments port is 8443.' },
      () => ({ tags: ['home'] }),
    );
    const { center, nodes, links } = await daemon.call(memoryGraph, {
      query: { namespace: 'vault', kinds: 'link,insight' },
    });
    expect(center).toBe('a/two');
    expect(nodes.map(({ key, hops, tags }) => ({ key, hops, tags }))).toEqual([
      { key: 'a/two', hops: 0, tags: ['home'] },
      { key: 'a/one', hops: 1, tags: ['home'] },
      { key: 'lone', hops: undefined, tags: ['home'] },
    ]);
    expect(links).toEqual([
      { from: 'a/two', to: 'a/one', kind: 'link', why: 'links to it as “two”', weight: 1 },
    ]);
  });

  test('stops at the limit', async () => {
    await store(
      'many',
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`k${n}`, `The note number ${n} of the shed`])),
    );
    const { nodes, links } = await graph('many', 'k3', 5);
    expect(nodes).toHaveLength(5);
    const keys = new Set(nodes.map(({ key }) => key));
    expect(links.every(({ from, to }) => keys.has(from) && keys.has(to))).toBe(true);
  });
});
