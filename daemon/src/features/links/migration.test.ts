import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countLeft, deriveSome } from '../../db/backfill.store.ts';
import { countLinks } from '../../db/dead-links.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { temporaryFolder } from '../../testing.ts';
import { linkingIds } from './links.service.ts';
import { keepLinks, linksFrom } from './links.store.ts';

const derived = { name: 'links_unread', what: 'links', keep: keepLinks };
const account = 1 as AccountId;

let home: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

test('the links of memories of before are read, a few at a time, and none of what is hidden', () => {
  const file = path.join(home.folder, 'reverie.db');
  const migrations = loadMigrations();
  const first = migrations.findIndex(({ sql }) => sql.includes('CREATE TABLE note_links'));
  const before = openStore({ file, migrations: migrations.slice(0, first) });
  before.write((db) => {
    db.prepare(
      "INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1)",
    ).run();
    db.prepare(
      "INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (1, 1, 'n', 3, 3, 0, 0, 1)",
    ).run();
    const add = db.prepare<unknown[]>(
      `INSERT INTO memories (account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at, hidden)
       VALUES (1, 1, ?, ?, '{}', 'note', 1000, 1, 1, 1, ?)`,
    );
    add.run('b.md', 'Text.', null);
    add.run('a.md', '[[b]], [[gone]], ![[pic.png]] and [[b]] again', null);
    add.run('old.md', 'See [[b]].', 'archived');
  });
  before.close();
  expect(countLinks(file)).toBeUndefined();

  const store = openStore({ file, migrations });
  const left = () => store.read((db) => countLeft(db, derived.name));
  const targets = () =>
    store.read((db) => linksFrom(db, account, { memoryId: 2, limit: 9 }).map(({ target }) => target));
  expect([left(), targets()]).toEqual([2, []]);
  store.write((db) => deriveSome(db, derived, 1000));
  expect([left(), targets()]).toEqual([1, ['b', 'gone', 'pic.png']]);
  while (store.write((db) => deriveSome(db, derived, 1000)));
  expect(left()).toBe(0);
  expect(store.read((db) => linkingIds(db, { account, namespaceId: 1, id: 1 }))).toEqual([2]);
  store.close();
  expect(countLinks(file)).toEqual({ all: 3, dead: 1 });
});
