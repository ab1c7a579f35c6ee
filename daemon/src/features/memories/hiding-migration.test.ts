import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { temporaryFolder } from '../../testing.ts';

let home: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

test('what is hidden behind another one keeps that, also in the trash and where the other one is in there', () => {
  const file = path.join(home.folder, 'reverie.db');
  const migrations = loadMigrations();
  const first = migrations.findIndex(({ sql }) => sql.includes('CREATE TABLE memory_hidings'));
  const before = openStore({ file, migrations: migrations.slice(0, first) });
  before.write((db) => {
    db.exec(`INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1);
      INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (1, 1, 'n', 6, 6, 0, 0, 1);
      INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (2, 1, char(1, 1) || 'n', 2, 2, 0, 0, 1)`);
    const add = db.prepare<unknown[]>(
      `INSERT INTO memories (id, account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at, hidden, hidden_behind, archived_at)
       VALUES (?, 1, ?, ?, 'v', '{}', 'note', 1, ?, ?, 1, ?, ?, ?)`,
    );
    add.run(1, 1, 'shown', 1, 10, null, null, null);
    add.run(2, 1, 'twin', 1, 1, 'merged', 'shown', null);
    add.run(3, 1, 'older', 1, 1, 'superseded', 'shown', null);
    add.run(4, 1, 'old', 1, 1, 'archived', null, 7);
    add.run(5, 2, 'thrown\u00015', 1, 1, 'trashed', 'shown', null);
    add.run(6, 2, 'kept\u00016', 1, 60, 'trashed', null, null);
    add.run(7, 1, 'waits', 3, 1, null, null, null);
    add.run(8, 1, 'written since', 4, 1, null, null, null);
    const trash = db.prepare<unknown[]>(
      `INSERT INTO memory_trash (memory_id, account, namespace, key, trashed_at, was_hidden, showed) VALUES (?, 1, 'n', ?, 5, ?, ?)`,
    );
    const showed = [7, 8].map((id) => ({ id, version: 3, how: { hidden: 'merged', behind: 'kept' } }));
    trash.run(5, 'thrown', 'merged', '[]');
    trash.run(6, 'kept', null, JSON.stringify(showed));
  });
  before.close();

  const store = openStore({ file, migrations });
  const rows = store.read((db) =>
    db
      .prepare('SELECT memory_id, hides_as, behind, behind_created_at FROM memory_hidings ORDER BY memory_id')
      .raw()
      .all(),
  );
  expect(rows).toEqual([
    [2, 'merged', 'shown', 10],
    [3, 'superseded', 'shown', 10],
    [5, 'merged', 'shown', 10],
    [7, 'merged', 'kept', 60],
  ]);
  expect(store.read((db) => db.prepare("SELECT value FROM meta WHERE name = 'hiding'").pluck().get())).toBe(
    'untold',
  );
  store.close();
});
