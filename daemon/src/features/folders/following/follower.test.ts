import fs from 'node:fs';
import path from 'node:path';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore, type Store } from '../../../db/open-store.ts';
import { createLog } from '../../../platform/log.ts';
import { temporaryFolder } from '../../../testing.ts';
import { insertAccount } from '../../accounts/accounts.store.ts';
import { type FolderRow, insertFolder } from '../folders.store.ts';
import { startFollowing } from './follower.ts';
import type { FolderWatch } from './watching.ts';

const clock = createFakeClock();
let temporary: { folder: string; remove: () => void };
let store: Store;
beforeEach(() => {
  temporary = temporaryFolder();
  store = openStore({ file: ':memory:', migrations: loadMigrations(), now: clock.now });
});
afterEach(() => {
  store.close();
  temporary.remove();
});

function addedFolder(root: string): FolderRow {
  return store.write((db) => {
    const account = insertAccount(db, {
      public_id: 'acc_one',
      kind: 'machine' as const,
      tier: 'pro' as const,
      created_at: clock.now(),
    });
    const row: FolderRow = {
      id: 'fld_one',
      account,
      path: root,
      namespace: 'notes',
      format: 'markdown',
      prune: 1,
      sync: 'in',
      created_at: clock.now(),
      last_change_at: null,
    };
    insertFolder(db, row);
    return row;
  });
}

test('an edit right after a file was made, of which the system does not tell, is seen all the same', async () => {
  const root = fs.realpathSync(temporary.folder);
  let watch: FolderWatch | undefined;
  // Short waits, in their order; none is of a length that the test knows.
  const schedule = (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms / 20);
    return () => clearTimeout(timer);
  };
  const said: string[] = [];
  const follower = startFollowing(
    {
      taking: {
        store,
        clock,
        landing: {
          put(_db, _account, { memory }) {
            said.push(memory.value);
            return { outcome: said.length === 1 ? 'created' : 'updated', id: 1, version: said.length };
          },
          move: () => false,
          remove: () => 'gone',
          agree: () => undefined,
          tagsOf: (_db, _account, { tags }) => tags,
          settled: async () => undefined,
        },
      },
      log: createLog('silent'),
      take: async () => ({ stored: 0, unchanged: 0, left: [] }),
      schedule,
      watch(started) {
        watch = started;
        return () => undefined;
      },
    },
    addedFolder(root),
  );
  try {
    await vi.waitFor(() => expect(follower.state()).toEqual({ kind: 'watching' }));
    const file = path.join(root, 'new.md');
    fs.writeFileSync(file, 'one');
    watch?.happened(file);
    watch?.appeared(file);
    await vi.waitFor(() => expect(said).toEqual(['one']), { interval: 1 });
    fs.writeFileSync(file, 'two');
    await vi.waitFor(() => expect(said).toEqual(['one', 'two']));
  } finally {
    follower.stop();
  }
});

test('large notes do not go into one transaction together, small ones do', async () => {
  const root = fs.realpathSync(temporary.folder);
  for (let n = 0; n < 6; n += 1) fs.writeFileSync(path.join(root, `large ${n}.md`), 'x'.repeat(70_000));
  for (let n = 0; n < 10; n += 1) fs.writeFileSync(path.join(root, `small ${n}.md`), 'x');
  const folder = addedFolder(root);
  const batches: number[] = [];
  const writing: Pick<Store, 'write'> = {
    write(run) {
      batches.push(0);
      return store.write(run);
    },
  };
  const follower = startFollowing(
    {
      taking: {
        store: { ...store, ...writing },
        clock,
        landing: {
          put() {
            batches[batches.length - 1] = (batches.at(-1) ?? 0) + 1;
            return { outcome: 'created', id: 1, version: 1 };
          },
          move: () => false,
          remove: () => 'gone',
          agree: () => undefined,
          tagsOf: (_db, _account, { tags }) => tags,
          settled: async () => undefined,
        },
      },
      log: createLog('silent'),
      take: async () => ({ stored: 0, unchanged: 0, left: [] }),
      schedule(ms, run) {
        const timer = setTimeout(run, ms / 20);
        return () => clearTimeout(timer);
      },
      watch: () => () => undefined,
    },
    folder,
  );
  try {
    await vi.waitFor(() => expect(follower.state()).toEqual({ kind: 'watching' }));
    expect(batches.filter((count) => count > 0)).toEqual([1, 1, 1, 1, 1, 1, 10]);
  } finally {
    follower.stop();
  }
});
