import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories, listImportSources, pruneImported } from '@reverie/shared/contract/memories/portable';
import { emptyTrash, listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { verifyDatabase } from '../../../db/backup/verify.ts';
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
  namespace = `vanishing ${run}`;
});
afterEach(() => expect(verifyDatabase(daemon.home.database).problems).toEqual([]));

const idOf = (key: string) => `notes:${namespace}/${key}`;
const itemOf = (key: string, value: string, source = idOf(key)) => ({
  key,
  namespace,
  value,
  source: { id: source, hash: `hash of ${value}` },
});
const bring = async (...items: ReturnType<typeof itemOf>[]) =>
  (await daemon.call(importMemories, { body: { items } })).outcomes;
const prune = async (keys: string[], more: { dry_run?: boolean } = {}) => {
  const body = { sources: keys.map(idOf), ...more };
  const { pruned, kept } = await daemon.call(pruneImported, { body });
  return { pruned: pruned.map(({ key }) => key), kept: kept.map(({ key }) => key) };
};
const sources = async (root = `notes:${namespace}`) =>
  (await daemon.call(listImportSources, { query: { root } })).sources;
const keys = async () =>
  (await daemon.call(contract.listMemories, { body: { namespace } })).memories.map(({ key }) => key).sort();
const trashed = async () =>
  (await daemon.call(listTrash, { query: { namespace } })).memories.map(({ key }) => key).sort();
const set = (key: string, value: string) =>
  daemon.call(contract.setMemory, { body: { key, namespace, value } });
const at = (key: string) => ({ items: [{ key, namespace }] });

describe('the sources below a root', () => {
  test('are that of the root and what goes on with / or #, by their bytes, page by page', async () => {
    const ids = ['r', 'r#1', 'r/', 'r/a', 'r/a/b', 'r/ü', 'r ', 'r-2', 'r0', 'rr', 'q', 'R/a'];
    await bring(...ids.map((id, n) => itemOf(`${n}`, id, `${namespace} ${id}`)));
    const root = `${namespace} r`;
    const wanted = ['r', 'r#1', 'r/', 'r/a', 'r/a/b', 'r/ü'].map((id) => `${namespace} ${id}`);
    expect(await sources(root)).toEqual(wanted);
    expect(await sources(`${root}/a`)).toEqual([`${root}/a`, `${root}/a/b`]);
    const paged: string[] = [];
    for (let after: string | undefined; ;) {
      const query = { root, limit: 4, ...(after !== undefined && { after }) };
      const page = await daemon.call(listImportSources, { query });
      paged.push(...page.sources);
      if (page.next === null) break;
      after = page.next;
    }
    expect(paged).toEqual(wanted);
  });

  test('are without those of deleted, trashed and pruned memories', async () => {
    await bring(itemOf('a', '1'), itemOf('b', '2'), itemOf('c', '3'), itemOf('d', '4'));
    await daemon.call(contract.deleteMemory, { body: { key: 'a', namespace } });
    await daemon.call(trashMemories, { body: at('b') });
    await prune(['c']);
    expect(await sources()).toEqual([idOf('d')]);
  });

  test('a root that ends in / or # is refused with what is allowed, and only owners may ask', async () => {
    const answer = await daemon.ask({ path: '/v1/import/sources?root=notes%2F' });
    expect([answer.status, answer.json.errors?.[0]]).toEqual([
      400,
      { path: 'root', message: 'ends in "/" or "#"; allowed: the id without it' },
    ]);
    const asked = { path: '/v1/import/sources?root=notes', key: daemon.apiKey };
    expect((await daemon.ask(asked)).status).toBe(403);
    const body = { sources: ['x'] };
    expect((await daemon.ask({ path: '/v1/import/prune', key: daemon.apiKey, body })).status).toBe(403);
  });
});

describe('pruning', () => {
  test('moves what came from the named sources to the trash, and nothing else', async () => {
    await bring(itemOf('a', '1'), itemOf('b', '2'), itemOf('c', '3'));
    await set('mine', 'not imported');
    expect(await prune(['a', 'b', 'never seen'], { dry_run: true })).toEqual({
      pruned: ['a', 'b'],
      kept: [],
    });
    expect(await keys()).toEqual(['a', 'b', 'c', 'mine']);
    expect(await prune(['a', 'b', 'never seen'])).toEqual({ pruned: ['a', 'b'], kept: [] });
    expect([await keys(), await trashed()]).toEqual([
      ['c', 'mine'],
      ['a', 'b'],
    ]);
    expect(await prune(['a', 'b'])).toEqual({ pruned: [], kept: [] });
  });

  test('keeps and names what was edited, or renamed, here since', async () => {
    await bring(itemOf('a', '1'), itemOf('b', '2'), itemOf('c', '3'));
    await set('a', 'edited here');
    await daemon.call(renameMemory, { body: { key: 'b', namespace, to: { key: 'mine' } } });
    for (const dry_run of [true, false, false])
      expect(await prune(['a', 'b'], { dry_run })).toEqual({ pruned: [], kept: ['a', 'mine'] });
    expect(await keys()).toEqual(['a', 'c', 'mine']);
  });

  test('what is there again comes back from the trash by itself, with its history', async () => {
    await bring(itemOf('a', '1'), itemOf('b', '2'));
    await bring(itemOf('a', '1.1'));
    await prune(['a', 'b']);
    expect(await bring(itemOf('a', '1.1'), itemOf('b', '3'))).toEqual(['restored', 'restored']);
    const { versions } = await daemon.call(memoryHistory, { query: { key: 'a', namespace } });
    expect(versions.map(({ value }) => value)).toEqual(['1.1', '1']);
    expect((await daemon.call(contract.getMemory, { body: { key: 'b', namespace } })).value).toBe('3');
    expect([await trashed(), await bring(itemOf('b', '3'))]).toEqual([[], ['unchanged']]);
    expect(await prune(['b'])).toEqual({ pruned: ['b'], kept: [] });
  });

  test('what was deleted for good while its source was gone is a new memory when that is there again', async () => {
    await bring(itemOf('a', '1'));
    await prune(['a']);
    await daemon.call(emptyTrash, { body: { namespace } });
    expect(await bring(itemOf('a', '1'))).toEqual(['created']);
  });

  test('what somebody put into the trash stays there, and stays deleted here', async () => {
    await bring(itemOf('a', '1'));
    await daemon.call(trashMemories, { body: at('a') });
    expect(await prune(['a'])).toEqual({ pruned: [], kept: [] });
    expect(await bring(itemOf('a', '1'))).toEqual(['deleted_here']);
  });

  test('what somebody took out of the trash is not pruned again, until its source was there in between', async () => {
    await bring(itemOf('a', '1'));
    await prune(['a']);
    await daemon.call(restoreTrash, { body: at('a') });
    expect([await prune(['a']), await sources()]).toEqual([{ pruned: [], kept: [] }, []]);
    expect(await bring(itemOf('a', '1'))).toEqual(['unchanged']);
    expect(await prune(['a'])).toEqual({ pruned: ['a'], kept: [] });
  });

  test('a memory of two sources goes with the last of them', async () => {
    await set('a', 'the same');
    const { created_at, updated_at } = await daemon.call(contract.getMemory, {
      body: { key: 'a', namespace },
    });
    for (const name of ['x', 'y'])
      await daemon.call(importMemories, {
        body: { items: [{ ...itemOf('a', 'the same', idOf(name)), created_at, updated_at }] },
      });
    expect(await prune(['x'])).toEqual({ pruned: [], kept: [] });
    expect([await keys(), await sources()]).toEqual([['a'], [idOf('y')]]);
    expect(await prune(['y'])).toEqual({ pruned: ['a'], kept: [] });
    expect(await trashed()).toEqual(['a']);
  });

  test('all memories of one source go with it, in whichever namespaces they are', async () => {
    const source = idOf('file');
    const elsewhere = { ...itemOf('a', '1', source), namespace: `${namespace} too` };
    await bring(itemOf('a', '1', source), itemOf('b', '2', source), elsewhere);
    const { pruned } = await daemon.call(pruneImported, { body: { sources: [source] } });
    expect(pruned.map((one) => [one.namespace, one.key])).toEqual([
      [namespace, 'a'],
      [namespace, 'b'],
      [elsewhere.namespace, 'a'],
    ]);
  });

  test('of an account touches no other one', async () => {
    await bring(itemOf('a', '1'));
    const other = daemon.addAccount('owner');
    const call = daemon.as(other.key);
    expect(await call(pruneImported, { body: { sources: [idOf('a')] } })).toMatchObject({ pruned: [] });
    expect((await call(listImportSources, { query: { root: `notes:${namespace}` } })).sources).toEqual([]);
    expect((await call(importMemories, { body: { items: [itemOf('a', '1')] } })).outcomes).toEqual([
      'created',
    ]);
    await call(contract.deleteMemory, { body: { key: 'a', namespace } });
    expect((await call(importMemories, { body: { items: [itemOf('a', '1')] } })).outcomes).toEqual([
      'deleted_here',
    ]);
    expect([await keys(), await bring(itemOf('a', '1'))]).toEqual([['a'], ['unchanged']]);
  });

  test('with an Idempotency-Key answers the first reply again', async () => {
    await bring(itemOf('a', '1'));
    const headers = { 'Idempotency-Key': `prune ${namespace}` };
    const send = () => daemon.ask({ path: '/v1/import/prune', headers, body: { sources: [idOf('a')] } });
    const first = await send();
    await bring(itemOf('a', '1'));
    expect((await send()).text).toBe(first.text);
    expect(await keys()).toEqual(['a']);
  });
});
