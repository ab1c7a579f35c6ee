import { accountStoreBehaves } from '@reverie/shared/accounts/testing/account-store-behaves';
import { describe } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { createSqliteRecords } from '../db/sqlite-records.ts';
import { createAccountStore } from './accounts.store.ts';

describe('accounts in the relay’s database', () =>
  accountStoreBehaves(() => {
    const db = openDatabase(':memory:');
    return {
      store: createAccountStore(createSqliteRecords(db), async () => undefined),
      close: () => db.close(),
    };
  }));
