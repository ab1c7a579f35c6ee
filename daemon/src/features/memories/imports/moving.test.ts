import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Author } from '../../../db/change.ts';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore, type Store } from '../../../db/open-store.ts';
import { insertAccount } from '../../accounts/accounts.store.ts';
import type { MemoryDeps } from '../deps.ts';
import { memoryHistory } from '../history.service.ts';
import { deleteMemory, setMemory } from '../memories.service.ts';
import { findMemory } from '../memories.store.ts';
import { renameMemory } from '../renaming.service.ts';
import { trashMemories } from '../trash/trash.service.ts';
import { unfollowed } from '../unfollowed.ts';
import { importMemories } from './import.service.ts';
import { moveSource, pruneSources, sourcesBelow } from './vanishing.service.ts';

const namespace = 'notes';

let store: Store;
let deps: MemoryDeps;
let author: Author;
beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  const clock = createFakeClock();
  deps = unfollowed({ store, clock });
  const account = store.write((db) =>
    insertAccount(db, { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: clock.now() }),
  );
  author = { account, actor: { kind: 'system', id: 'folders' }, origin: 'import' };
});
afterEach(() => store.close());

const at = (name: string) => ({ sourceId: `f/${name}`, namespace, key: name });
const bring = (name: string, value: string, hash = value) =>
  importMemories(deps, author, {
    items: [{ key: name, namespace, value, metadata: { path: name }, source: { id: `f/${name}`, hash } }],
  });
const move = (from: string, to: string) => moveSource(deps, author, { from: at(from), to: at(to) });
const rowOf = (key: string) =>
  store.read((db) => findMemory(db, { account: author.account, namespace, key }));
const sources = () => sourcesBelow(deps, author.account, { root: 'f', limit: 100 });

describe('a source that was renamed', () => {
  test('takes its memory with it, which keeps its history, and goes on under its new name', () => {
    bring('a', 'one');
    bring('a', 'two');
    const id = rowOf('a')?.id;
    expect(move('a', 'b')).toBe(true);
    expect([rowOf('a'), rowOf('b')?.id, sources()]).toEqual([undefined, id, ['f/b']]);
    // What it says of itself names its new path.
    expect(bring('b', 'two')).toEqual(['updated']);
    expect(JSON.parse(rowOf('b')?.metadata ?? '')).toEqual({ path: 'b' });
    expect(bring('b', 'two')).toEqual(['unchanged']);
    const versions = memoryHistory(deps, author.account, { namespace, key: 'b' });
    expect(versions.map(({ value }) => value)).toEqual(['two', 'two', 'one']);
    // Under its old name it is another one.
    expect(bring('a', 'a new one')).toEqual(['created']);
  });

  test('keeps the name that its memory was given here, and what was edited here', () => {
    bring('a', 'one');
    renameMemory(deps, author, { from: { namespace, key: 'a' }, to: { namespace, key: 'mine' } });
    expect([move('a', 'b'), rowOf('b'), rowOf('mine')?.value]).toEqual([true, undefined, 'one']);
    expect([bring('b', 'two'), rowOf('mine')?.value]).toEqual([['updated'], 'two']);
    setMemory(deps, author, { namespace, key: 'mine', value: 'edited' });
    expect([move('b', 'c'), bring('c', 'three')]).toEqual([true, ['kept']]);
    expect(pruneSources(deps, author, ['f/c']).kept).toEqual([{ source: 'f/c', namespace, key: 'mine' }]);
  });

  test('stays deleted here under its new name, for good or in the trash', () => {
    for (const name of ['a', 'b']) bring(name, 'one');
    deleteMemory(deps, author, { namespace, key: 'a' });
    trashMemories({ ...deps, trashDays: 30 }, author, [{ namespace, key: 'b' }]);
    for (const [from, to] of [
      ['a', 'a2'],
      ['b', 'b2'],
    ] as const) {
      expect(move(from, to)).toBe(true);
      expect(bring(to, 'two')).toEqual(['deleted_here']);
    }
  });

  test('is a new one where nothing came from it, or another memory has its new key', () => {
    expect(move('a', 'b')).toBe(false);
    bring('a', 'one');
    setMemory(deps, author, { namespace, key: 'b', value: 'mine' });
    expect([move('a', 'b'), rowOf('a')?.value, rowOf('b')?.value, sources()]).toEqual([
      ...[false, 'one', 'mine'],
      ['f/a'],
    ]);
  });
});
