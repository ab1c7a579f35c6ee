import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countLeft, deriveSome } from '../../db/backfill.store.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { temporaryFolder } from '../../testing.ts';
import { keepFacts } from './knowledge.store.ts';

const derived = { name: 'facts_unread', what: 'facts', keep: keepFacts };

let home: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

test('facts that rules found are dropped, and the memories of before are read anew', () => {
  const file = path.join(home.folder, 'reverie.db');
  const migrations = loadMigrations();
  const first = migrations.findIndex(({ sql }) => sql.includes('DROP TABLE facts_queue'));
  const before = openStore({ file, migrations: migrations.slice(0, first) });
  before.write((db) => {
    db.prepare(
      "INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 1)",
    ).run();
    db.prepare(
      "INSERT INTO namespaces (id, account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (1, 1, 'n', 2, 2, 0, 0, 1)",
    ).run();
    const add = db.prepare<unknown[]>(
      `INSERT INTO memories (account, namespace_id, key, value, metadata, class, bytes, version, created_at, updated_at, hidden)
       VALUES (1, 1, ?, ?, '{}', 'note', 1, 1, 1, 1, ?)`,
    );
    add.run('shown', 'Bruno lives in Porto.\n\nPhone: 01 23', null);
    add.run('old', 'Phone: 45 67', 'archived');
    db.prepare(
      `INSERT INTO facts (account, namespace_id, memory_id, subject, subject_norm, predicate, said, object, object_norm, kind,
         negated, functional, sentence, confidence, origin, observed_at, valid_from)
       VALUES (1, 1, 1, 'Bruno', 'bruno', 'lives_in', 'lives in', 'Porto', 'porto', 'name', 0, 1, 'Bruno lives in Porto.', 1, 'text', 1, 1)`,
    ).run();
    db.prepare("INSERT INTO fact_terms VALUES (1, 1, 'bruno', 1, 1)").run();
  });
  before.close();

  const store = openStore({ file, migrations });
  const facts = () => store.read((db) => db.prepare('SELECT memory_id, label, value FROM facts').all());
  expect([facts(), store.read((db) => countLeft(db, derived.name))]).toEqual([[], 1]);
  while (store.write((db) => deriveSome(db, derived, 1000)));
  expect(facts()).toEqual([{ memory_id: 1, label: 'Phone', value: '01 23' }]);
  expect(store.read((db) => countLeft(db, derived.name))).toBe(0);
  store.close();
});
