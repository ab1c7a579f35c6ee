import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listEvents } from '@reverie/shared/contract/events/events';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
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
  namespace = `deleted ${run}`;
});
afterEach(() => expect(verifyDatabase(daemon.home.database).problems).toEqual([]));

const times = { created_at: '2019-03-01T10:00:00.000Z', updated_at: '2020-04-02T11:30:00.000Z' };
const itemOf = (key: string, value: string, more: Record<string, unknown> = {}) => ({
  key,
  namespace,
  value,
  ...times,
  metadata: { from: 'a file' },
  source: { id: `notes/${namespace}/${key}`, hash: `hash of ${value}` },
  ...more,
});
type Item = ReturnType<typeof itemOf>;
const bring = async (items: Item[], more: { restore?: boolean; dry_run?: boolean } = {}) =>
  (await daemon.call(importMemories, { body: { items, ...more } })).outcomes;
const at = (key: string) => ({ items: [{ key, namespace }] });
const get = (key: string) => daemon.call(contract.getMemory, { body: { key, namespace } });
const isThere = async (key: string) =>
  (await daemon.ask({ path: '/v1/memory-get', body: { key, namespace } })).status === 200;
const remove = (key: string) => daemon.call(contract.deleteMemory, { body: { key, namespace } });
const trash = (key: string) => daemon.call(trashMemories, { body: at(key) });
const history = async (key: string) =>
  (await daemon.call(memoryHistory, { query: { key, namespace } })).versions.map(({ value }) => value);
const events = async () => (await daemon.call(listEvents, { query: { namespace, limit: 1000 } })).events;

describe('what was deleted here', () => {
  test.each([
    ['deleted for good', (key: string) => remove(key)],
    ['cleared', () => daemon.call(contract.clearNamespace, { body: { namespace } })],
    ['put into the trash', (key: string) => trash(key)],
    [
      'deleted out of the trash',
      async (key: string) => {
        await trash(key);
        await daemon.call(emptyTrash, { body: { namespace } });
      },
    ],
    [
      'in the trash for its days',
      async (key: string) => {
        await trash(key);
        daemon.clock.advance(31 * DAY);
        expect((await daemon.call(listTrash, { query: { namespace } })).total).toBe(0);
      },
    ],
    [
      'cleared out of the trash',
      async (key: string) => {
        await trash(key);
        await daemon.call(contract.clearNamespace, { body: { namespace } });
      },
    ],
    [
      'renamed, and then deleted',
      async (key: string) => {
        await daemon.call(renameMemory, {
          body: { key, namespace, to: { key: 'renamed', namespace: `${namespace} elsewhere` } },
        });
        await daemon.call(contract.deleteMemory, {
          body: { key: 'renamed', namespace: `${namespace} elsewhere` },
        });
      },
    ],
  ])('stays so when its source brings it again: %s', async (_, end) => {
    const items = [itemOf('a.md', 'the swifts are back'), itemOf('b.md', 'the storks are back')];
    expect(await bring(items)).toEqual(['created', 'created']);
    await end('a.md');
    const isOtherThere = await isThere('b.md');
    const before = await events();
    const other = isOtherThere ? 'unchanged' : 'deleted_here';
    expect(await bring(items, { dry_run: true })).toEqual(['deleted_here', other]);
    expect(await bring(items)).toEqual(['deleted_here', other]);
    // Also when the source says something else now.
    expect(await bring([itemOf('a.md', 'the swifts are gone')])).toEqual(['deleted_here']);
    expect(await events()).toEqual(before);
    expect(await isThere('a.md')).toBe(false);

    expect(await bring(items, { restore: true, dry_run: true })).toEqual([
      'restored',
      isOtherThere ? 'unchanged' : 'restored',
    ]);
    expect(await isThere('a.md')).toBe(false);
    expect(await bring([itemOf('a.md', 'the swifts are gone')], { restore: true })).toEqual(['restored']);
    expect(await get('a.md')).toMatchObject({
      value: 'the swifts are gone',
      ...times,
      metadata: { from: 'a file' },
    });
    expect((await daemon.call(listTrash, { query: { namespace } })).total).toBe(0);
    // From then on it is as any other.
    expect(await bring([itemOf('a.md', 'the swifts are gone')])).toEqual(['unchanged']);
    expect(await bring([itemOf('a.md', 'and back')])).toEqual(['updated']);
  });

  test('is known by its source, its namespace and its key, each alone brings nothing back or holds nothing off', async () => {
    await bring([itemOf('a', 'one')]);
    await remove('a');
    const elsewhere = `${namespace} too`;
    const outcomes = await bring([
      itemOf('a', 'one', { namespace: elsewhere }),
      itemOf('b', 'one', { source: itemOf('a', 'one').source }),
      itemOf('a', 'one'),
    ]);
    expect(outcomes).toEqual(['created', 'created', 'deleted_here']);
    expect(await bring([itemOf('a', 'one', { source: { id: 'another one', hash: 'h' } })])).toEqual([
      'created',
    ]);
  });

  test('of an item without a source nothing is remembered', async () => {
    const items = [{ key: 'a', namespace, value: 'one' }];
    await daemon.call(importMemories, { body: { items } });
    await remove('a');
    expect((await daemon.call(importMemories, { body: { items } })).outcomes).toEqual(['created']);
  });

  test('comes out of the trash with its history, as the source says, also where it was edited here', async () => {
    await bring([itemOf('a', 'one')]);
    await daemon.call(contract.setMemory, { body: { key: 'a', namespace, value: 'edited here' } });
    await trash('a');
    expect(await bring([itemOf('a', 'one')])).toEqual(['deleted_here']);
    expect(await bring([itemOf('a', 'one')], { restore: true })).toEqual(['restored']);
    expect(await get('a')).toMatchObject({ value: 'one', ...times, metadata: { from: 'a file' } });
    expect(await history('a')).toEqual(['one', 'edited here', 'one']);
  });

  test('is at its source again once somebody restores it from the trash, and its edits go on', async () => {
    await bring([itemOf('a', 'one')]);
    await trash('a');
    await daemon.call(restoreTrash, { body: at('a') });
    expect(await bring([itemOf('a', 'one')])).toEqual(['unchanged']);
    expect(await bring([itemOf('a', 'two')])).toEqual(['updated']);
  });

  test('another memory that has its key since is kept, and the one in the trash stays there', async () => {
    await bring([itemOf('a', 'one')]);
    await trash('a');
    await daemon.call(contract.setMemory, { body: { key: 'a', namespace, value: 'mine' } });
    for (const restore of [false, true])
      expect(await bring([itemOf('a', 'two')], { restore })).toEqual(['kept']);
    expect((await get('a')).value).toBe('mine');
    expect((await daemon.call(listTrash, { query: { namespace } })).total).toBe(1);
    // One that says the same is what the source brings, from now on.
    await daemon.call(contract.setMemory, {
      body: { key: 'a', namespace, value: 'three', metadata: { from: 'a file' } },
    });
    const { created_at, updated_at } = await get('a');
    expect(await bring([itemOf('a', 'three', { created_at, updated_at })])).toEqual(['unchanged']);
    expect(await bring([itemOf('a', 'four')])).toEqual(['updated']);
  });

  test('what was renamed before it was put into the trash comes back under that name, and not over another', async () => {
    await bring([itemOf('a', 'one')]);
    await daemon.call(renameMemory, { body: { key: 'a', namespace, to: { key: 'b' } } });
    await trash('b');
    await daemon.call(contract.setMemory, { body: { key: 'b', namespace, value: 'mine' } });
    expect(await bring([itemOf('a', 'two')], { restore: true })).toEqual(['kept']);
    await daemon.call(renameMemory, { body: { key: 'b', namespace, to: { key: 'c' } } });
    expect(await bring([itemOf('a', 'two')], { restore: true })).toEqual(['restored']);
    expect([await isThere('a'), (await get('b')).value, (await get('c')).value]).toEqual([
      false,
      'two',
      'mine',
    ]);
  });

  test('a memory whose own time was over was deleted by nobody', async () => {
    const expires_at = new Date(daemon.clock.now() + 1000).toISOString();
    await bring([itemOf('a', 'one', { expires_at })]);
    await bring([itemOf('b', 'one', { expires_at })]);
    await trash('b');
    daemon.clock.advance(2000);
    expect(await isThere('a')).toBe(false);
    expect(await bring([itemOf('a', 'one'), itemOf('b', 'one')])).toEqual(['created', 'created']);
  });

  test('leaves nothing of its source and its text in the files but a hash', async () => {
    const source = { id: '/home/quokka.md', hash: 'h' };
    await bring([itemOf('a', 'a quokka', { source })]);
    await remove('a');
    const found = () =>
      ['', '-wal'].filter((suffix) => {
        const file = `${daemon.home.database}${suffix}`;
        return fs.existsSync(file) && fs.readFileSync(file).toString('latin1').includes('quokka');
      });
    daemon.clock.advance(61_000);
    await expect
      .poll(() => {
        daemon.clock.advance(1000);
        return found();
      })
      .toEqual([]);
    const remembered = daemon.withStore((store) =>
      store.read((db) =>
        db
          .prepare<[], { account: number; address: Buffer }>('SELECT account, address FROM deleted_imports')
          .all(),
      ),
    );
    const digests = remembered.map(({ account }) =>
      createHash('sha256')
        .update(JSON.stringify([account, namespace, 'a', source.id]))
        .digest('hex'),
    );
    expect(remembered.map(({ address }) => address.toString('hex'))).toContain(digests[0]);
  });
});

describe('a memory that was renamed here', () => {
  test('is what its source goes on with, under its new name', async () => {
    await bring([itemOf('a', 'one')]);
    await daemon.call(renameMemory, { body: { key: 'a', namespace, to: { key: 'b' } } });
    expect(await bring([itemOf('a', 'one')])).toEqual(['unchanged']);
    expect(await bring([itemOf('a', 'two')])).toEqual(['updated']);
    expect([await isThere('a'), (await get('b')).value, await history('b')]).toEqual([
      false,
      'two',
      ['two', 'one'],
    ]);
    await daemon.call(contract.setMemory, { body: { key: 'b', namespace, value: 'edited here' } });
    expect(await bring([itemOf('a', 'three')])).toEqual(['kept']);
  });
});

describe('an Idempotency-Key', () => {
  test('answers the first reply, whatever was deleted since; another body is refused', async () => {
    const headers = { 'Idempotency-Key': `import ${namespace}` };
    const send = (items: Item[]) => daemon.ask({ path: '/v1/import', headers, body: { items } });
    const first = await send([itemOf('a', 'one')]);
    await remove('a');
    expect((await send([itemOf('a', 'one')])).text).toBe(first.text);
    expect(await isThere('a')).toBe(false);
    expect((await send([itemOf('a', 'two')])).json.code).toBe('conflict');
    expect(await bring([itemOf('a', 'one')])).toEqual(['deleted_here']);
  });
});
