import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sent } from '@reverie/shared/contract/route';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as portable from '@reverie/shared/contract/memories/portable';
import * as history from '@reverie/shared/contract/memories/history';
import { tagMemories } from '@reverie/shared/contract/memories/naming';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

let daemon: TestDaemon;
let namespace = '';
let run = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());
beforeEach(() => {
  run += 1;
  namespace = `import ${run}`;
});

type Item = Sent<typeof portable.importMemories>['body']['items'][number];
const times = { created_at: '2019-03-01T10:00:00.000Z', updated_at: '2020-04-02T11:30:00.000Z' };
const send = (items: Omit<Item, 'namespace'>[], dry_run = false) =>
  daemon.call(portable.importMemories, {
    body: { items: items.map((item) => ({ namespace, ...item })), dry_run },
  });
const get = (key: string) => daemon.call(contract.getMemory, { body: { key, namespace } });
const set = (key: string, value: string) =>
  daemon.call(contract.setMemory, { body: { key, value, namespace } });
const eventsHere = async () => (await daemon.call(listEvents, { query: { namespace, limit: 1000 } })).events;

describe('import', () => {
  test('keeps times, and running it again changes nothing', async () => {
    const items = [
      { key: 'a', value: 'first', ...times, metadata: { n: 1 } },
      { key: 'b', value: 'second' },
    ];
    expect(await send(items)).toEqual({
      success: true,
      created: 2,
      updated: 0,
      unchanged: 0,
      kept: 0,
      deleted_here: 0,
      restored: 0,
      outcomes: ['created', 'created'],
    });
    expect(await get('a')).toMatchObject({ value: 'first', ...times, metadata: { n: 1 } });
    const before = await eventsHere();
    daemon.clock.advance(60_000);
    expect(await send(items)).toMatchObject({ unchanged: 2, outcomes: ['unchanged', 'unchanged'] });
    expect(await eventsHere()).toEqual(before);
    expect(before.map(({ type }) => type)).toEqual(['memory.write', 'memory.write']);
  });

  test('times of another zone are kept as the same moment', async () => {
    await send([
      {
        key: 'a',
        value: 'x',
        created_at: '2019-03-01T12:00:00+02:00',
        updated_at: '2019-03-01T12:00:00.5+02:00',
      },
    ]);
    expect(await get('a')).toMatchObject({
      created_at: '2019-03-01T10:00:00.000Z',
      updated_at: '2019-03-01T10:00:00.500Z',
    });
  });

  test('a dry run tells the same and does nothing', async () => {
    await set('there', 'same');
    const items = [
      { key: 'a', value: 'x' },
      { key: 'there', value: 'same' },
      { key: 'there', value: 'other' },
    ];
    const before = await eventsHere();
    const planned = await send(items, true);
    expect(planned.outcomes).toEqual(['created', 'unchanged', 'kept']);
    expect(await eventsHere()).toEqual(before);
    await expect(get('a')).rejects.toMatchObject({ status: 404 });
    expect((await send(items)).outcomes).toEqual(planned.outcomes);
  });

  test('what says only when it was made was changed then; what is there already is changed now', async () => {
    const created_at = '2019-03-01T10:00:00.000Z';
    await send([{ key: 'old', value: 'one', created_at }]);
    expect(await get('old')).toMatchObject({ created_at, updated_at: created_at });
    expect((await send([{ key: 'old', value: 'one', created_at }])).outcomes).toEqual(['unchanged']);
    const source = (hash: string) => ({ id: 'notes/old.md', hash });
    await send([{ key: 'sourced', value: 'one', created_at, source: source('1') }]);
    await send([{ key: 'sourced', value: 'two', created_at, source: source('2') }]);
    const { updated_at } = await get('sourced');
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(daemon.clock.now());
    await send([{ key: 'undated', value: 'one' }]);
    expect(Date.parse((await get('undated')).updated_at)).toBeGreaterThanOrEqual(daemon.clock.now());
  });

  test('the newer of two wins where no source is named', async () => {
    await set('k', 'here');
    const at = (ms: number) => new Date(daemon.clock.now() + ms).toISOString();
    expect((await send([{ key: 'k', value: 'older', updated_at: at(-1000) }])).outcomes).toEqual(['kept']);
    expect((await send([{ key: 'k', value: 'undated' }])).outcomes).toEqual(['kept']);
    expect((await get('k')).value).toBe('here');
    expect((await send([{ key: 'k', value: 'newer', updated_at: at(1000) }])).outcomes).toEqual(['updated']);
    expect(await get('k')).toMatchObject({ value: 'newer', updated_at: at(1000) });
  });

  test('a source: unchanged is skipped, changed is updated, edited on both sides is kept', async () => {
    const from = (hash: string, value: string) =>
      send([{ key: 'k', value, source: { id: 'notes/a.md', hash } }]);
    expect((await from('1', 'one')).outcomes).toEqual(['created']);
    expect((await from('1', 'one')).outcomes).toEqual(['unchanged']);
    expect((await from('2', 'two')).outcomes).toEqual(['updated']);
    await set('k', 'edited here');
    expect((await from('2', 'two')).outcomes).toEqual(['unchanged']);
    expect((await from('3', 'three')).outcomes).toEqual(['kept']);
    expect((await from('3', 'three')).outcomes).toEqual(['kept']);
    expect((await get('k')).value).toBe('edited here');
  });

  describe('tags of a source and of the person', () => {
    const source = (hash: string, tags: unknown) => ({
      key: 'a',
      value: `text ${hash}`,
      source: { id: `markdown:/${namespace}/a.md`, hash },
      metadata: { title: 'A', ...(tags !== undefined && { tags }) },
    });
    const bring = async (hash: string, tags?: unknown) => (await send([source(hash, tags)])).outcomes[0];
    const tag = (add: string[], remove: string[] = []) =>
      daemon.call(tagMemories, { body: { items: [{ key: 'a', namespace }], add, remove } });
    const tagsNow = async () => (await get('a')).metadata['tags'];

    test.each<{ said: [unknown, unknown]; add: string[]; remove?: string[]; now: string[] }>([
      { said: [['drinks'], ['drinks']], add: ['favourite'], now: ['drinks', 'favourite'] },
      { said: [undefined, undefined], add: ['favourite'], now: ['favourite'] },
      { said: [undefined, ['new']], add: ['favourite'], now: ['new', 'favourite'] },
      { said: [['old'], undefined], add: ['favourite'], now: ['favourite'] },
      {
        said: [
          ['old', 'stays'],
          ['stays', 'new'],
        ],
        add: ['favourite'],
        now: ['stays', 'new', 'favourite'],
      },
      { said: [['a'], ['a', 'favourite']], add: ['favourite'], now: ['a', 'favourite'] },
      {
        said: [
          ['a', 'b'],
          ['a', 'b'],
        ],
        add: [],
        remove: ['b'],
        now: ['a'],
      },
      {
        said: [
          ['a', 'b'],
          ['a', 'b', 'c'],
        ],
        add: ['mine'],
        remove: ['a', 'b'],
        now: ['c', 'mine'],
      },
      { said: ['a, b', 'a, c'], add: ['mine'], now: ['a', 'c', 'mine'] },
      { said: [['a'], ['a']], add: ['Füße', 'project/acme'], now: ['a', 'Füße', 'project/acme'] },
    ])('are two sets, and the text follows: %j', async ({ said, add, remove = [], now }) => {
      await bring('1', said[0]);
      await tag(add, remove);
      expect(await bring('2', said[1])).toBe('updated');
      expect(await get('a')).toMatchObject({ value: 'text 2', metadata: { title: 'A' } });
      expect(await tagsNow()).toEqual(now);
      // Also through the next save, and one more that says the same.
      expect(await bring('3', said[1])).toBe('updated');
      expect(await tagsNow()).toEqual(now);
      expect(await bring('3', said[1])).toBe('unchanged');
    });

    test('a tag that is set with the same text is none of the text either, an edit of the text is', async () => {
      await bring('1', ['a']);
      const metadata = { title: 'A', tags: ['a', 'mine'] };
      await daemon.call(contract.setMemory, { body: { key: 'a', namespace, value: 'text 1', metadata } });
      expect(await bring('2', ['a'])).toBe('updated');
      expect(await tagsNow()).toEqual(['a', 'mine']);
      await set('a', 'edited here');
      expect(await bring('3', ['a'])).toBe('kept');
      expect(await get('a')).toMatchObject({ value: 'edited here' });
    });

    test('those of the person come back from the trash, too', async () => {
      await bring('1', ['a']);
      await tag(['mine']);
      const sources = [`markdown:/${namespace}/a.md`];
      const { pruned } = await daemon.call(portable.pruneImported, { body: { sources } });
      expect(pruned).toMatchObject([{ key: 'a' }]);
      expect(await bring('2', ['a', 'b'])).toBe('restored');
      expect(await tagsNow()).toEqual(['a', 'b', 'mine']);
    });
  });

  test('an end that is past already is imported and gone', async () => {
    await send([{ key: 'k', value: 'v', expires_at: '2020-01-01T00:00:00Z' }]);
    await expect(get('k')).rejects.toMatchObject({ status: 404 });
  });

  test('all or nothing, each wrong field by name, and only for owners', async () => {
    const body = {
      items: [
        { key: 'a', value: 'v', namespace },
        { key: 'b', value: 'v', updated_at: 'x' },
        { value: 'v', class: 'note' },
      ],
    };
    const answer = await daemon.ask({ path: '/v1/import', body });
    expect(answer.json.errors?.map(({ path }) => path).sort()).toEqual([
      'items.1.updated_at',
      'items.2.class',
      'items.2.key',
    ]);
    await expect(get('a')).rejects.toMatchObject({ status: 404 });
    expect((await daemon.ask({ path: '/v1/import', key: daemon.apiKey, body })).status).toBe(403);
  });

  test('an import event says so, and an overwritten memory keeps its version', async () => {
    await set('k', 'before');
    await send([{ key: 'k', value: 'after', updated_at: new Date(daemon.clock.now() + 1000).toISOString() }]);
    const { versions } = await daemon.call(history.memoryHistory, { query: { key: 'k', namespace } });
    expect(versions.map(({ value }) => value)).toEqual(['after', 'before']);
    const origins = daemon.withStore((store) =>
      store.read((db) =>
        db
          .prepare<[string], { origin: string }>('SELECT origin FROM events WHERE namespace = ? ORDER BY seq')
          .all(namespace),
      ),
    );
    expect(origins.map(({ origin }) => origin)).toEqual(['local', 'import']);
  });
});
