import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listEvents } from '@reverie/shared/contract/events/events';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory, tagMemories } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { verifyDatabase } from '../../db/backup/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
let namespace = '';
let run = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(async () => {
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
  await daemon.stop();
});
beforeEach(() => {
  run += 1;
  namespace = `space ${run}`;
});

const set = (key: string, value: string, more: Record<string, unknown> = {}) =>
  daemon.call(contract.setMemory, { body: { namespace, key, value, ...more } });
const get = (key: string, where = namespace) =>
  daemon.call(contract.getMemory, { body: { key, namespace: where } });
const rename = (key: string, to: { key: string; namespace?: string }) =>
  daemon.call(renameMemory, { body: { key, namespace, to } });
const tag = (keys: string[], change: { add?: string[]; remove?: string[] }) =>
  daemon.call(tagMemories, { body: { items: keys.map((key) => ({ key, namespace })), ...change } });
const history = async (key: string, where = namespace) =>
  (await daemon.call(memoryHistory, { query: { key, namespace: where } })).versions.map(({ value }) => value);
const search = async (query: string, where = namespace) =>
  (await daemon.call(searchMemories, { body: { query, namespace: where } })).results.map(({ key }) => key);
const events = async (where = namespace) =>
  (await daemon.call(listEvents, { query: { namespace: where, limit: 1000 } })).events;

describe('rename', () => {
  test('keeps value, metadata, times, tags, end and history; the old key is free', async () => {
    const expires_at = new Date(daemon.clock.now() + 86_400_000).toISOString();
    await set('draft', 'one', { metadata: { tags: ['x'] } });
    daemon.clock.advance(1000);
    await set('draft', 'the heron stands in the reeds', { metadata: { tags: ['x'], a: 1 }, expires_at });
    const before = await get('draft');
    daemon.clock.advance(1000);
    expect(await rename('draft', { key: 'skill:birds' })).toEqual({
      success: true,
      key: 'skill:birds',
      namespace,
      mended: 0,
    });
    expect(await get('skill:birds')).toEqual({ ...before, key: 'skill:birds', class: 'skill' });
    expect(await history('skill:birds')).toEqual(['the heron stands in the reeds', 'one']);
    expect(await search('heron')).toEqual(['skill:birds']);
    const tagged = await daemon.call(contract.listMemories, { body: { namespace, tags: ['x'] } });
    expect(tagged.memories.map(({ key }) => key)).toEqual(['skill:birds']);
    await expect(get('draft')).rejects.toMatchObject({ status: 404 });
    await set('draft', 'another one');
    expect(await history('draft')).toEqual(['another one']);
  });

  test('into another namespace takes everything along, and the empty one goes', async () => {
    const other = `${namespace} other`;
    await set('k', 'one', { metadata: { tags: ['x'], session: 's', timestamp: 1 } });
    await set('k', 'the heron stands in the reeds', {
      metadata: { tags: ['x'], session: 's', timestamp: 1 },
    });
    await rename('k', { key: 'k', namespace: other });
    expect(await get('k', other)).toMatchObject({ metadata: { tags: ['x'], session: 's' } });
    expect(await history('k', other)).toEqual(['the heron stands in the reeds', 'one']);
    expect(await search('heron', other)).toEqual(['k']);
    expect(await search('heron')).toEqual([]);
    const { namespaces } = await daemon.call(contract.listNamespaces, {});
    expect(namespaces.filter((one) => one.namespace.startsWith(namespace))).toMatchObject([
      { namespace: other, count: 1, bytes: 29 },
    ]);
    const told = { type: 'memory.update', data: { before: { namespace }, after: { namespace: other } } };
    expect((await events()).at(-1)).toMatchObject(told);
    expect((await events(other)).at(-1)).toMatchObject(told);
  });

  test('onto a key that is taken is 409 and says what to do; of what is not there 404; onto itself nothing', async () => {
    await set('a', 'one');
    await set('b', 'two');
    const refused = await daemon.ask({
      path: '/v1/memory/rename',
      body: { key: 'a', namespace, to: { key: 'b' } },
    });
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
    expect(refused.json.detail).toContain('rename or delete that one first');
    await expect(rename('none', { key: 'c' })).rejects.toMatchObject({
      status: 404,
      code: 'memory_not_found',
    });
    const before = await events();
    await rename('a', { key: 'a' });
    expect(await events()).toEqual(before);
    expect([(await get('a')).value, (await get('b')).value]).toEqual(['one', 'two']);
  });

  test('answers again what it answered, for the same Idempotency-Key', async () => {
    await set('a', 'one');
    const ask = () =>
      daemon.ask({
        path: '/v1/memory/rename',
        headers: { 'Idempotency-Key': namespace },
        body: { key: 'a', namespace, to: { key: 'b' } },
      });
    expect((await ask()).text).toBe((await ask()).text);
    expect((await ask()).status).toBe(200);
  });

  test('deleting it takes what it said out of events under every name that it had, and out of no others', async () => {
    const other = `${namespace} other`;
    await set('a', 'kookaburra one');
    await rename('a', { key: 'b' });
    await set('a', 'a new one under the old name');
    await rename('b', { key: 'b', namespace: other });
    await set('b', 'kookaburra elsewhere');
    await daemon.call(contract.deleteMemory, { body: { key: 'b', namespace: other } });
    daemon.clock.advance(91_000);
    const told = JSON.stringify([await events(), await events(other)]);
    expect(told).not.toContain('kookaburra one');
    expect(told).toContain('a new one under the old name');
    expect(told).toContain('kookaburra elsewhere');
  });

  test('clearing the namespace where it is now takes what it said out of events elsewhere', async () => {
    const other = `${namespace} other`;
    await set('a', 'kookaburra');
    await rename('a', { key: 'a', namespace: other });
    await daemon.call(contract.clearNamespace, { body: { namespace: other } });
    daemon.clock.advance(91_000);
    expect(JSON.stringify([await events(), await events(other)])).not.toContain('kookaburra');
  });

  test('what follows it in its session has it as context under its new key', async () => {
    const at = (timestamp: number) => ({ metadata: { session: 's', timestamp } });
    await set('t1', 'the heron stands in the reeds', at(1));
    await set('t2', 'yes', at(2));
    const context = () =>
      daemon.withStore((store) =>
        store.read((db) => {
          const row = db
            .prepare<[string], { account: number; id: number }>(
              `SELECT c.account, c.id FROM chunks c JOIN memories m ON m.id = c.memory_id
               JOIN namespaces n ON n.id = m.namespace_id WHERE n.name = ? AND m.key = 't2'`,
            )
            .get(namespace);
          return db
            .prepare<[number], { context: string }>(
              `SELECT context FROM text_${row?.account ?? 0} WHERE rowid = ?`,
            )
            .get(row?.id ?? 0)?.context;
        }),
      );
    await rename('t1', { key: 's9' });
    expect(context()).toContain('heron');
    await rename('s9', { key: 's9', namespace: `${namespace} other` });
    expect(context()).not.toContain('heron');
  });

  test('what it was imported from stays known', async () => {
    const source = { id: 'notes/a.md', hash: 'h1' };
    const items = (key: string, hash: string, value: string) => [
      { key, namespace, value, source: { ...source, hash } },
    ];
    await daemon.call(importMemories, { body: { items: items('a', 'h1', 'one') } });
    await rename('a', { key: 'b' });
    const { outcomes } = await daemon.call(importMemories, { body: { items: items('b', 'h2', 'two') } });
    expect(outcomes).toEqual(['updated']);
  });
});

describe('tags', () => {
  const tagsOf = async (key: string) => (await get(key)).metadata['tags'];

  test('are added and taken off, each memory once, and the rest of the metadata stays', async () => {
    await set('a', 'one', { metadata: { tags: 'x, y', n: 1 } });
    await set('b', 'two');
    const { version } = { version: (await history('a')).length };
    expect(await tag(['a', 'b'], { add: ['z', 'x'], remove: ['y'] })).toEqual({
      success: true,
      changed: 2,
      memories: [
        { key: 'a', namespace, tags: ['x', 'z'] },
        { key: 'b', namespace, tags: ['z', 'x'] },
      ],
    });
    expect((await get('a')).metadata).toEqual({ n: 1, tags: ['x', 'z'] });
    expect((await history('a')).length).toBe(version + 1);
    const { memories } = await daemon.call(contract.listMemories, { body: { namespace, tags: ['z'] } });
    expect(memories.map(({ key }) => key).sort()).toEqual(['a', 'b']);
    expect(await tag(['a'], { remove: ['x', 'z'] })).toMatchObject({ changed: 1 });
    expect((await get('a')).metadata).toEqual({ n: 1 });
  });

  test('are compared whatever their case and accents, and one finds those below it', async () => {
    await set('a', 'one', { metadata: { tags: ['Café', 'project/Acme'] } });
    expect(await tag(['a'], { add: ['CAFE'] })).toMatchObject({ changed: 0 });
    const found = async (body: object) =>
      (await daemon.call(contract.listMemories, { body: { namespace, ...body } })).memories.length;
    for (const wanted of ['cafe', 'Project', 'project/acme', 'Cafe\u0301'])
      expect([wanted, await found({ tags: [wanted] }), await found({ query: `tag:${wanted}` })]).toEqual([
        wanted,
        1,
        1,
      ]);
    for (const wanted of ['proj', 'acme', 'project/a', 'caf'])
      expect([wanted, await found({ tags: [wanted] }), await found({ query: `tag:${wanted}` })]).toEqual([
        wanted,
        0,
        0,
      ]);
    await tag(['a'], { add: ['cafe'], remove: ['Café', 'PROJECT/ACME'] });
    expect(await tagsOf('a')).toEqual(['cafe']);
  });

  test('that it has already change and tell nothing', async () => {
    await set('a', 'one', { metadata: { tags: ['x'] } });
    const before = await get('a');
    expect(await tag(['a'], { add: ['x'], remove: ['q'] })).toMatchObject({ changed: 0 });
    expect(await get('a')).toEqual(before);
    expect(await events()).toHaveLength(1);
  });

  test('keep the end of a memory', async () => {
    const expires_at = new Date(daemon.clock.now() + 86_400_000).toISOString();
    await set('a', 'one', { expires_at });
    await tag(['a'], { add: ['x'] });
    expect(await get('a')).toMatchObject({ expires_at, metadata: { tags: ['x'] } });
  });

  test('of several are all or nothing', async () => {
    await set('a', 'one');
    await expect(tag(['a', 'none'], { add: ['x'] })).rejects.toMatchObject({ status: 404 });
    expect(await tagsOf('a')).toBeUndefined();
    await set('full', 'one', { metadata: { text: 'x'.repeat(64 * 1024 - 20) } });
    const refused = await daemon.ask({
      path: '/v1/memory/tags',
      body: {
        items: [
          { key: 'a', namespace },
          { key: 'full', namespace },
        ],
        add: ['x'],
      },
    });
    expect([refused.status, refused.json.errors?.[0]?.path]).toEqual([400, 'items.1.metadata']);
    expect(await tagsOf('a')).toBeUndefined();
  });

  test.each([
    ['none', {}, 'add'],
    ['an empty one', { add: ['  '] }, 'add.0'],
    ['one with a comma', { add: ['a,b'] }, 'add.0'],
    ['one of 101 characters', { remove: ['x'.repeat(101)] }, 'remove.0'],
    ['51', { add: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'add'],
  ])('%s are refused, and the field is named', async (_, change, path) => {
    const refused = await daemon.ask({
      path: '/v1/memory/tags',
      body: { items: [{ key: 'a', namespace }], ...change },
    });
    expect([refused.status, refused.json.errors?.[0]?.path]).toEqual([400, path]);
  });
});
