import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore } from '../../../db/open-store.ts';
import { temporaryFolder } from '../../../testing.ts';

let home: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

test('what was imported before is known under the address that it has, in the trash, too', () => {
  const file = path.join(home.folder, 'reverie.db');
  const migrations = loadMigrations();
  const first = migrations.findIndex(({ sql }) => sql.includes('CREATE TABLE deleted_imports'));
  const before = openStore({ file, migrations: migrations.slice(0, first) });
  before.write((db) => {
    db.prepare(
      "INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1)",
    ).run();
    const space = db.prepare<[number, string, number]>(
      'INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (?, 1, ?, ?, 1, 0, 0, 1)',
    );
    space.run(1, 'n', 2);
    space.run(2, '\u0001\u0001n', 2);
    const add = db.prepare<unknown[]>(
      `INSERT INTO memories (id, account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at, hidden)
       VALUES (?, 1, ?, ?, 'v', '{}', 'note', 1, 3, 1, 1, ?)`,
    );
    add.run(1, 1, 'a', null);
    add.run(2, 2, 'a\u00012', 'trashed');
    add.run(3, 2, 'b\u00013', 'trashed');
    add.run(4, 1, 'never imported', null);
    const trash = db.prepare<[number, string]>(
      "INSERT INTO memory_trash (memory_id, account, namespace, key, trashed_at, was_hidden, showed) VALUES (?, 1, 'n', ?, 5, NULL, '[]')",
    );
    trash.run(2, 'a');
    trash.run(3, 'b');
    const source = db.prepare<[string, number, string]>(
      'INSERT INTO import_sources (account, source_id, memory_id, hash, version) VALUES (1, ?, ?, ?, 3)',
    );
    source.run('f/a', 1, 'h1');
    source.run('f/a', 2, 'h2');
    source.run('f/b', 3, 'h3');
  });
  before.close();

  const store = openStore({ file, migrations });
  const rows = store.read((db) =>
    db
      .prepare(
        'SELECT source_id, namespace, key, memory_id, hash, version, vanished FROM import_sources ORDER BY source_id',
      )
      .all(),
  );
  const same = { namespace: 'n', version: 3, vanished: 0 };
  expect(rows).toEqual([
    // It was imported again since the other one was put into the trash.
    { ...same, source_id: 'f/a', key: 'a', memory_id: 1, hash: 'h1' },
    { ...same, source_id: 'f/b', key: 'b', memory_id: 3, hash: 'h3' },
  ]);
  store.close();
});
