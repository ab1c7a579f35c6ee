import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as contract from '@reverie/shared/contract/memories/memories';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { setProperty } from '@reverie/shared/contract/memories/properties';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { deriveSome } from '../../db/backfill.store.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';
import { keepProperties } from './properties.store.ts';

let daemon: TestDaemon;
let namespace = '';
let run = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());
beforeEach(() => (namespace = `properties ${++run}`));

const set = (key: string, value: string, metadata = {}) =>
  daemon.call(contract.setMemory, { body: { key, namespace, value, metadata } });
const front = (key: string, ...lines: string[]) => set(key, ['---', ...lines, '---', 'Text.', ''].join('\n'));
const keys = async (...where: string[]) => {
  const { memories, total } = await daemon.call(contract.listMemories, { body: { namespace, where } });
  expect(total).toBe(memories.length);
  return memories.map(({ key }) => key).sort();
};
const refusal = async (where: unknown) => {
  const { status, json } = await daemon.ask({ path: '/v1/memory-list', body: { namespace, where } });
  return [status, json.errors?.[0]?.path, json.errors?.[0]?.message] as const;
};

describe('a list by properties', () => {
  test('has the memories whose front matter, page properties or metadata say so', async () => {
    await front('front', 'status: Open');
    await set('page', '- status:: open\n  owner:: [[Ada]]\n- More.');
    await set('meta', 'Text.', { status: 'OPEN' });
    await front('done', 'status: done');
    await set('prose', 'Text first.\n\nstatus:: open\nstatus: open');
    expect(await keys('status=open')).toEqual(['front', 'meta', 'page']);
    expect(await keys('Status = ópen', 'owner')).toEqual(['page']);
    expect(await keys('owner=ada')).toEqual(['page']);
    expect(await keys('owner=[[Ada]]')).toEqual(['page']);
    expect(await keys('status=open', 'status=done')).toEqual([]);
  });

  test('is of the same number, of a day in the month that is named, or of one of the values of a list', async () => {
    await front('a', 'price: 1.10', 'due: 2026-12-01', 'people: [Ada, "Lind, Nora"]', 'ready: true');
    await front('b', 'price: 12', 'due: 2026-11-30T10:00', 'people:', '  - Bo', 'see: "[[Beta|the other]]"');
    await front('c', 'price: "3"', 'due: someday', 'people:', 'deep: { x: 1 }');
    expect(await keys('price=1.1')).toEqual(['a']);
    expect(await keys('due=2026-12')).toEqual(['a']);
    expect(await keys('due=2026')).toEqual(['a', 'b']);
    expect(await keys('due=2026-11-30')).toEqual(['b']);
    expect(await keys('people=lind, nora')).toEqual(['a']);
    expect(await keys('people=Nora')).toEqual([]);
    expect(await keys('people=')).toEqual(['c']);
    expect(await keys('people')).toEqual(['a', 'b', 'c']);
    expect(await keys('see=beta')).toEqual(['b']);
    expect(await keys('ready=true')).toEqual(['a']);
    expect(await keys('deep')).toEqual(['c']);
    expect(await keys('people!=Ada')).toEqual(['b', 'c']);
    expect(await keys('see!=x', 'see')).toEqual(['b']);
  });

  test.each<[condition: string, keys: string[]]>([
    ['n<2', ['-1', '1.5']],
    ['n<=2', ['-1', '1.5', '2']],
    ['n>2', ['10']],
    ['n>=2', ['10', '2']],
    ['n>1', ['1.5', '10', '2']],
    ['n<-0.5', ['-1']],
    ['n!=2', ['-1', '1.5', '10', 'day', 'word']],
    ['day<2026-12', ['day']],
    ['day<2026-11-05', []],
    ['day<=2026-11-05', ['day']],
    ['day<=2026', ['day']],
    ['day>=2026-11-05', ['day']],
    ['day>2026-11-05', []],
    ['day>2025', ['day']],
  ])('%s goes by number and by day', async (condition, found) => {
    for (const n of ['-1', '1.5', '2', '10']) await front(n, `n: ${n}`);
    await front('word', 'n: many');
    await front('day', 'day: 2026-11-05');
    expect(await keys(condition)).toEqual(found);
  });

  test('follows what is written, moved, hidden by the trash and brought back', async () => {
    await front('a', 'status: open');
    await front('a', 'status: done');
    expect(await keys('status=open')).toEqual([]);
    const there = `${namespace} there`;
    await daemon.call(renameMemory, { body: { key: 'a', namespace, to: { key: 'b', namespace: there } } });
    expect(await keys('status')).toEqual([]);
    namespace = there;
    expect(await keys('status=done')).toEqual(['b']);
    const items = [{ key: 'b', namespace }];
    await daemon.call(trashMemories, { body: { items } });
    expect(await keys('status=done')).toEqual([]);
    await daemon.call(restoreTrash, { body: { items } });
    expect(await keys('status=done')).toEqual(['b']);
  });

  test('goes by the text where that says something else than what was imported with it', async () => {
    const value = '---\nstatus: open\n---\nText.';
    const metadata = { status: 'done', rooms: 3, imported: { format: 'markdown', path: 'a.md' } };
    await daemon.call(importMemories, { body: { items: [{ key: 'a.md', namespace, value, metadata }] } });
    expect(await keys('status=open', 'rooms=3')).toEqual(['a.md']);
    expect(await keys('status=done')).toEqual([]);
    expect(await keys('imported')).toEqual([]);
  });

  test('is the same by a query string', async () => {
    await front('a', 'people: ["Lind, Nora"]', 'n: 3');
    const list = async (where: string | string[]) =>
      (await daemon.call(contract.listMemoriesShort, { query: { namespace, where } })).total;
    expect(await list('n=3,people')).toBe(1);
    expect(await list(['people=Lind, Nora', 'n>3'])).toBe(0);
  });

  test('says of a condition that is none what is allowed', async () => {
    expect(await refusal(['=open'])).toEqual([
      400,
      'where.0',
      expect.stringMatching(/names no property.*1 to 100 characters.*status=open/u),
    ]);
    expect(await refusal(['status=open', 'due<soon'])).toEqual([
      400,
      'where.1',
      expect.stringMatching(/"due" by < with "soon".*allowed: a number such as 3.*2026-12-01/u),
    ]);
    expect((await refusal(['due>2026-02-30']))[2]).toContain('neither a number nor a day');
    expect((await refusal([`a=${'x'.repeat(10_000)}`]))[2]).toContain(
      '10000 characters; allowed: at most 300',
    );
    expect((await refusal(['x'.repeat(10_000)]))[2]).toContain('10000 characters');
    expect((await refusal(Array.from({ length: 17 }, () => 'a')))[1]).toBe('where');
    expect((await refusal('status=open'))[0]).toBe(400);
  });

  test.each([
    `it's "quoted"`,
    '100 %',
    '_',
    '*',
    'a\u0000b',
    "'; DROP TABLE memories; --",
    '{"a": [1]}',
    '\u202e\u0301',
  ])('takes %j as a name and a value like any other', async (text) => {
    await set('hostile', 'Text.', { [`n ${text}`]: text, other: 'x' });
    await set('plain', 'Text.', { 'n nothing': 'nothing', other: 'nothing' });
    expect(await keys(`n ${text}`)).toEqual(['hostile']);
    expect(await keys(`n ${text}=${text}`)).toEqual(['hostile']);
    expect(await keys(`other=${text}`)).toEqual([]);
    expect(await keys(`other!=${text}`)).toEqual(['hostile', 'plain']);
  });

  test('keeps of many and long values as much as it says', async () => {
    const long = 'y'.repeat(10_000);
    const many = Array.from({ length: 1_000 }, (_, at) => `v${at}`);
    await set('a', 'Text.', { long, many, ['z'.repeat(2_000)]: 1 });
    expect(await keys('long')).toEqual(['a']);
    expect(await keys(`long=${'y'.repeat(300)}`)).toEqual([]);
    expect(await keys('many=v99')).toEqual(['a']);
    const rows = daemon.withStore((store) =>
      store.read((db) =>
        db
          .prepare<[], { n: number; most: number }>(
            "SELECT count(*) AS n, max(length(value)) AS most FROM memory_properties WHERE name IN ('long', 'many')",
          )
          .get(),
      ),
    );
    expect(rows?.n).toBeLessThanOrEqual(101);
    expect(rows?.most).toBeLessThanOrEqual(301);
  });

  test('never sees what other namespaces, accounts and keys have', async () => {
    await front('mine', 'status: open');
    const other = daemon.as(daemon.addAccount('owner').key);
    const value = '---\nstatus: open\n---\nTheirs.';
    await other(contract.setMemory, { body: { key: 'theirs', namespace, value } });
    await daemon.call(contract.setMemory, { body: { key: 'elsewhere', namespace: 'elsewhere', value } });
    expect(await keys('status=open')).toEqual(['mine']);
    const every = await other(contract.listMemories, { body: { namespace: '*', where: ['status'] } });
    expect(every.memories.map(({ key }) => key)).toEqual(['theirs']);
    const { key } = await daemon.call(createKey, {
      body: { name: 'narrow', scope: 'read', namespaces: ['elsewhere'] },
    });
    const narrow = daemon.as(key);
    const body = { where: ['status=open'] };
    expect((await narrow(contract.listMemories, { body: { ...body, namespace } })).total).toBe(0);
    const seen = await narrow(contract.listMemories, { body: { ...body, namespace: '*' } });
    expect(seen.memories.map((memory) => memory.key)).toEqual(['elsewhere']);
    // Nor by what a condition leaves out.
    const rest = await narrow(contract.listMemories, { body: { namespace: '*', where: ['x!=y'] } });
    expect(rest.memories.every((memory) => memory.namespace === 'elsewhere')).toBe(true);
  });
});

describe('a search by properties', () => {
  test('finds only what meets them, and no sessions', async () => {
    for (const [key, status] of [
      ['a', 'open'],
      ['b', 'done'],
    ] as const)
      await set(key, `---\nstatus: ${status}\n---\nThe boiler is serviced in March.`);
    const { results, sessions } = await daemon.call(searchMemories, {
      body: {
        namespace,
        query: 'when is the boiler serviced',
        where: ['status=open'],
        sources: ['memories', 'sessions'],
      },
    });
    expect(results.map(({ key }) => key)).toEqual(['a']);
    expect(sessions).toEqual([]);
    const listed = await daemon.call(searchMemories, {
      body: { namespace, query: 'tag:x', where: ['status=open'] },
    });
    expect(listed.count).toBe(0);
  });
});

describe('a property that is set', () => {
  const at = (key: string) => ({ key, namespace });
  const get = (key: string) => daemon.call(contract.getMemory, { body: at(key) });
  const property = (key: string, name: string, value: string | number | boolean | string[] | null) =>
    daemon.call(setProperty, { body: { ...at(key), name, value } });
  const refused = async (body: object) => {
    const { status, json } = await daemon.ask({ path: '/v1/memory/property', body: { namespace, ...body } });
    return [status, json.errors?.[0]?.path] as unknown[];
  };

  test('changes its line of the text alone, is found so, and is a version', async () => {
    await set('a', '---\nstatus: open # now\nn: 1\n---\nText.', { own: 1 });
    const { updated_at } = await property('a', 'status', 'done');
    const memory = await get('a');
    expect(memory).toMatchObject({
      value: '---\nstatus: done # now\nn: 1\n---\nText.',
      metadata: { own: 1 },
      updated_at,
    });
    expect(await keys('status=done')).toEqual(['a']);
    expect((await daemon.call(memoryHistory, { query: at('a') })).versions).toHaveLength(2);
    await property('a', 'due', '2026-12-01');
    expect(await keys('due<2027')).toEqual(['a']);
    await property('a', 'status', null);
    expect((await get('a')).value).toBe('---\nn: 1\ndue: 2026-12-01\n---\nText.');
  });

  test('of a note out of a file is in its metadata, too; of others only where it stands there already', async () => {
    const value = '---\nstatus: open\n---\nText.';
    const imported = { format: 'markdown', path: 'a.md' };
    const metadata = { title: 'T', status: 'open', imported };
    await daemon.call(importMemories, { body: { items: [{ key: 'a.md', namespace, value, metadata }] } });
    await property('a.md', 'Status', 'done');
    await property('a.md', 'people', ['Ada', 'Bo']);
    expect((await get('a.md')).metadata).toEqual({ ...metadata, status: 'done', people: ['Ada', 'Bo'] });
    await property('a.md', 'status', null);
    expect((await get('a.md')).metadata).toEqual({ title: 'T', people: ['Ada', 'Bo'], imported });
    await set('plain', 'Text.', { rooms: 2 });
    await property('plain', 'rooms', 3);
    await property('plain', 'x', true);
    expect(await get('plain')).toMatchObject({
      value: '---\nrooms: 3\nx: true\n---\nText.',
      metadata: { rooms: 3 },
    });
  });

  test('is refused where the memory was changed meanwhile, is not there, or cannot say it', async () => {
    await set('a', 'Text.');
    const { updated_at } = await get('a');
    await set('a', 'Other text.');
    const body = { key: 'a', name: 'status', value: 'done' };
    expect((await refused({ ...body, if_updated_at: updated_at }))[0]).toBe(409);
    expect((await get('a')).value).toBe('Other text.');
    expect((await refused({ ...body, key: 'gone' }))[0]).toBe(404);
    await set('damaged', '---\na: [1\n---\nText.');
    expect(await refused({ ...body, key: 'damaged' })).toEqual([400, 'name']);
    for (const name of ['tags', '', 'a\nb', 'x'.repeat(101)])
      expect((await refused({ ...body, name })).slice(1)).toEqual(['name']);
    for (const value of [undefined, { a: 1 }, [[]], 'x'.repeat(10_001)])
      expect((await refused({ ...body, value })).slice(1)).toEqual(['value']);
    expect((await get('a')).value).toBe('Other text.');
  });
});

test('memories of before are read in the background, hidden ones when they are shown again', () => {
  const home = temporaryFolder();
  const file = path.join(home.folder, 'reverie.db');
  const migrations = loadMigrations();
  const first = migrations.findIndex(({ sql }) => sql.includes('memory_properties'));
  const before = openStore({ file, migrations: migrations.slice(0, first) });
  before.write((db) => {
    db.exec(`INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1);
      INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (1, 1, 'n', 2, 2, 0, 0, 1)`);
    const add = db.prepare<unknown[]>(
      `INSERT INTO memories (account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at, hidden)
       VALUES (1, 1, ?, ?, '{"room": 3}', 'note', 1, 1, 1, 1, ?)`,
    );
    add.run('shown', '---\nstatus: open\n---\n', null);
    add.run('hidden', '---\nstatus: open\n---\n', 'archived');
  });
  before.close();

  const store = openStore({ file, migrations });
  const kept = () =>
    store.read((db) =>
      db
        .prepare<[], string>(
          "SELECT memory_id || ' ' || name || ' ' || value FROM memory_properties ORDER BY 1",
        )
        .pluck()
        .all(),
    );
  expect(kept()).toEqual([]);
  const derived = { name: 'properties_unread', what: 'properties', keep: keepProperties };
  while (store.write((db) => deriveSome(db, derived, 1)));
  expect(kept()).toEqual(['1 room 3', '1 status open']);
  store.write((db) => keepProperties(db, 2));
  expect(kept()).toHaveLength(4);
  store.close();
  home.remove();
});
