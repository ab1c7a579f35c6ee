import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMachineAccount } from '../../accounts/accounts.store.ts';
import { loadStaticTable } from '../../../models/static-table.ts';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore, type ReadDb, type Store } from '../../../db/open-store.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { findSearched } from '../ranking/candidates.store.ts';
import { vectorsOf } from '../index/index.store.ts';
import { createSegments } from './segments.ts';

/** Two pieces and a little. */
const MEMORIES = 9_000;

let daemon: TestDaemon;
let store: Store;
beforeAll(async () => {
  daemon = await startTestDaemon();
  for (let from = 0; from < MEMORIES; from += 1_000)
    await daemon.call(storeBatch, {
      body: {
        items: Array.from({ length: 1_000 }, (_, n) => ({ key: `${from + n}`, value: `pilot ${from + n}` })),
      },
    });
  store = openStore({ file: daemon.home.database, migrations: loadMigrations(), now: daemon.clock.now });
});
afterAll(async () => {
  store.close();
  await daemon.stop();
});

const embedder = loadStaticTable();

function place(db: ReadDb): { namespaceId: number; ids: number[] } {
  const account = findMachineAccount(db)?.id;
  const searched = account === undefined ? undefined : findSearched(db, account, 'default');
  if (!searched) throw new Error('The store has no namespace default');
  const ids = [...vectorsOf(db, searched.id, { model: embedder.model })].map(({ id }) => id);
  return { namespaceId: searched.id, ids };
}

describe('the vectors of a namespace that are loaded piece by piece', () => {
  it('are all there, and others have had their turn meanwhile', async () => {
    const { namespaceId, ids } = store.read(place);
    const segments = createSegments(embedder);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    await segments.load(store, namespaceId);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
    const read = store.read((db) => segments.of(db, namespaceId));
    expect(read.size).toBe(MEMORIES);
    expect(ids.every((id) => read.has(id))).toBe(true);
  });

  it('follow what is written and deleted before they are all there', async () => {
    const { namespaceId, ids } = store.read(place);
    const segments = createSegments(embedder);
    const loading = segments.load(store, namespaceId);
    const [first = 0] = ids;
    const added = (ids.at(-1) ?? 0) + 1;
    segments.remove(first);
    segments.add({ id: added, memoryId: 1 }, new Int8Array(embedder.dimensions).fill(3), 0.5);
    await loading;
    const read = store.read((db) => segments.of(db, namespaceId));
    expect([read.has(first), read.has(added), read.size]).toEqual([false, true, MEMORIES]);
  });

  it('are read again by the next search where the namespace was dropped meanwhile', async () => {
    const { namespaceId } = store.read(place);
    const segments = createSegments(embedder);
    const loading = segments.load(store, namespaceId);
    segments.drop(namespaceId);
    segments.add({ id: 1, memoryId: 1 }, new Int8Array(embedder.dimensions).fill(3), 0.5);
    await loading;
    expect(store.read((db) => segments.of(db, namespaceId)).size).toBe(MEMORIES);
  });

  it('are loaded once for two who ask at the same time, and at once for who cannot wait', async () => {
    const { namespaceId } = store.read(place);
    const segments = createSegments(embedder);
    let reads = 0;
    const counted: Pick<typeof store, 'read'> = { read: (run) => ((reads += 1), store.read(run)) };
    const loading = [segments.load(counted, namespaceId), segments.load(counted, namespaceId)];
    const atOnce = store.read((db) => segments.of(db, namespaceId));
    expect(atOnce.size).toBe(MEMORIES);
    await Promise.all(loading);
    expect(reads).toBe(3);
    expect(store.read((db) => segments.of(db, namespaceId))).toBe(atOnce);
  });
});
