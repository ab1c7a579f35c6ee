import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { insertAccount } from '../../features/accounts/accounts.store.ts';
import { isToSync, stayingOf } from '../namespaces/choices.ts';
import { deleteLink } from '../link.store.ts';
import { listLost } from '../namespaces/lost.store.ts';
import { listSynced } from '../namespaces/namespaces.store.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-migration-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test('what left sync before migration 10 is still there after it, and after an unlink; where rooms were seen is taken over', () => {
  const file = path.join(folder, 'reverie.db');
  const before = openStore({ file, migrations: loadMigrations().slice(0, 9) });
  const account: AccountId = before.write((db) => {
    const id = insertAccount(db, { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: 1 });
    // As it was written then: the link has other columns by now.
    db.prepare<unknown[]>(
      `INSERT INTO sync_links (account, relay, device, device_name, linked_at) VALUES (?, ?, ?, ?, ?)`,
    ).run(id, 'http://relay', 'here', 'here', 1);
    const lost = db.prepare<unknown[]>(
      `INSERT INTO sync_lost (account, name, room, role, reason, lost_at, unsent, kept) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    lost.run(id, 'diary', 'r1', 'owner', 'deleted', 5, 2, 1);
    lost.run(id, 'team', 'r2', 'editor', 'ended', 6, 0, 0);
    const synced = db.prepare<unknown[]>(
      'INSERT INTO sync_namespaces (account, name, room, log_id) VALUES (?, ?, ?, ?)',
    );
    for (const [name, logId] of [
      ['read', 'log_1'],
      ['new', ''],
      ['old', 'before-epochs'],
    ])
      synced.run(id, name, `room of ${name}`, logId);
    return id;
  });
  before.close();

  const store = openStore({ file, migrations: loadMigrations() });
  expect(store.read(listSynced).map(({ name, seen_in }) => [name, seen_in])).toEqual([
    ['read', 'log_1'],
    ['new', ''],
    ['old', ''],
  ]);
  // Which namespaces sync was never chosen: all do, as before, and those that are new.
  expect(store.read((db) => [stayingOf(db, account), isToSync(db, account, { name: 'new' })])).toEqual([
    [],
    true,
  ]);
  store.write((db) => deleteLink(db));
  expect(store.read((db) => listLost(db, account))).toEqual([
    {
      name: 'diary',
      room: 'r1',
      role: 'owner',
      reason: 'deleted',
      lost_at: 5,
      unsent: 2,
      kept: 1,
      waiting: null,
      owner: null,
      known_until: 0,
    },
    {
      name: 'team',
      room: 'r2',
      role: 'editor',
      reason: 'ended',
      lost_at: 6,
      unsent: 0,
      kept: 0,
      waiting: null,
      owner: null,
      known_until: 6,
    },
  ]);
  store.close();
});
