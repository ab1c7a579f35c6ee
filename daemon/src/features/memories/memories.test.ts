import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Route, Sent } from '@reverie/shared/contract/route';
import { ApiError } from '@reverie/shared/client';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as contract from '@reverie/shared/contract/memories/memories';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { trashMemories } from '@reverie/shared/contract/memories/trash';
import * as history from '@reverie/shared/contract/memories/history';
import * as searchContract from '@reverie/shared/contract/search/search';
import { type RawResponse, startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
let namespace = '';
let run = 0;

beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());
beforeEach(() => {
  run += 1;
  namespace = `space ${run}`;
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  daemon.ask({ path: `/v1${path}`, body, headers });

async function failure<R extends Route>(route: R, sent: Sent<R>): Promise<ApiError> {
  try {
    await daemon.call(route, sent);
  } catch (cause) {
    if (cause instanceof ApiError) return cause;
    throw cause;
  }
  throw new Error(`${route.method} ${route.path} did not fail`);
}

function expectInvalid(answer: RawResponse, ...paths: string[]): void {
  // 413 where too much content is all that is wrong.
  expect([`${answer.status} ${answer.json.code}`], answer.text).toContainEqual(
    expect.stringMatching(/^(400 invalid_request|413 too_large)$/),
  );
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(answer.json.errors?.map(({ path }) => path).sort()).toEqual(paths.sort());
}

const set = (body: Omit<Sent<typeof contract.setMemory>['body'], 'namespace'>) =>
  daemon.call(contract.setMemory, { body: { namespace, ...body } });
const get = (key: string) => daemon.call(contract.getMemory, { body: { key, namespace } });
const list = (body: Partial<Sent<typeof contract.listMemories>['body']> = {}) =>
  daemon.call(contract.listMemories, { body: { namespace, ...body } });
const keysOf = ({ memories }: { memories: { key: string }[] }) => memories.map(({ key }) => key);
async function eventsHere() {
  const { events } = await daemon.call(listEvents, { query: { namespace, limit: 1000 } });
  return events;
}

describe('set and get', () => {
  test('a memory comes back as it was stored', async () => {
    const value = 'The café is at 12 Rue d’Alésia 🗼\u0000\r\nnext "line" \\ \u2028';
    const metadata = { category: 'places', tags: ['paris'], deep: { list: [1, -0.5, null, true, 'é'] } };
    expect(await set({ key: 'café 🗼', value, metadata })).toEqual({
      success: true,
      key: 'café 🗼',
      findable: true,
    });
    const now = new Date(daemon.clock.now()).toISOString();
    expect(await get('café 🗼')).toEqual({
      key: 'café 🗼',
      value,
      namespace,
      metadata,
      class: 'note',
      title: 'The café is at 12 Rue d’Alésia 🗼',
      created_at: now,
      updated_at: now,
    });
  });

  test('the namespace is `default` and metadata {} where they are omitted', async () => {
    await daemon.call(contract.setMemory, { body: { key: 'in default', value: 'x' } });
    const memory = await daemon.call(contract.getMemory, { body: { key: 'in default' } });
    expect(memory).toMatchObject({ namespace: 'default', metadata: {} });
  });

  test('overwriting keeps created_at, and omitted metadata becomes {}', async () => {
    await set({ key: 'k', value: 'one', metadata: { a: 1 } });
    const before = await get('k');
    daemon.clock.advance(5000);
    await set({ key: 'k', value: 'two' });
    const after = await get('k');
    expect(after).toMatchObject({ value: 'two', metadata: {}, created_at: before.created_at });
    expect(Date.parse(after.updated_at)).toBe(Date.parse(before.updated_at) + 5000);
  });

  test('updated_at grows with each change even while the clock stands still or goes back', async () => {
    await set({ key: 'k', value: 'one' });
    await set({ key: 'k', value: 'two' });
    const { updated_at } = await get('k');
    daemon.clock.advance(-60_000);
    await set({ key: 'k', value: 'three' });
    expect((await get('k')).updated_at > updated_at).toBe(true);
    daemon.clock.advance(60_000);
  });

  test.each([
    ['the same value and metadata', { metadata: { a: [1, { b: 2 }], z: -0 } }],
    ['metadata in another order', { metadata: { z: -0, a: [1, { b: 2 }] } }],
  ])('setting what is there changes and emits nothing: %s', async (_, again) => {
    await set({ key: 'k', value: 'v', metadata: { a: [1, { b: 2 }], z: -0 } });
    const before = await get('k');
    daemon.clock.advance(1000);
    expect(await set({ key: 'k', value: 'v', ...again })).toEqual({
      success: true,
      key: 'k',
      findable: true,
    });
    expect(await get('k')).toEqual(before);
    expect(await eventsHere()).toHaveLength(1);
  });

  test.each([
    ['error:disk', 'error'],
    ['dream:1', 'dream'],
    ['skill:x:y', 'skill'],
    ['note:n', 'note'],
    ['Error:disk', 'note'],
    ['errors:disk', 'note'],
    ['skill', 'note'],
  ])('%j is classified as %s', async (key, expected) => {
    await set({ key, value: 'x' });
    expect((await get(key)).class).toBe(expected);
  });

  test('a memory that is not there is 404 with a code', async () => {
    expect(await failure(contract.getMemory, { body: { key: 'nope' } })).toMatchObject({
      status: 404,
      code: 'memory_not_found',
    });
  });

  test('keys that differ in case, form or white space are different keys', async () => {
    const keys = ['key', 'KEY', ' key', 'key ', 'ke\u0301y', 'k\u00e9y'];
    for (const key of keys) await set({ key, value: `value of ${JSON.stringify(key)}` });
    expect((await list()).total).toBe(keys.length);
    for (const key of keys) expect((await get(key)).value).toBe(`value of ${JSON.stringify(key)}`);
  });

  test('the key `__proto__` and metadata named `constructor` are nothing special', async () => {
    await set({ key: '__proto__', value: 'x', metadata: { constructor: { prototype: 1 }, toString: 'y' } });
    expect((await get('__proto__')).metadata).toEqual({ constructor: { prototype: 1 }, toString: 'y' });
  });
});

describe('limits, each at its edge', () => {
  const metadataOf = (bytes: number) => ({ x: 'é'.repeat((bytes - 8) / 2) });
  function nested(depth: number): Record<string, unknown> {
    return depth === 1 ? {} : { a: nested(depth - 1) };
  }

  test.each([
    ['key of 1 byte', { key: 'k' }],
    ['key of 512 bytes of UTF-8', { key: 'é'.repeat(256) }],
    ['namespace of 1 byte', { namespace: 'n' }],
    ['namespace of 128 bytes of UTF-8', { namespace: '🗼'.repeat(32) }],
    ['namespace that begins with dots', { namespace: '...' }],
    ['value of 1 byte', { value: ' ' }],
    ['value of 1 MiB of UTF-8', { value: '€'.repeat(349_525) + 'x' }],
    ['value of 1 MiB with every byte escaped', { value: '\u0001'.repeat(1024 * 1024) }],
    ['metadata of 64 KiB', { metadata: metadataOf(64 * 1024) }],
    ['metadata of 16 levels', { metadata: nested(16) }],
  ])('%s is stored', async (_, fields) => {
    const body = { key: 'edge', value: 'v', namespace, ...fields };
    await daemon.call(contract.setMemory, { body });
    const { key, namespace: at, value, metadata = {} } = { metadata: undefined, ...body };
    const stored = await daemon.call(contract.getMemory, { body: { key, namespace: at } });
    expect(stored.value === value).toBe(true);
    expect(stored).toMatchObject({ key, namespace: at, metadata });
  });

  test.each([
    ['empty key', { key: '' }, 'key'],
    ['key of 513 bytes', { key: 'é'.repeat(256) + 'x' }, 'key'],
    ['key with a line break', { key: 'a\nb' }, 'key'],
    ['key with DEL', { key: 'a\u007f' }, 'key'],
    ['key with a C1 control', { key: 'a\u0085' }, 'key'],
    ['key that is a number', { key: 1 }, 'key'],
    ['no key', { key: undefined }, 'key'],
    ['empty namespace', { namespace: '' }, 'namespace'],
    ['namespace of 129 bytes', { namespace: '🗼'.repeat(32) + 'x' }, 'namespace'],
    ['namespace .', { namespace: '.' }, 'namespace'],
    ['namespace ..', { namespace: '..' }, 'namespace'],
    ['namespace null', { namespace: null }, 'namespace'],
    ['empty value', { value: '' }, 'value'],
    ['value of 1 MiB and 1 byte', { value: '€'.repeat(349_525) + 'xx' }, 'value'],
    ['value that is an object', { value: { a: 1 } }, 'value'],
    ['no value', { value: undefined }, 'value'],
    ['metadata of 64 KiB and 2 bytes', { metadata: metadataOf(64 * 1024 + 2) }, 'metadata'],
    ['metadata of 17 levels', { metadata: nested(17) }, 'metadata'],
    ['metadata list', { metadata: [] }, 'metadata'],
    ['metadata text', { metadata: 'a' }, 'metadata'],
    ['metadata null', { metadata: null }, 'metadata'],
    ['a time that is none', { expires_at: 'tomorrow' }, 'expires_at'],
    ['a day that is none', { expires_at: '2031-02-30T00:00:00Z' }, 'expires_at'],
    ['a time without a zone', { expires_at: '2041-02-03T00:00:00' }, 'expires_at'],
    ['a time in the past', { expires_at: '2001-02-03T00:00:00Z' }, 'expires_at'],
    ['a field that is none', { created_at: '2031-01-01T00:00:00Z' }, 'created_at'],
    ['content instead of value', { content: 'x' }, 'content'],
  ])('%s is refused by name', async (_, fields, path) => {
    const answer = await post('/memory-set', { key: 'edge', value: 'v', namespace, ...fields });
    expectInvalid(answer, path);
    expect((await list()).total).toBe(0);
  });

  test.each([
    ['key', '{"key":"a\\ud800","value":"v"}'],
    ['value', '{"key":"a","value":"\\udc00 b"}'],
    ['namespace', '{"key":"a","value":"b","namespace":"\\ud83d"}'],
    ['metadata', '{"key":"a","value":"b","metadata":{"x":["\\ud83d"]}}'],
    ['metadata', '{"key":"a","value":"b","metadata":{"\\udead":1}}'],
  ])('a lone surrogate in %s is refused', async (path, body) => {
    expectInvalid(await post('/memory-set', body), path);
  });

  test('every wrong field is named at once', async () => {
    const answer = await post('/memory-set', {
      key: '',
      value: 5,
      namespace: '..',
      metadata: 1,
      expires_at: 0,
      extra: 1,
      more: 2,
    });
    expectInvalid(answer, 'key', 'value', 'namespace', 'metadata', 'expires_at', 'extra', 'more');
  });

  test('a reply never repeats a large wrong value', async () => {
    const answer = await post('/memory-list', { limit: 'x'.repeat(1_000_000), namespace: 7 });
    expectInvalid(answer, 'limit', 'namespace');
    expect(answer.text.length).toBeLessThan(4000);
  });

  test('a number nested 900 or 100,000 levels deep is a 400 like any other', async () => {
    for (const [levels, name] of [
      [900, true],
      [100_000, false],
    ] as const) {
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const path = (field: string) => (name ? field : '');
      expectInvalid(await post('/memory-list', `{"limit":${deep}}`), path('limit'));
      expectInvalid(await post('/memory-set', `{"key":${deep},"value":"v"}`), path('key'));
      const metadata = `{"key":"k","value":"v","metadata":{"a":${deep}}}`;
      expectInvalid(await post('/memory-set', metadata), path('metadata'));
    }
  });
});

describe('bodies', () => {
  test.each([
    ['no JSON', '{"key": "a"', 'invalid_json'],
    ['empty', '', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['a list', '[]', 'invalid_request'],
    ['a text', '"a"', 'invalid_request'],
    ['a bare word', 'NaN', 'invalid_json'],
    ['__proto__', '{"key":"a","value":"v","__proto__":{"x":1}}', 'invalid_json'],
    ['__proto__ in metadata', '{"key":"a","value":"v","metadata":{"__proto__":{"x":1}}}', 'invalid_json'],
    ['bytes that are not UTF-8', Buffer.from('{"key":"a","value":"\xff\xfe"}', 'latin1'), 'invalid_json'],
    ['overlong UTF-8', Buffer.from('{"key":"a","value":"\xc0\xaf"}', 'latin1'), 'invalid_json'],
  ])('%s is a 400', async (_, body, code) => {
    const answer = await daemon.ask({ path: '/v1/memory-set', method: 'POST', body });
    expect([answer.status, answer.json.code], answer.text).toEqual([400, code]);
  });

  test.each([
    ['{"key": "a"', /^The body is not valid JSON: expected ',' or '}' after property value at position 11/],
    ['NaN', /^The body is not valid JSON: "NaN"$/],
    ['{"key": nope}', /^The body is not valid JSON: unexpected token 'o' in /],
    ['{"key":', /^The body is not valid JSON: unexpected end of the body$/],
    ['{"key":"a","value":"v","__proto__":{"x":1}}', /^The body has a field named `__proto__`/],
  ])('%s: the refusal says once that it is no JSON, and where', async (body, detail) => {
    const { json } = await daemon.ask({ path: '/v1/memory-set', method: 'POST', body });
    expect(json.detail).toMatch(detail);
    expect(String(json.detail).match(/valid JSON/g)?.length ?? 0).toBeLessThan(2);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
  ])('%s is a 415', async (type) => {
    const answer = await post('/memory-set', '{"key":"a","value":"b"}', { 'Content-Type': type });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('JSON with a charset or a BOM is JSON', async () => {
    const body = JSON.stringify({ key: 'a', value: 'b', namespace });
    const type = { 'Content-Type': 'Application/JSON; charset=UTF-8' };
    expect((await post('/memory-set', body, type)).status).toBe(200);
    expect((await post('/memory-set', `\uFEFF${body}`)).status).toBe(200);
  });

  test('more than 8 MiB is a 413', async () => {
    const answer = await post('/memory-set', { key: 'a', value: 'x'.repeat(8 * 1024 * 1024) });
    expect([answer.status, answer.json.code]).toEqual([413, 'too_large']);
  });
});

describe('batch', () => {
  const batch = (items: Sent<typeof contract.storeBatch>['body']['items']) =>
    daemon.call(contract.storeBatch, { body: { items } });

  test('stores in order, makes keys where they are omitted, and the last of one key wins', async () => {
    const { success, count, ids } = await batch([
      { value: 'first', key: 'k', namespace },
      { value: 'made', namespace },
      { value: 'last', key: 'k', namespace, metadata: { n: 2 } },
      { value: 'made too', namespace },
    ]);
    expect([success, count, ids.length, new Set(ids).size]).toEqual([true, 4, 4, 3]);
    expect([ids[0], ids[2]]).toEqual(['k', 'k']);
    expect(await get('k')).toMatchObject({ value: 'last', metadata: { n: 2 } });
    expect((await get(ids[1] ?? '')).value).toBe('made');
    expect((await list()).total).toBe(3);
  });

  test('1,000 items are stored, and one more is refused', async () => {
    const items = Array.from({ length: 1000 }, (_, n) => ({ value: `v${n}`, key: `k${n}`, namespace }));
    expect((await batch(items)).count).toBe(1000);
    expectInvalid(await post('/memory/store-batch', { items: [...items, { value: 'x' }] }), 'items');
    expectInvalid(await post('/memory/store-batch', { items: [] }), 'items');
    expectInvalid(await post('/memory/store-batch', {}), 'items');
    expect((await list()).total).toBe(1000);
    await daemon.call(contract.clearNamespace, { body: { namespace } });
  });

  test('16 MiB of values are stored, and one byte more is refused whole', async () => {
    const value = 'x'.repeat(1024 * 1024);
    const items = Array.from({ length: 16 }, (_, n) => ({ value, key: `k${n}`, namespace }));
    expectInvalid(
      await post('/memory/store-batch', { items: [...items, { value: 'y', key: 'one more', namespace }] }),
      'items',
    );
    expect((await list()).total).toBe(0);
    expect((await batch(items)).count).toBe(16);
    await daemon.call(contract.clearNamespace, { body: { namespace } });
  });

  test.each(['content', 'text'])('`%s` gets a message that says to use `value`', async (field) => {
    const answer = await post('/memory/store-batch', {
      items: [
        { value: 'ok', namespace },
        { [field]: 'x', namespace },
      ],
    });
    expect(answer.status).toBe(400);
    const told = answer.json.errors ?? [];
    expect(
      told.some(({ path, message }) => path.startsWith('items.1') && /use|into `value`/.test(message)),
    ).toBe(true);
    expect(answer.json.detail).toContain('`value`');
    expect((await list()).total).toBe(0);
  });

  test('all or nothing, and every wrong field of every item is named', async () => {
    const answer = await post('/memory/store-batch', {
      items: [
        { value: 'ok', key: 'fine', namespace },
        { value: '', key: '' },
        { value: 'x', created_at: 1 },
      ],
    });
    expectInvalid(answer, 'items.1.value', 'items.1.key', 'items.2.created_at');
    expect((await list()).total).toBe(0);
  });

  test('one item that cannot be stored takes the others with it', async () => {
    const past = new Date(daemon.clock.now() - 1).toISOString();
    const answer = await post('/memory/store-batch', {
      items: [
        { value: 'ok', key: 'fine', namespace },
        { value: 'late', key: 'late', namespace, expires_at: past },
      ],
    });
    expectInvalid(answer, 'items.1.expires_at');
    expect([(await list()).total, (await eventsHere()).length]).toEqual([0, 0]);
  });
});

describe('delete and clear', () => {
  test('delete answers the key, for good', async () => {
    await set({ key: 'k', value: 'v' });
    const body = { key: 'k', namespace };
    expect(await daemon.call(contract.deleteMemory, { body })).toEqual({ success: true, deleted: 'k' });
    expect(await failure(contract.getMemory, { body })).toMatchObject({ status: 404 });
    expect(await failure(contract.deleteMemory, { body })).toMatchObject({ code: 'memory_not_found' });
  });

  test('a deleted key that is stored again is new', async () => {
    await set({ key: 'k', value: 'v' });
    const before = await get('k');
    await daemon.call(contract.deleteMemory, { body: { key: 'k', namespace } });
    daemon.clock.advance(1000);
    await set({ key: 'k', value: 'w' });
    expect((await get('k')).created_at > before.created_at).toBe(true);
    const { versions } = await daemon.call(history.memoryHistory, { query: { key: 'k', namespace } });
    expect(versions.map(({ value }) => value)).toEqual(['w']);
  });

  test('clear empties its namespace only', async () => {
    await set({ key: 'a', value: 'v' });
    await set({ key: 'b', value: 'v' });
    const other = `${namespace} too`;
    await daemon.call(contract.setMemory, { body: { key: 'a', value: 'v', namespace: other } });
    const clear = () => daemon.call(contract.clearNamespace, { body: { namespace } });
    expect(await clear()).toEqual({ success: true, namespace, deleted: 2 });
    expect(await clear()).toEqual({ success: true, namespace, deleted: 0 });
    expect(await list()).toMatchObject({ memories: [], total: 0 });
    expect(await list({ namespace: other })).toMatchObject({ total: 1 });
  });

  test('clear needs a namespace by name', async () => {
    expectInvalid(await post('/memory/clear', {}), 'namespace');
    expectInvalid(await post('/memory/clear', ''), 'namespace');
  });
});

describe('if_updated_at', () => {
  test('set and delete go on only from the state that the caller knows', async () => {
    await set({ key: 'k', value: 'one' });
    const { updated_at } = await get('k');
    const stale = new Date(Date.parse(updated_at) - 1).toISOString();
    for (const route of [contract.setMemory, contract.setMemoryShort])
      expect(
        await failure(route, { body: { key: 'k', namespace, value: 'x', if_updated_at: stale } }),
      ).toMatchObject({ status: 409, code: 'conflict' });
    await set({ key: 'k', value: 'two', if_updated_at: updated_at });
    const body = { key: 'k', namespace, if_updated_at: updated_at };
    expect(await failure(contract.deleteMemory, { body })).toMatchObject({ code: 'conflict' });
    const again = { key: 'k', namespace, if_updated_at: (await get('k')).updated_at };
    expect(await daemon.call(contract.deleteMemory, { body: again })).toMatchObject({ deleted: 'k' });
  });

  test('the same moment in another zone is the same moment', async () => {
    await set({ key: 'k', value: 'one' });
    const moment = Date.parse((await get('k')).updated_at);
    const elsewhere = new Date(moment + 3_600_000).toISOString().replace('Z', '+01:00');
    await set({ key: 'k', value: 'two', if_updated_at: elsewhere });
    expect((await get('k')).value).toBe('two');
  });

  test('what is not there is a conflict, and nothing is stored', async () => {
    const if_updated_at = new Date(daemon.clock.now()).toISOString();
    const sent = { body: { key: 'k', namespace, value: 'x', if_updated_at } };
    expect(await failure(contract.setMemory, sent)).toMatchObject({ code: 'conflict' });
    expect((await list()).total).toBe(0);
  });
});

describe('expires_at', () => {
  const inMs = (ms: number) => new Date(daemon.clock.now() + ms).toISOString();

  test('a memory is there until its end, and nowhere after it', async () => {
    await set({ key: 'k', value: 'a passing thought', expires_at: inMs(60_000) });
    await set({ key: 'stays', value: 'a lasting thought' });
    daemon.clock.advance(59_999);
    expect((await get('k')).expires_at).toBe(inMs(1));
    daemon.clock.advance(1);
    expect(await failure(contract.getMemory, { body: { key: 'k', namespace } })).toMatchObject({
      status: 404,
    });
    expect(keysOf(await list())).toEqual(['stays']);
    const { results } = await daemon.call(searchContract.searchMemories, {
      body: { namespace, query: 'thought' },
    });
    expect(results.map(({ key }) => key)).toEqual(['stays']);
    const last = (await eventsHere()).at(-1);
    expect(last).toMatchObject({ type: 'memory.delete', actor: { kind: 'system' }, data: { after: null } });
  });

  test('the first of several ends is kept, in whatever order they were stored', async () => {
    const ends = async () =>
      Promise.all(
        ['late', 'soon', 'later'].map((key) =>
          daemon.ask({ path: '/v1/memory-get', body: { key, namespace } }),
        ),
      ).then((all) => all.map(({ status }) => status));
    await set({ key: 'late', value: 'v', expires_at: inMs(20_000) });
    await set({ key: 'soon', value: 'v', expires_at: inMs(1000) });
    await set({ key: 'later', value: 'v', expires_at: inMs(25_000) });
    daemon.clock.advance(1000);
    expect(await ends()).toEqual([200, 404, 200]);
    daemon.clock.advance(19_000);
    expect(await ends()).toEqual([404, 404, 200]);
    daemon.clock.advance(5000);
    expect(await ends()).toEqual([404, 404, 404]);
  });

  test('overwriting without it takes the end away', async () => {
    await set({ key: 'k', value: 'v', expires_at: inMs(1000) });
    await set({ key: 'k', value: 'v' });
    daemon.clock.advance(2000);
    expect((await get('k')).expires_at).toBeUndefined();
  });

  test('it holds over a restart and in a batch', async () => {
    await daemon.call(contract.storeBatch, {
      body: { items: [{ key: 'k', value: 'v', namespace, expires_at: inMs(1000) }] },
    });
    await daemon.restart();
    expect((await get('k')).value).toBe('v');
    daemon.clock.advance(1000);
    expect((await list()).total).toBe(0);
  });

  test('now is too late', async () => {
    expectInvalid(await post('/memory-set', { key: 'k', value: 'v', expires_at: inMs(0) }), 'expires_at');
  });

  test('it ends without anybody asking', async () => {
    await set({ key: 'k', value: 'v', expires_at: inMs(1000) });
    daemon.clock.advance(61_000);
    const left = daemon.withStore((store) =>
      store.read((db) =>
        db.prepare<[], { key: string }>('SELECT key FROM memories WHERE expires_at IS NOT NULL').all(),
      ),
    );
    expect(left).toEqual([]);
  });
});

describe('list', () => {
  beforeEach(async () => {
    // Stored out of order of keys; b1 and b2 at the same moment.
    for (const [key, value, metadata] of [
      ['c', 'third letter', { tags: ['x', 'y'] }],
      ['b2', 'second letter', { tags: 'x, z' }],
      ['b1', 'second letter', {}],
      ['error:a', 'an error', { tags: ['x'] }],
    ] as const) {
      if (key !== 'b1') daemon.clock.advance(1000);
      await set({ key, value, metadata: { ...metadata } });
    }
  });

  test('is ordered by created_at, then key', async () => {
    expect(keysOf(await list())).toEqual(['c', 'b1', 'b2', 'error:a']);
    daemon.clock.advance(1000);
    await set({ key: 'c', value: 'changed' });
    expect(keysOf(await list())).toEqual(['c', 'b1', 'b2', 'error:a']);
    expect(keysOf(await list({ order: 'updated' }))).toEqual(['c', 'error:a', 'b1', 'b2']);
  });

  test('pages, and echoes limit, offset and the total', async () => {
    const page = await list({ limit: 2, offset: 1 });
    expect(page).toMatchObject({ total: 4, limit: 2, offset: 1 });
    expect(keysOf(page)).toEqual(['b1', 'b2']);
    expect(await list({ offset: 4 })).toMatchObject({ memories: [], total: 4, limit: 50, offset: 4 });
    expect(await list({ offset: Number.MAX_SAFE_INTEGER })).toMatchObject({ memories: [], total: 4 });
  });

  test('a limit above 1,000 is lowered to it and echoed', async () => {
    expect(await list({ limit: 1000 })).toMatchObject({ limit: 1000 });
    expect(await list({ limit: 1001 })).toMatchObject({ limit: 1000 });
    expect(await list({ limit: Number.MAX_SAFE_INTEGER })).toMatchObject({ limit: 1000 });
  });

  test.each([
    ['limit', 0],
    ['limit', -1],
    ['limit', 1.5],
    ['limit', '5'],
    ['limit', null],
    ['offset', -1],
    ['offset', 0.5],
    ['order', 'random'],
    ['class', 'idea'],
    ['tags', 'x'],
    ['preview', 0],
    ['preview', 10_001],
    ['page', 1],
  ])('%s %j is refused', async (field, value) => {
    expectInvalid(await post('/memory-list', { namespace, [field]: value }), field);
  });

  test('class and tags filter, and the total counts what passes', async () => {
    expect(keysOf(await list({ class: 'error' }))).toEqual(['error:a']);
    expect(keysOf(await list({ class: 'note' }))).toEqual(['c', 'b1', 'b2']);
    expect(keysOf(await list({ tags: ['x'] }))).toEqual(['c', 'b2', 'error:a']);
    expect(keysOf(await list({ tags: ['y', 'x', 'x'] }))).toEqual(['c']);
    expect(keysOf(await list({ tags: ['z'] }))).toEqual(['b2']);
    expect(keysOf(await list({ tags: ['X'] }))).toEqual(['c', 'b2', 'error:a']);
    expect(keysOf(await list({ tags: ['xy'] }))).toEqual([]);
    expect(await list({ tags: ['x'], class: 'note', limit: 1 })).toMatchObject({ total: 2, limit: 1 });
  });

  test('a prefix filters keys byte by byte, beside the other filters', async () => {
    for (const key of ['b', 'b\u{10ffff}\u{10ffff}', 'B3', 'é', 'e\u0301']) await set({ key, value: 'text' });
    expect(new Set(keysOf(await list({ prefix: 'b' })))).toEqual(
      new Set(['b1', 'b2', 'b', 'b\u{10ffff}\u{10ffff}']),
    );
    expect(await list({ prefix: 'b', tags: ['z'] })).toMatchObject({ total: 1, memories: [{ key: 'b2' }] });
    expect(keysOf(await list({ prefix: 'é' }))).toEqual(['é']);
    expect(await list({ prefix: 'nothing' })).toMatchObject({ total: 0, memories: [] });
    expectInvalid(await post('/memory-list', { namespace, prefix: '' }), 'prefix');
  });

  test('keys alone come by their bytes, page by page', async () => {
    const keys = (query: Sent<typeof memoryKeys>['query']) =>
      daemon.call(memoryKeys, { query: { namespace, ...query } });
    expect(await keys({})).toEqual({ keys: ['b1', 'b2', 'c', 'error:a'], next: null });
    expect(await keys({ limit: 2 })).toEqual({ keys: ['b1', 'b2'], next: 'b2' });
    expect(await keys({ limit: 2, after: 'b2' })).toEqual({ keys: ['c', 'error:a'], next: 'error:a' });
    expect(await keys({ after: 'error:a' })).toEqual({ keys: [], next: null });
    expect(await keys({ prefix: 'b', after: 'b1' })).toEqual({ keys: ['b2'], next: null });
    // Which of some are there, in one request.
    expect(await keys({ among: ['c', 'b1', 'b', 'nothing, at all'] })).toEqual({
      keys: ['b1', 'c'],
      next: null,
    });
    expect(await keys({ among: ['c'], prefix: 'b' })).toEqual({ keys: [], next: null });
    expect(await daemon.call(memoryKeys, { query: { namespace: 'nowhere' } })).toEqual({
      keys: [],
      next: null,
    });
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['after=', 'after'],
      ['among=', 'among.0'],
      ['among=a&delimiter=/', 'delimiter'],
      ['prefix=', 'prefix'],
      ['namespace=..', 'namespace'],
      ['x=1', 'x'],
    ] as const)
      expectInvalid(await daemon.ask({ path: `/v1/memory/keys?${query}` }), field);
  });

  test('keys come by folder, each folder once, page by page', async () => {
    const keys = [
      'top',
      'a/1',
      'a/2',
      'a/b/1',
      'a/b/c/2',
      'a0',
      'a!',
      'é/ü',
      'é/ü/x',
      'b/',
      'zz/only hidden',
      '/rooted',
    ];
    const items = keys.map((key) => ({ key, namespace: 'vault', value: key }));
    await daemon.call(contract.storeBatch, { body: { items } });
    await daemon.call(trashMemories, { body: { items: [{ namespace: 'vault', key: 'zz/only hidden' }] } });
    const there = keys.filter((key) => key !== 'zz/only hidden');
    const bytewise = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
    const expected = (prefix: string, delimiter: string) => {
      const under = there.filter((key) => key.startsWith(prefix));
      const isIn = (key: string) => key.slice(prefix.length).includes(delimiter);
      const folderOf = (key: string) => key.slice(0, key.indexOf(delimiter, prefix.length) + 1);
      return {
        keys: under.filter((key) => !isIn(key)).sort(bytewise),
        folders: [...new Set(under.filter(isIn).map(folderOf))].sort(bytewise),
      };
    };
    const ask = (query: Sent<typeof memoryKeys>['query']) =>
      daemon.call(memoryKeys, { query: { namespace: 'vault', ...query } });
    for (const delimiter of ['/', 'ü'])
      for (const prefix of ['', 'a', 'a/', 'a/b/', 'é/', 'b/', 'zz/', 'nothing/'])
        for (const limit of [1, 2, 100]) {
          const found: { keys: string[]; folders: string[] } = { keys: [], folders: [] };
          const wanted = { delimiter, limit, ...(prefix !== '' && { prefix }) };
          for (let after: string | null | undefined; after !== null;) {
            const page = await ask({ ...wanted, ...(after !== undefined && { after }) });
            found.keys.push(...page.keys);
            found.folders.push(...(page.folders ?? []));
            expect(page.keys.length + (page.folders?.length ?? 0)).toBeLessThanOrEqual(limit);
            after = page.next;
          }
          expect({ ...wanted, ...found }).toEqual({ ...wanted, ...expected(prefix, delimiter) });
        }
    expect(await ask({ delimiter: '/', after: 'a/b/1' })).toMatchObject({ folders: ['b/', 'é/'] });
    expectInvalid(await daemon.ask({ path: '/v1/memory/keys?delimiter=' }), 'delimiter');
    expectInvalid(await daemon.ask({ path: '/v1/memory/keys?delimiter=//' }), 'delimiter');
  });

  test('a new key only: with null, nothing is overwritten', async () => {
    await set({ key: 'new', value: 'first', if_updated_at: null });
    const refused = await failure(contract.setMemory, {
      body: { key: 'new', value: 'second', namespace, if_updated_at: null },
    });
    expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    expect(await get('new')).toMatchObject({ value: 'first' });
  });

  test('overwriting changes tags', async () => {
    await set({ key: 'c', value: 'third letter', metadata: { tags: ['new'] } });
    expect(keysOf(await list({ tags: ['new'] }))).toEqual(['c']);
    expect(keysOf(await list({ tags: ['y'] }))).toEqual([]);
  });

  test('values can be left out of a list, and nothing else is', async () => {
    const whole = await list({});
    const bare = await list({ values: false });
    expect(bare.memories).toEqual(whole.memories.map(({ value: _, ...rest }) => rest));
    const { json, status } = await daemon.ask({ path: '/v1/memory/list?values=false' });
    expect([status, JSON.stringify(json).includes('"value"')]).toEqual([200, false]);
    const wrong = await daemon.ask({ path: '/v1/memory/list?values=perhaps' });
    expect(wrong).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'values', message: expect.stringContaining('true or false') as unknown }] },
    });
  });

  test('preview cuts and says so, never through a character', async () => {
    await set({ key: 'long', value: 'ab🗼cd' });
    const one = async (preview: number) =>
      (await list({ preview })).memories.find(({ key }) => key === 'long');
    expect(await one(3)).toMatchObject({ value: 'ab', truncated: true });
    expect(await one(4)).toMatchObject({ value: 'ab🗼', truncated: true });
    expect(await one(6)).toMatchObject({ value: 'ab🗼cd' });
    expect(await one(6)).not.toHaveProperty('truncated');
  });

  test('GET /memory/list answers the same', async () => {
    const short = (query: Sent<typeof contract.listMemoriesShort>['query']) =>
      daemon.call(contract.listMemoriesShort, { query: { namespace, ...query } });
    expect(await short({})).toEqual(await list());
    expect(await short({ limit: 2, offset: 1 })).toEqual(await list({ limit: 2, offset: 1 }));
    expect(keysOf(await short({ tags: ['x', 'y'] }))).toEqual(['c']);
    const raw = await daemon.ask({
      path: `/v1/memory/list?namespace=${encodeURIComponent(namespace)}&tags=x,y&limit=5000`,
    });
    expect(raw.json).toMatchObject({ total: 1, limit: 1000 });
    for (const query of ['limit=0', 'limit=x', 'limit=', 'limit=1&limit=2'])
      expectInvalid(await daemon.ask({ path: `/v1/memory/list?${query}` }), 'limit');
    expectInvalid(await daemon.ask({ path: '/v1/memory/list?nope=1' }), 'nope');
    const { json } = await daemon.ask({ path: '/v1/memory/list?limit=abc' });
    expect(JSON.stringify(json)).toContain('limit: is \\"abc\\"; must be ');
  });
});

describe('the short paths', () => {
  test('POST /memory stores as /memory-set does', async () => {
    const body = { key: 'k', value: 'a short path', namespace };
    expect(await daemon.call(contract.setMemoryShort, { body })).toEqual({
      success: true,
      key: 'k',
      findable: true,
    });
    expect((await get('k')).value).toBe('a short path');
    expectInvalid(await post('/memory', { key: 'k' }), 'value');
  });

  test('POST /memory/search answers as /memory-search does', async () => {
    await set({ key: 'k', value: 'a short path' });
    const body = { query: 'short path', namespace };
    const [long, short] = [
      await daemon.call(searchContract.searchMemories, { body }),
      await daemon.call(searchContract.searchMemoriesShort, { body }),
    ];
    expect(short).toEqual(long);
    expect(short.count).toBe(1);
  });
});

describe('namespaces', () => {
  test('count memories and bytes as they come and go', async () => {
    const here = async () => {
      const { namespaces } = await daemon.call(contract.listNamespaces, {});
      return namespaces.find(({ namespace: name }) => name === namespace);
    };
    expect(await here()).toBeUndefined();
    await set({ key: 'a', value: 'é' });
    await set({ key: 'b', value: '🗼' });
    expect(await here()).toMatchObject({ count: 2, bytes: 6 });
    await set({ key: 'a', value: 'abc' });
    expect(await here()).toMatchObject({ count: 2, bytes: 7, updated_at: (await get('a')).updated_at });
    await daemon.call(contract.deleteMemory, { body: { key: 'a', namespace } });
    expect(await here()).toMatchObject({ count: 1, bytes: 4 });
    await daemon.call(contract.deleteMemory, { body: { key: 'b', namespace } });
    expect(await here()).toBeUndefined();
  });
});

describe('Idempotency-Key', () => {
  const send = (path: string, body: unknown, key: string) => post(path, body, { 'Idempotency-Key': key });

  test('the same request is done once and answered the same', async () => {
    const items = [
      { value: 'made once', namespace },
      { value: 'made once too', namespace },
    ];
    const first = await send('/memory/store-batch', { items }, `${namespace} a`);
    const second = await send('/memory/store-batch', { items }, `${namespace} a`);
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect([(await list()).total, (await eventsHere()).length]).toEqual([2, 2]);
  });

  test('another body is a 409', async () => {
    await send('/memory-set', { key: 'k', value: 'one', namespace }, `${namespace} b`);
    const answer = await send('/memory-set', { key: 'k', value: 'two', namespace }, `${namespace} b`);
    expect([answer.status, answer.json.code]).toEqual([409, 'conflict']);
    expect((await get('k')).value).toBe('one');
  });

  test('two at once are done once', async () => {
    const body = { items: [{ value: 'racing', namespace }] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('/memory/store-batch', body, `${namespace} c`)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await list()).total).toBe(1);
  });

  test('a failure is not kept', async () => {
    const body = {
      key: 'k',
      namespace,
      value: 'x',
      if_updated_at: new Date(daemon.clock.now()).toISOString(),
    };
    expect((await send('/memory-set', body, `${namespace} d`)).status).toBe(409);
    const plain = { key: 'k', namespace, value: 'x' };
    expect((await send('/memory-set', plain, `${namespace} d`)).status).toBe(200);
  });

  test('it is of one route and one account, and kept for 24 h', async () => {
    const body = { key: 'k', value: 'x', namespace };
    await send('/memory-set', body, `${namespace} e`);
    const other = daemon.addAccount('write');
    const theirs = await daemon.ask({
      path: '/v1/memory-set',
      key: other.key,
      headers: { 'Idempotency-Key': `${namespace} e` },
      body: { ...body, value: 'theirs' },
    });
    expect(theirs.status).toBe(200);
    expect((await send('/memory', { ...body, value: 'y' }, `${namespace} e`)).status).toBe(200);
    daemon.clock.advance(86_400_000 - 1);
    expect((await send('/memory-set', { ...body, value: 'z' }, `${namespace} e`)).status).toBe(409);
    daemon.clock.advance(2);
    expect((await send('/memory-set', { ...body, value: 'z' }, `${namespace} e`)).status).toBe(200);
  });

  test('it holds over a restart', async () => {
    const body = { items: [{ value: 'once', namespace }] };
    const first = await send('/memory/store-batch', body, `${namespace} f`);
    await daemon.restart();
    expect((await send('/memory/store-batch', body, `${namespace} f`)).text).toBe(first.text);
  });

  test.each(['', 'x'.repeat(256)])('a key of the wrong length is a 400: %#', async (key) => {
    expectInvalid(await send('/memory-set', { key: 'k', value: 'v' }, key), 'Idempotency-Key');
  });
});
