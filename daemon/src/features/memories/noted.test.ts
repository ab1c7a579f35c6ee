import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { memoryGraph } from '@reverie/shared/contract/search/graph';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import * as contract from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { searchMemories, searchMemoriesGet } from '@reverie/shared/contract/search/search';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { listTrash, restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import type { Author } from '../../db/change.ts';
import { deriveSome } from '../../db/backfill.store.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';
import { showMemory } from './hiding.ts';
import { findMemory } from './memories.store.ts';
import { keepDay } from './noted.store.ts';
import { unfollowed } from './unfollowed.ts';

let daemon: TestDaemon;
let namespace = '';
let run = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());
beforeEach(() => (namespace = `noted ${++run}`));

const set = (key: string, value: string, metadata = {}) =>
  daemon.call(contract.setMemory, { body: { key, namespace, value, metadata } });
const get = (key: string) => daemon.call(contract.getMemory, { body: { key, namespace } });
const list = async (body = {}) =>
  (await daemon.call(contract.listMemories, { body: { namespace, ...body } })).memories;
const bring = async (key: string, value: string, { hash = value, ...times }: Record<string, string> = {}) =>
  (
    await daemon.call(importMemories, {
      body: {
        items: [
          {
            key,
            namespace,
            value,
            ...times,
            metadata: { imported: { format: 'markdown', path: key } },
            source: { id: `markdown:/${namespace}/${key}`, hash },
          },
        ],
      },
    })
  ).outcomes[0];

describe('the day that a memory gives itself', () => {
  test('stands in every reply, and is missing where it gives none', async () => {
    await set('journal/2026-09-14.md', 'moved the backups to Hetzner');
    await set('plain', 'moved the piano to the attic');
    const noted_at = '2026-09-14';
    expect(await get('journal/2026-09-14.md')).toMatchObject({ noted_at });
    expect(await get('plain')).not.toHaveProperty('noted_at');
    expect((await list()).map((memory) => memory.noted_at)).toEqual([noted_at, undefined]);
    const { results } = await daemon.call(searchMemories, { body: { namespace, query: 'backups' } });
    expect(results[0]).toMatchObject({ key: 'journal/2026-09-14.md', noted_at });
    const found = await daemon.call(searchMemoriesGet, { query: { q: 'backups', namespace } });
    expect(found.memories[0]).toMatchObject({ noted_at });
    const { nodes } = await daemon.call(memoryGraph, {
      query: { namespace, key: 'journal/2026-09-14.md' },
    });
    expect(nodes[0]).toMatchObject({ noted_at });
    const { citations } = await daemon.call(askMemory, {
      body: { namespace, question: 'When were the backups moved?' },
    });
    expect(citations[0]).toMatchObject({ noted_at, date: '2026-09-14T00:00:00.000Z' });
  });

  test('follows what is written, how it is called, and goes with it into the trash and back', async () => {
    await set('a', '# 2026-09-14\n\ntext');
    expect(await get('a')).toMatchObject({ noted_at: '2026-09-14' });
    await set('a', '# 2026-09-15\n\ntext');
    expect(await get('a')).toMatchObject({ noted_at: '2026-09-15' });
    await set('a', 'text', { date: '2026-11-04' });
    expect(await get('a')).toMatchObject({ noted_at: '2026-11-04' });
    const to = { key: '2026-01-02' };
    await daemon.call(renameMemory, { body: { key: 'a', namespace, to } });
    expect(await get('2026-01-02')).toMatchObject({ noted_at: '2026-01-02' });
    const items = [{ key: '2026-01-02', namespace }];
    await daemon.call(trashMemories, { body: { items } });
    const { memories } = await daemon.call(listTrash, { query: { namespace } });
    expect(memories[0]).toMatchObject({ noted_at: '2026-01-02' });
    await daemon.call(restoreTrash, { body: { items } });
    expect(await get('2026-01-02')).toMatchObject({ noted_at: '2026-01-02' });
    await daemon.call(renameMemory, { body: { key: '2026-01-02', namespace, to: { key: 'b' } } });
    await set('b', 'text');
    expect(await get('b')).not.toHaveProperty('noted_at');
  });

  test('is what lists are put in order and narrowed by', async () => {
    await set('2026-09-14', 'b');
    await set('2020-01-01', 'c');
    await set('now', 'a');
    expect((await list({ order: 'noted' })).map(({ key }) => key)).toEqual([
      'now',
      '2026-09-14',
      '2020-01-01',
    ]);
    expect((await list({ query: 'before:2026' })).map(({ key }) => key)).toEqual(['2020-01-01']);
    expect((await list({ query: 'after:2026-09-13 before:2026-09-15' })).map(({ key }) => key)).toEqual([
      '2026-09-14',
    ]);
    const { results } = await daemon.call(searchMemories, { body: { namespace, query: 'before:2026-10' } });
    expect(results.map(({ key }) => key)).toEqual(['2026-09-14', '2020-01-01']);
  });
});

describe('what was known at a time', () => {
  const ask = async (question: string, as_of: string) =>
    daemon.call(askMemory, { body: { namespace, question, as_of } });

  test('is a note of that day, though its file was brought here later', async () => {
    await bring('journal/2026-03-02.md', 'moved the backups to the NAS in the cellar');
    await bring('minutes.md', '# 2026-03-09\n\nThe backups are tested each month.');
    const before = await ask('Where are the backups?', '2026-03-01T00:00:00Z');
    expect(before.found).toBe(false);
    const { citations } = await ask('Where are the backups?', '2026-03-05T00:00:00Z');
    expect(citations.map(({ key }) => key)).toEqual(['journal/2026-03-02.md']);
    const later = await ask('Where are the backups?', '2026-03-10T00:00:00Z');
    expect(later.citations.map(({ key }) => key).sort()).toEqual(['journal/2026-03-02.md', 'minutes.md']);
  });

  test('is what the file said first, however often it changed since', async () => {
    await bring('2026-03-02.md', 'The backups are on the NAS.');
    daemon.clock.advance(60_000);
    expect(await bring('2026-03-02.md', 'The backups are at Hetzner.')).toBe('updated');
    const { citations } = await ask('Where are the backups?', '2026-03-05T00:00:00Z');
    expect(citations[0]?.value).toBe('The backups are on the NAS.');
  });

  test('is no memory that was told only today, whatever day it names', async () => {
    await set('journal/2026-03-02', 'moved the backups to the NAS in the cellar');
    expect((await ask('Where are the backups?', '2026-03-05T00:00:00Z')).found).toBe(false);
  });
});

describe('a file that changes', () => {
  const iso = (ms: number) => new Date(ms).toISOString();
  const saved = (at: number) => ({ created_at: iso(at), updated_at: iso(at) });

  test('keeps when its memory was made, and gains a version', async () => {
    const first = Date.UTC(2026, 1, 1);
    await bring('deploy.md', 'We deploy on Tuesdays.', saved(first));
    expect(await bring('deploy.md', 'We deploy on Thursdays.', saved(first + 60_000))).toBe('updated');
    expect(await get('deploy.md')).toMatchObject({
      created_at: iso(first),
      updated_at: iso(first + 60_000),
      value: 'We deploy on Thursdays.',
    });
    const body = { namespace, question: 'When do we deploy?', as_of: iso(first + 30_000) };
    const { citations } = await daemon.call(askMemory, { body });
    expect(citations[0]?.value).toBe('We deploy on Tuesdays.');
  });

  test('for an older one takes its place later, not before', async () => {
    const first = Date.UTC(2026, 1, 1);
    await bring('deploy.md', 'We deploy on Tuesdays.', saved(first));
    await bring('deploy.md', 'We deploy on Mondays.', saved(first - 60_000));
    const { versions } = await daemon.call(memoryHistory, { query: { key: 'deploy.md', namespace } });
    const times = versions.map(({ updated_at }) => Date.parse(updated_at));
    expect(versions.map(({ value }) => value)).toEqual(['We deploy on Mondays.', 'We deploy on Tuesdays.']);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(await get('deploy.md')).toMatchObject({ created_at: iso(first) });
  });
});

test('memories of before are read in the background, hidden ones when they are shown again', () => {
  const home = temporaryFolder();
  const file = path.join(home.folder, 'reverie.db');
  const migrations = loadMigrations();
  const first = migrations.findIndex(({ sql }) => sql.includes('memories_by_day'));
  const before = openStore({ file, migrations: migrations.slice(0, first) });
  before.write((db) => {
    db.exec(`INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1);
      INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (1, 1, 'n', 3, 3, 0, 0, 1)`);
    const add = db.prepare<unknown[]>(
      `INSERT INTO memories (account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at, hidden, archived_at)
       VALUES (1, 1, ?, ?, '{}', 'note', 1, 1, 1, 1, ?, ?)`,
    );
    add.run('2026-09-14', 'text', null, null);
    add.run('plain', 'text', null, null);
    add.run('hidden', '# 2026-09-15', 'archived', 1);
  });
  before.close();

  const store = openStore({ file, migrations });
  const days = () =>
    store.read((db) => db.prepare<[], number>('SELECT noted_at FROM memories ORDER BY id').pluck().all());
  expect(days()).toEqual([null, null, null]);
  while (store.write((db) => deriveSome(db, { name: 'days_unread', what: 'days', keep: keepDay }, 1)));
  expect(days()).toEqual([Date.UTC(2026, 8, 14), null, null]);
  const author: Author = { account: 1 as AccountId, actor: { kind: 'system', id: 'test' }, origin: 'local' };
  store.write((db) => {
    const row = findMemory(db, { account: author.account, namespace: 'n', key: 'hidden' });
    if (!row) throw new Error('it was stored');
    showMemory(db, unfollowed({ store, clock: createFakeClock() }), { author, row, behind: null });
  });
  expect(days()).toEqual([Date.UTC(2026, 8, 14), null, Date.UTC(2026, 8, 15)]);
  store.close();
  home.remove();
});
