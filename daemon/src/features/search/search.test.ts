import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import fc from 'fast-check';
import type { Sent } from '@reverie/shared/contract/route';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as searchContract from '@reverie/shared/contract/search/search';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
const NOTES = [
  ['cat', 'The grey cat sleeps on the warm radiator all winter long.', { tags: ['pets'] }],
  [
    'deploy',
    'Deploy the staging server with `make deploy-staging` before Friday noon.',
    { tags: ['ops', 'work'] },
  ],
  ['error:db', 'ECONNREFUSED 127.0.0.1:5432 means that Postgres is not running.', { tags: ['ops'] }],
  ['skill:bread', 'Knead the dough for ten minutes, then let it rest overnight in the fridge.', {}],
  ['café', 'Le café de la gare ouvre à six heures.', {}],
  ['tokyo', '東京の会議は来週の月曜日です。', {}],
  ['symbols', '→ ∑ ≠ 🗼', {}],
  ['nul', 'before\u0000after the zero byte', {}],
] as const;

beforeAll(async () => {
  daemon = await startTestDaemon();
  for (const [key, value, metadata] of NOTES) {
    daemon.clock.advance(1000);
    const tags: string[] = 'tags' in metadata ? [...metadata.tags] : [];
    await daemon.call(contract.setMemory, { body: { key, value, metadata: { tags } } });
  }
  await daemon.call(contract.setMemory, {
    body: { key: 'elsewhere', value: 'A cat in another place', namespace: 'other' },
  });
});
afterAll(() => daemon.stop());

const search = (body: Sent<typeof searchContract.searchMemories>['body']) =>
  daemon.call(searchContract.searchMemories, { body });
const get = (query: Sent<typeof searchContract.searchMemoriesGet>['query']) =>
  daemon.call(searchContract.searchMemoriesGet, { query });
const has = (part: string): unknown => expect.stringContaining(part);
const first = async (query: string) => (await search({ query })).results[0]?.key;

describe('search', () => {
  test.each([
    ['where does the cat sleep', 'cat'],
    ['deploying to staging', 'deploy'],
    ['make deploy-staging', 'deploy'],
    ['ECONNREFUSED', 'error:db'],
    ['127.0.0.1:5432', 'error:db'],
    ['bread dough', 'skill:bread'],
    ['cafe', 'café'],
    ['会議', 'tokyo'],
  ])('%j finds %s first', async (query, key) => {
    expect(await first(query)).toBe(key);
  });

  test('a hit shows what of it fits, with the words that do', async () => {
    const {
      results: [hit],
    } = await search({ query: 'deploying to staging' });
    expect(hit).toMatchObject({ key: 'deploy', passage: { text: hit?.value, start: 0 } });
    expect(hit?.passage?.marks.map(([start, end]) => hit.value?.slice(start, end))).toEqual([
      'Deploy',
      'staging',
      'deploy',
      'staging',
    ]);
  });

  test('values can be left out, and passages stay; with a preview, too', async () => {
    const { results } = await search({ query: 'bread dough', values: false });
    expect(results[0]).toMatchObject({ key: 'skill:bread', passage: { text: has('Knead the dough') } });
    expect(results.filter((hit) => 'value' in hit)).toEqual([]);
    const short = await search({ query: 'bread dough', preview: 5 });
    expect(short.results[0]).toMatchObject({ value: 'Knead', truncated: true });
    expect(short.results[0]?.passage).toEqual(results[0]?.passage);
  });

  test('what fits weakly says so, and comes last', async () => {
    const { results } = await search({ query: 'where does the cat sleep' });
    const weaker = results.map((hit) => hit.weaker === true);
    expect(weaker[0]).toBe(false);
    expect(weaker.includes(true)).toBe(true);
    expect(weaker).toEqual([...weaker].sort());
    for (const hit of results) expect(hit.weaker === true).toBe(hit.score < searchContract.WEAKER);
  });

  test.each(NOTES.map(([key, value]) => [key, value]))(
    '%s is found by its exact text, with score 1',
    async (key, value) => {
      expect((await search({ query: value, limit: 1 })).results).toMatchObject([{ key, score: 1, value }]);
    },
  );

  test('scores fall from 1 to 0 and are 1 only for the whole text', async () => {
    const { results, count } = await search({ query: 'cat server bread', limit: 200 });
    expect(count).toBe(results.length);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const score of scores) expect(score >= 0 && score < 1).toBe(true);
    const { results: part } = await search({ query: 'before' });
    expect(part.every(({ score }) => score < 1)).toBe(true);
  });

  test('stays in its namespace, `default` where none is named', async () => {
    const { results } = await search({ query: 'cat', limit: 200 });
    expect(results.map(({ namespace }) => namespace)).toEqual(results.map(() => 'default'));
    expect((await search({ query: 'cat', namespace: 'other' })).results.map(({ key }) => key)).toEqual([
      'elsewhere',
    ]);
    expect(await search({ query: 'cat', namespace: 'none' })).toMatchObject({ results: [], count: 0 });
  });

  test('threshold leaves out what is below it', async () => {
    const { results } = await search({ query: 'grey cat', limit: 200 });
    const best = results[0]?.score ?? 0;
    const at = async (threshold: number) =>
      (await search({ query: 'grey cat', limit: 200, threshold })).count;
    expect([await at(0), await at(best), await at(1)]).toEqual([results.length, 1, 0]);
    expect((await search({ query: NOTES[0][1], threshold: 1 })).count).toBe(1);
  });

  test('limit is lowered to 200, and default 10', async () => {
    const items = Array.from({ length: 250 }, (_, n) => ({
      value: `common words number ${n}`,
      namespace: 'many',
    }));
    await daemon.call(contract.storeBatch, { body: { items } });
    const count = async (limit?: number) =>
      (await search({ query: 'common words', namespace: 'many', ...(limit !== undefined && { limit }) }))
        .count;
    expect([await count(), await count(3), await count(200), await count(201), await count(1e9)]).toEqual([
      10, 3, 200, 200, 200,
    ]);
  });

  test('class and tags filter', async () => {
    const keys = async (filter: object) =>
      (await search({ query: 'the server', limit: 200, ...filter })).results.map(({ key }) => key).sort();
    expect(await keys({ class: 'error' })).toEqual(['error:db']);
    expect(await keys({ class: 'skill' })).toEqual(['skill:bread']);
    expect(await keys({ tags: ['ops'] })).toEqual(['deploy', 'error:db']);
    expect(await keys({ tags: ['ops', 'work'] })).toEqual(['deploy']);
    expect(await keys({ tags: ['none'] })).toEqual([]);
  });

  test.each([
    ['query', ''],
    ['query', 'é'.repeat(4097)],
    ['query', 7],
    ['limit', 0],
    ['limit', 1.5],
    ['threshold', -0.01],
    ['threshold', 1.01],
    ['threshold', '0.5'],
    ['threshold', null],
    ['namespace', ''],
    ['class', 'x'],
    ['tags', [1]],
    ['q', 'x'],
  ])('%s %j is refused', async (field, value) => {
    const answer = await daemon.ask({ path: '/v1/memory-search', body: { query: 'x', [field]: value } });
    expect([answer.status, answer.json.errors?.[0]?.path.split('.')[0]]).toEqual([400, field]);
  });

  test('a query of 8,192 bytes is answered', async () => {
    expect(await search({ query: 'é'.repeat(4096) })).toBeDefined();
    expect(await search({ query: 'word '.repeat(1638) })).toBeDefined();
  });

  test('never fails, whatever is asked (any Unicode, FTS5 syntax)', async () => {
    const syntax = [
      '"',
      '*',
      '(',
      ')',
      ':',
      '^',
      '-',
      '+',
      ' AND ',
      ' OR ',
      ' NOT ',
      'NEAR(',
      'body:',
      '{',
      '}',
      '\\',
      "'",
      '\u0000',
      '%',
      '~',
      ',',
      '.',
    ];
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter((given) => given.isWellFormed()),
      fc
        .array(fc.oneof(fc.constantFrom(...syntax), fc.constantFrom('cat', 'a', '1', '東', 'é')), {
          minLength: 1,
          maxLength: 12,
        })
        .map((parts) => parts.join('')),
    );
    const limit = fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined });
    const threshold = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(text, limit, threshold, async (query, most, least) => {
        const more = {
          ...(most !== undefined && { limit: most }),
          ...(least !== undefined && { threshold: least }),
        };
        const { results } = await search({ query, ...more });
        expect(results.length).toBeLessThanOrEqual(Math.min(most ?? 10, 200));
        for (const { score } of results) expect(score).toBeGreaterThanOrEqual(least ?? 0);
        if (query === '*') return;
        const { memories } = await get({ q: query, ...more });
        expect(memories.map(({ key, score }) => [key, score])).toEqual(
          results.map(({ key, score }) => [key, score]),
        );
      }),
      { numRuns: runs(50, 300) },
    );
  });
});

describe('GET /memory-search', () => {
  test('answers memories with key, value, score, namespace and time', async () => {
    const { memories } = await get({ q: 'grey cat', limit: 1 });
    expect(Object.keys(memories[0] ?? {}).sort()).toEqual([
      'created_at',
      'key',
      'namespace',
      'score',
      'value',
    ]);
    expect(memories[0]?.key).toBe('cat');
  });

  test('`q=*` lists everything of one namespace or of all, newest first', async () => {
    const { memories } = await get({ q: '*' });
    const { namespaces } = await daemon.call(contract.listNamespaces, {});
    expect(memories).toHaveLength(namespaces.reduce((sum, { count }) => sum + count, 0));
    const moments = memories.map(({ created_at }) => created_at);
    expect(moments).toEqual([...moments].sort().reverse());
    expect((await get({ q: '*', namespace: 'default' })).memories.map(({ key }) => key)).toEqual(
      NOTES.map(([key]) => key).reverse(),
    );
    expect((await get({ q: '*', limit: 3 })).memories).toEqual(memories.slice(0, 3));
    expect((await get({ q: '*', limit: 205 })).memories).toEqual(memories.slice(0, 205));
    expect(await get({ q: '*', namespace: 'none' })).toEqual({ memories: [] });
  });

  test('`q=*` is streamed, and none comes twice or is lost', async () => {
    const items = Array.from({ length: 1000 }, (_, n) => ({
      key: `k${n}`,
      value: 'x'.repeat(2000),
      namespace: 'streamed',
    }));
    await daemon.call(contract.storeBatch, { body: { items } });
    const answer = await daemon.ask({ path: '/v1/memory-search?q=*&namespace=streamed' });
    expect(answer.headers['transfer-encoding']).toBe('chunked');
    const { memories } = await get({ q: '*', namespace: 'streamed' });
    expect(new Set(memories.map(({ key }) => key)).size).toBe(1000);
    expect(memories).toHaveLength(1000);
  });

  test.each([
    '',
    'q=',
    'limit=3',
    'q=a&limit=0',
    'q=a&limit=x',
    'q=a&threshold=2',
    'q=a&threshold=',
    'q=a&q=b',
    'q=a&top=3',
  ])('?%s is refused', async (query) => {
    expect((await daemon.ask({ path: `/v1/memory-search?${query}` })).status).toBe(400);
  });
});
