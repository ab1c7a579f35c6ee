import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { listEvents } from '@reverie/shared/contract/events/events';
import { memoryGraph } from '@reverie/shared/contract/search/graph';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { listFacts } from '@reverie/shared/contract/search/knowledge';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { searchMemories, searchMemoriesGet } from '@reverie/shared/contract/search/search';
import { health } from '@reverie/shared/contract/system/system';
import { emptyTrash, listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { verifyDatabase } from '../../../db/backup/verify.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

const DAY = 86_400_000;
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
afterEach(() => expect(verifyDatabase(daemon.home.database).problems).toEqual([]));

const at = (...keys: string[]) => ({ items: keys.map((key) => ({ key, namespace })) });
const set = (key: string, value: string, more: Record<string, unknown> = {}) =>
  daemon.call(contract.setMemory, { body: { namespace, key, value, ...more } });
const get = (key: string) => daemon.call(contract.getMemory, { body: { key, namespace } });
const trash = (...keys: string[]) => daemon.call(trashMemories, { body: at(...keys) });
const restore = (...keys: string[]) => daemon.call(restoreTrash, { body: at(...keys) });
const inTrash = async () => {
  const { memories, total } = await daemon.call(listTrash, { query: { namespace } });
  expect(total).toBe(memories.length);
  return memories;
};
const keysIn = async () => (await inTrash()).map(({ key }) => key);
const history = async (key: string) =>
  (await daemon.call(memoryHistory, { query: { key, namespace } })).versions.map(({ value }) => value);
const events = async () => (await daemon.call(listEvents, { query: { namespace, limit: 1000 } })).events;
const settled = () =>
  expect
    .poll(async () => (await daemon.call(health, {})).indexing)
    .toMatchObject({ pending: 0, facts_pending: 0 });

describe('a memory in the trash', () => {
  test('is found by nothing, and comes back byte for byte with its history, end, tags and source', async () => {
    const expires_at = new Date(daemon.clock.now() + 90 * DAY).toISOString();
    const metadata = { tags: ['birds'], n: [1, null] };
    const source = { id: 'a.md', hash: 'h' };
    await set('other', 'Something else altogether.');
    await set('k', 'Bruno was here.', { metadata, expires_at });
    daemon.clock.advance(1000);
    const item = { key: 'k', namespace, value: '# Bruno\nLives in: Porto', metadata, expires_at, source };
    await set('k', item.value, { metadata, expires_at });
    await daemon.call(importMemories, { body: { items: [item] } });
    await settled();
    const before = await get('k');
    const versions = await history('k');
    const facts = { namespace, subject: 'Bruno' };
    expect((await daemon.call(listFacts, { query: facts })).facts.length).toBeGreaterThan(0);

    const { trashed } = await trash('k');
    const now = new Date(daemon.clock.now()).toISOString();
    const ends_at = new Date(daemon.clock.now() + 30 * DAY).toISOString();
    expect(trashed).toEqual([{ key: 'k', namespace, trashed_at: now, ends_at }]);
    await expect(get('k')).rejects.toMatchObject({ code: 'memory_not_found' });
    await expect(history('k')).rejects.toMatchObject({ code: 'memory_not_found' });
    const everywhere = [
      await daemon.call(contract.listMemories, {
        body: { namespace, include: ['merged', 'archived', 'superseded'] },
      }),
      await daemon.call(contract.listMemories, { body: { namespace, tags: ['birds'] } }),
      await daemon.call(searchMemories, {
        body: { namespace, query: 'Bruno', include: ['merged', 'archived', 'superseded'] },
      }),
      await daemon.call(searchMemoriesGet, { query: { q: '*' } }),
      await daemon.call(askMemory, { body: { namespace, question: 'Where does Bruno live?' } }),
      (await daemon.call(listFacts, { query: facts })).facts,
      await daemon.call(memoryGraph, { query: { namespace } }),
    ];
    for (const found of everywhere) expect(JSON.stringify(found)).not.toContain('Porto');
    const { namespaces } = await daemon.call(contract.listNamespaces, {});
    expect(namespaces.find((one) => one.namespace === namespace)).toMatchObject({ count: 1, bytes: 26 });
    expect(await inTrash()).toEqual([{ ...before, trashed_at: now, ends_at }]);

    daemon.clock.advance(5000);
    await restore('k');
    expect(await get('k')).toEqual(before);
    expect(await history('k')).toEqual(versions);
    expect(await inTrash()).toEqual([]);
    const { results } = await daemon.call(searchMemories, { body: { namespace, query: 'Bruno' } });
    expect(results.map(({ key }) => key)).toContain('k');
    const tagged = await daemon.call(contract.listMemories, { body: { namespace, tags: ['birds'] } });
    expect(tagged.memories).toEqual([before]);
    await settled();
    expect((await daemon.call(listFacts, { query: facts })).facts.length).toBeGreaterThan(0);
    const { outcomes } = await daemon.call(importMemories, { body: { items: [item] } });
    expect(outcomes).toEqual(['unchanged']);
  });

  test('is told as an update with trashed_at, there and back', async () => {
    await set('k', 'one');
    await trash('k');
    await restore('k');
    expect((await events()).map(({ type, data }) => [type, 'trashed_at' in (data.after ?? {})])).toEqual([
      ['memory.write', false],
      ['memory.update', true],
      ['memory.update', false],
    ]);
  });

  test('leaves its key to another one: it stays in the trash, restoring is 409, and goes on once that one is renamed', async () => {
    await set('k', 'the old one');
    await trash('k');
    await set('k', 'the new one');
    expect(await history('k')).toEqual(['the new one']);
    const refused = await daemon.ask({ path: '/v1/memory/trash/restore', body: at('k') });
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
    expect(refused.json.detail).toContain('rename that one, then restore this one');
    await daemon.call(renameMemory, { body: { key: 'k', namespace, to: { key: 'k2' } } });
    await restore('k');
    expect([(await get('k')).value, (await get('k2')).value]).toEqual(['the old one', 'the new one']);
  });

  test('may be one of several of its key, which are told apart by their time', async () => {
    for (const value of ['first', 'second']) {
      await set('k', value);
      await trash('k');
    }
    const [last, first] = await inTrash();
    expect([last?.value, first?.value]).toEqual(['second', 'first']);
    const item = { key: 'k', namespace, trashed_at: String(first?.trashed_at) };
    await daemon.call(restoreTrash, { body: { items: [item] } });
    expect((await get('k')).value).toBe('first');
    expect((await inTrash()).map(({ value }) => value)).toEqual(['second']);
  });

  test('is deleted for good after its days, out of events, too', async () => {
    await set('k', 'kookaburra');
    await set('kept', 'another one');
    await trash('k');
    daemon.clock.advance(29 * DAY);
    expect(await keysIn()).toEqual(['k']);
    daemon.clock.advance(DAY + 3_600_000);
    expect(await keysIn()).toEqual([]);
    daemon.clock.advance(91_000);
    expect(JSON.stringify(await events())).not.toContain('kookaburra');
    await expect(restore('k')).rejects.toMatchObject({ code: 'memory_not_found' });
    await set('k', 'a new one');
  });

  test('is deleted when its own end comes', async () => {
    await set('k', 'kookaburra', { expires_at: new Date(daemon.clock.now() + 60_000).toISOString() });
    await trash('k');
    daemon.clock.advance(61_000);
    expect(await keysIn()).toEqual([]);
    expect((await events()).at(-1)).toMatchObject({ type: 'memory.delete', actor: { id: 'expiry' } });
  });

  test('survives a restart, and costs neither stores nor the key of its Idempotency-Key', async () => {
    await set('k', 'one');
    const ask = () =>
      daemon.ask({
        path: '/v1/memory/trash',
        headers: { 'Idempotency-Key': namespace },
        body: at('k'),
      });
    expect((await ask()).text).toBe((await ask()).text);
    await daemon.restart();
    expect(await keysIn()).toEqual(['k']);
    await restore('k');
    expect((await get('k')).value).toBe('one');
  });
});

describe('moving to the trash', () => {
  test('of several is all or nothing, and so is bringing back', async () => {
    await set('a', 'one');
    await expect(trash('a', 'none')).rejects.toMatchObject({ code: 'memory_not_found' });
    expect(await keysIn()).toEqual([]);
    await set('b', 'two');
    await trash('a', 'b');
    await set('b', 'another');
    await expect(restore('a', 'b')).rejects.toMatchObject({ code: 'conflict' });
    expect(await keysIn()).toEqual(['b', 'a']);
  });

  test('what was changed since is refused', async () => {
    await set('a', 'one');
    const { updated_at } = await get('a');
    await set('a', 'two');
    const items = [{ key: 'a', namespace, if_updated_at: updated_at }];
    await expect(daemon.call(trashMemories, { body: { items } })).rejects.toMatchObject({ code: 'conflict' });
    expect((await get('a')).value).toBe('two');
  });

  test('keys and namespaces of their own are not to be asked for', async () => {
    await set('a', 'one');
    await trash('a');
    for (const body of [
      { key: 'a', namespace: `\u0001\u0001${namespace}` },
      { key: 'a\u00011', namespace },
    ])
      expect((await daemon.ask({ path: '/v1/memory-get', body })).status).toBe(400);
  });
});

describe('emptying the trash', () => {
  test('deletes all of a namespace, or the named ones, for good', async () => {
    for (const key of ['a', 'b', 'c']) await set(key, `kookaburra ${key}`);
    await set('kept', 'something');
    await trash('a', 'b', 'c');
    expect(await daemon.call(emptyTrash, { body: at('b') })).toEqual({ success: true, deleted: 1 });
    expect((await keysIn()).sort()).toEqual(['a', 'c']);
    expect(await daemon.call(emptyTrash, { body: { namespace } })).toEqual({ success: true, deleted: 2 });
    expect(await keysIn()).toEqual([]);
    daemon.clock.advance(91_000);
    expect(JSON.stringify(await events())).not.toContain('kookaburra');
    await expect(daemon.call(emptyTrash, { body: at('b') })).rejects.toMatchObject({ status: 404 });
    const both = await daemon.ask({ path: '/v1/memory/trash/empty', body: { namespace, ...at('b') } });
    expect([both.status, both.json.errors?.[0]?.path]).toEqual([400, 'items']);
  });

  test('leaves the text nowhere in the files', async () => {
    const word = 'zyxwobblequonk';
    await set('k', `The password is ${word}.`, { metadata: { tags: [word] } });
    await set('k', `The password is ${word} still.`, { metadata: { tags: [word] } });
    await trash('k');
    await daemon.call(emptyTrash, { body: { namespace } });
    const found = () =>
      ['', '-wal'].filter((suffix) => {
        const file = `${daemon.home.database}${suffix}`;
        return fs.existsSync(file) && fs.readFileSync(file).toString('latin1').includes(word.slice(2, 9));
      });
    daemon.clock.advance(61_000);
    await expect
      .poll(() => {
        daemon.clock.advance(1000);
        return found();
      })
      .toEqual([]);
  });

  test('is what a clear does, also of a namespace that holds nothing else', async () => {
    await set('a', 'one');
    await set('b', 'two');
    await trash('a');
    const clear = () => daemon.call(contract.clearNamespace, { body: { namespace } });
    expect(await clear()).toEqual({ success: true, namespace, deleted: 1, from_trash: 1 });
    await set('a', 'one');
    await trash('a');
    expect(await clear()).toMatchObject({ deleted: 0, from_trash: 1 });
    expect(await keysIn()).toEqual([]);
  });
});
