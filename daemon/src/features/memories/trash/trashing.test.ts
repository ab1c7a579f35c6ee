import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { expect, test } from 'vitest';
import type { Author } from '../../../db/change.ts';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore } from '../../../db/open-store.ts';
import { insertAccount } from '../../accounts/accounts.store.ts';
import { setMemory } from '../memories.service.ts';
import { findMemory } from '../memories.store.ts';
import { unfollowed } from '../unfollowed.ts';
import { clearTrash, moveToTrashNow } from './trashing.ts';
import { listTrashed } from './trash.store.ts';

test('a clear of the trash until a time leaves what was put there later, however much there is', () => {
  const store = openStore({ file: ':memory:', migrations: loadMigrations() });
  const clock = createFakeClock();
  const account = store.write((db) =>
    insertAccount(db, { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: clock.now() }),
  );
  const author: Author = { account, actor: { kind: 'system', id: 'test' }, origin: 'local' };
  const deps = unfollowed({ store, clock });
  const trash = (namespace: string, key: string) => {
    setMemory(deps, author, { namespace, key, value: 'v' });
    return store.write((db) => {
      const row = findMemory(db, { account, namespace, key });
      if (!row) throw new Error('it was stored');
      return moveToTrashNow(db, deps, { author, row });
    });
  };
  const left = () =>
    store.read((db) =>
      listTrashed(db, { account, namespace: null, within: null, limit: 1_000, offset: 0 })
        .map(({ namespace, key }) => `${namespace} ${key}`)
        .sort(),
    );
  trash('work', 'early');
  const until = trash('work', 'at the time');
  trash('home', 'early');
  clock.advance(1_000);
  // More than are looked at at once.
  for (let n = 0; n < 120; n += 1) trash('work', `late ${n}`);
  const clear = (namespace: string | null, most?: number) =>
    store.write((db) => clearTrash(db, deps, { author, namespace, ...(most && { until: most }) }));
  expect(clear('work', until)).toBe(2);
  expect(left()).toHaveLength(121);
  expect(left()).toContain('home early');
  expect(left().filter((name) => name.startsWith('work late'))).toHaveLength(120);
  expect(clear(null)).toBe(121);
  expect(left()).toEqual([]);
  store.close();
});
