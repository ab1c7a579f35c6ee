import {
  accountStoreBehaves,
  type StoreUnderTest,
} from '@reverie/shared/accounts/testing/account-store-behaves';
import { describe } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { createTextIndex } from '../search/index/index.store.ts';
import { createSignupStore } from './signup/signups.service.ts';
import { deleteAccountRow, wipeAccount } from './wipe.store.ts';

function sqlite(): StoreUnderTest {
  const store = openStore({ file: ':memory:', migrations: loadMigrations() });
  const signups = createSignupStore({
    store,
    prepare: createTextIndex,
    changed: () => undefined,
    remove: ({ id }) =>
      store.write((db) => {
        wipeAccount(db, id);
        deleteAccountRow(db, id);
      }),
  });
  return { store: signups, close: () => store.close() };
}

describe("the account store in the daemon's database", () => accountStoreBehaves(sqlite));
