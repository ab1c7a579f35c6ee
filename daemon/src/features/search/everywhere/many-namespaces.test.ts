import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { seconds } from '@reverie/shared/testing/patience';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore, type Store } from '../../../db/open-store.ts';
import { loadStaticTable } from '../../../models/static-table.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { findMachineAccount } from '../../accounts/accounts.store.ts';
import { findMemoriesById } from '../../memories/memories.store.ts';
import { createFrequencies } from '../ranking/frequencies.ts';
import { createMeanings } from '../query/meanings.ts';
import type { PiecewiseDeps } from '../query/query.ts';
import { search } from '../search.service.ts';
import { createSegments } from '../vectors/segments.ts';
import { createSpelling } from '../spelling/spelling.ts';
import { queryTerms } from '../query/terms.ts';
import { elsewhere } from './elsewhere.ts';
import { searchedIn } from './searched.ts';

const NAMESPACES = 1_000;
const FRUITS = ['quince', 'medlar', 'sloe', 'damson', 'rowan', 'elderberry', 'mulberry', 'cornel'];
const name = (n: number) => `project/${n}`;

let daemon: TestDaemon;
let store: Store;
let deps: PiecewiseDeps;
let account: AccountId;

beforeAll(async () => {
  daemon = await startTestDaemon();
  const items = Array.from({ length: NAMESPACES }, (_, n) => ({
    namespace: name(n),
    key: 'note',
    value: `In garden number ${n} grows a ${FRUITS[n % FRUITS.length]} beside the well.`,
  }));
  await daemon.call(storeBatch, { body: { items } });
  // Who searches waits until all is indexed.
  await daemon.call(searchMemories, { body: { query: 'quince', namespace: '*' } });
  store = openStore({ file: daemon.home.database, migrations: loadMigrations() });
  account = store.read(findMachineAccount)?.id ?? (0 as AccountId);
  const embedder = loadStaticTable();
  deps = {
    store,
    embedder,
    segments: createSegments(embedder),
    frequencies: createFrequencies(),
    meanings: createMeanings(() => embedder),
    spelling: createSpelling((word) => embedder.words.row(word) >= 0),
    yieldToOthers: () => Promise.resolve(),
  };
}, seconds(60));
afterAll(async () => {
  store.close();
  await daemon.stop();
});

const namespacesOf = (ids: readonly number[]) =>
  store.read((db) => findMemoriesById(db, account, ids)).map(({ namespace }) => namespace);
const find = async (readable?: (namespace: string) => boolean) => {
  const scope = { account, namespace: '*', readable, limit: 10, threshold: 0 };
  const { found } = await search(deps, { ...scope, query: 'quince beside the well' });
  return namespacesOf(found.map(({ memoryId }) => memoryId));
};

describe('a thousand namespaces', () => {
  test('are searched together, the same each time', async () => {
    const body = { query: 'garden number 616 quince', namespace: '*', limit: 3 };
    const { results } = await daemon.call(searchMemories, { body });
    expect(results[0]?.namespace).toBe(name(616));
    const { results: again } = await daemon.call(searchMemories, { body });
    expect(again).toEqual(results);
  });

  test('none is looked into that the key may not read', async () => {
    const isMine = (namespace: string) => /^project\/1\d*$/.test(namespace);
    const found = await find(isMine);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(isMine)).toBe(true);
    expect((await find()).some((namespace) => !isMine(namespace))).toBe(true);
    expect(await find(() => false)).toEqual([]);
  });

  test('what one may not read is not counted: how rare a word is would tell of it', () => {
    const readable = (namespace: string) => namespace.endsWith('7');
    const scope = { account, namespace: '*' };
    const [all, some] = store.read((db) => [searchedIn(db, scope), searchedIn(db, { ...scope, readable })]);
    expect([all?.namespaces.length, some?.namespaces.length]).toEqual([NAMESPACES, NAMESPACES / 10]);
    expect(some?.chunks).toBe((all?.chunks ?? 0) / 10);
    const [term] = queryTerms('garden');
    const counts = store.read((db) =>
      [all, some].map((searched) => searched && term && createFrequencies().of(db, account, searched)(term)),
    );
    expect(counts).toEqual([all?.chunks, some?.chunks]);
  });

  test('another one that answers is named only where the key may read it', async () => {
    const looked = { account, namespace: name(1), query: 'garden number 616 quince', here: 0.1 };
    expect((await elsewhere(deps, looked))[0]?.namespace).toBe(name(616));
    const readable = (namespace: string) => namespace !== name(616);
    const names = (await elsewhere(deps, { ...looked, readable })).map(({ namespace }) => namespace);
    expect(names).not.toContain(name(616));
    expect(await elsewhere(deps, { ...looked, here: 0.5 })).toEqual([]);
  });
});

describe('the vectors of an account', () => {
  test('are those of the table, and follow what is added, removed and dropped', async () => {
    const segments = createSegments(deps.embedder);
    const ids = store.read((db) => searchedIn(db, { account, namespace: '*' }))?.namespaces ?? [];
    const [first = 0, second = 0, third = 0] = ids;
    const at = { account, ids };
    await Promise.all([
      segments.loadSeveral(store, at),
      segments.loadSeveral(store, { account, ids: [third] }),
    ]);
    const all = store.read((db) => segments.ofSeveral(db, at));
    expect(all.size).toBe(NAMESPACES);
    const chunk = first * 2 ** 31;
    expect(all.has(chunk)).toBe(true);
    segments.remove(chunk);
    segments.drop(second);
    expect([all.has(chunk), all.size]).toEqual([false, NAMESPACES - 2]);
    const vector = new Int8Array(deps.embedder.dimensions).fill(3);
    segments.add({ id: chunk + 5, memoryId: 1 }, vector, 0.5);
    // Of a namespace that is not there the next search reads what is there then.
    segments.add({ id: second * 2 ** 31 + 5, memoryId: 1 }, vector, 0.5);
    expect([all.has(chunk + 5), all.has(second * 2 ** 31 + 5)]).toEqual([true, false]);
    expect(store.read((db) => segments.ofSeveral(db, at)).has(second * 2 ** 31)).toBe(true);
  });

  test('are read again where reading them failed', async () => {
    const segments = createSegments(deps.embedder);
    const ids = store.read((db) => searchedIn(db, { account, namespace: '*' }))?.namespaces.slice(0, 3) ?? [];
    const broken: Pick<Store, 'read'> = {
      read: () => {
        throw new Error('the disk is gone');
      },
    };
    await expect(segments.loadSeveral(broken, { account, ids })).rejects.toThrow('the disk is gone');
    await segments.loadSeveral(store, { account, ids });
    expect(store.read((db) => segments.ofSeveral(db, { account, ids })).size).toBe(3);
  });
});
