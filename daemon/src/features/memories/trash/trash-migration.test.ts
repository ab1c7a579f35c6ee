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

test('what was hidden before there was a trash stays hidden as it was', () => {
  const file = path.join(home.folder, 'reverie.db');
  const migrations = loadMigrations();
  const first = migrations.findIndex(({ sql }) => sql.includes('CREATE TABLE memory_trash'));
  const before = openStore({ file, migrations: migrations.slice(0, first) });
  before.write((db) => {
    db.prepare(
      "INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1)",
    ).run();
    db.prepare(
      "INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (1, 1, 'n', 4, 4, 0, 0, 1)",
    ).run();
    const add = db.prepare<unknown[]>(
      `INSERT INTO memories (account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at, hidden, hidden_behind, archived_at)
       VALUES (1, 1, ?, 'v', '{}', 'note', 1, 1, 1, 1, ?, ?, ?)`,
    );
    add.run('shown', null, null, null);
    add.run('twin', 'merged', 'shown', null);
    add.run('older', 'superseded', 'shown', null);
    add.run('old', 'archived', null, 7);
  });
  before.close();

  const store = openStore({ file, migrations });
  const rows = store.read((db) =>
    db.prepare('SELECT key, hidden, hidden_behind, archived_at FROM memories ORDER BY id').all(),
  );
  expect(rows).toEqual([
    { key: 'shown', hidden: null, hidden_behind: null, archived_at: null },
    { key: 'twin', hidden: 'merged', hidden_behind: 'shown', archived_at: null },
    { key: 'older', hidden: 'superseded', hidden_behind: 'shown', archived_at: null },
    { key: 'old', hidden: 'archived', hidden_behind: null, archived_at: 7 },
  ]);
  const hide = (how: string) =>
    store.write((db) => db.prepare<[string]>("UPDATE memories SET hidden = ? WHERE key = 'shown'").run(how));
  hide('trashed');
  expect(() => hide('vanished')).toThrow(/CHECK/u);
  store.close();
});
