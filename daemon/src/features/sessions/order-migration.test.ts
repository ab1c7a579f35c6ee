import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { temporaryFolder } from '../../testing.ts';
import { entriesAfter } from './entries.store.ts';
import { findSession } from './sessions.store.ts';
import { listFileRows } from './sources.store.ts';

const account = 1 as AccountId;

test('0027, 0042: entries of before keep their order, and every log is read again', () => {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, 'reverie.db');
  const before = openStore({ file, migrations: loadMigrations().slice(0, 26) });
  before.write((db) => {
    db.exec(`
      INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (1, 'acc', 'machine', 'machine', 0);
      INSERT INTO sessions (n, id, account, agent, source, title_rank, namespace, models, tokens, entries, others, seq, role, started_at, updated_at)
        VALUES (1, 'cs_1', 1, 'codex', 's', 0, 'default', '[]', 0, 3, 0, 3, 'owner', 0, 0);
      INSERT INTO session_files (account, path, agent, inode, size, changed, malformed) VALUES (1, '/a', 'codex', '1', 1, 1, 2);`);
    for (const [n, at] of [30, 10, 10].entries())
      db.prepare<[object]>(
        `INSERT INTO session_entries (account, session, id, item, seq, at, place, kind, author, author_name, files, redactions, format, hash, bytes, text)
         VALUES (1, 1, 'ent_' || @text, @text, @n, @at, @n, 'prompt', 'person', 'ada', '[]', 0, 'codex', x'00', 1, @text)`,
      ).run({ n, at, text: `text ${n}` });
  });
  before.close();
  const store = openStore({ file, migrations: loadMigrations() });
  store.read((db) => {
    const filter = { session: 1, kinds: null, failed: null };
    const rows = entriesAfter(db, filter, { after: null, letters: 100, limit: 10 });
    expect(rows.map(({ text, ordered_at }) => [text, ordered_at])).toEqual([
      ['text 1', 10],
      ['text 2', 10],
      ['text 0', 30],
    ]);
    expect(findSession(db, account, 'cs_1')).toMatchObject({ unread: 0, unknown: 0 });
    expect(listFileRows(db, account, 'codex')).toEqual([]);
    const plan = db
      .prepare<[], { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT id FROM session_entries WHERE session = 1 AND (ordered_at, place, id) > (1, 2, 'x')
         ORDER BY ordered_at, place, id LIMIT 9`,
      )
      .all();
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/session_entries_in_order \(session=\? AND \(?ordered_at/),
    ]);
  });
  store.close();
  remove();
});
