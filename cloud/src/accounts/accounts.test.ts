import { accountStoreBehaves } from '@reverie/shared/accounts/testing/account-store-behaves';
import { describe } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { createSqliteRecords } from '../db/sqlite-records.ts';
import { removeFrom } from '../testing/remove-from.ts';
import { createAccountStore } from './accounts.store.ts';

describe('accounts in the relay’s database', () =>
  accountStoreBehaves(() => {
    const db = openDatabase(':memory:');
    const records = createSqliteRecords(db);
    return {
      store: createAccountStore(records, removeFrom(records)),
      close: () => db.close(),
    };
  }));
