import { accountStoreBehaves } from '@reverie/shared/accounts/testing/account-store-behaves';
import { describe } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { createSqliteAccountStore } from './accounts.store.ts';

describe('accounts in the relay’s database', () =>
  accountStoreBehaves(() => {
    const db = openDatabase(':memory:');
    return { store: createSqliteAccountStore(db, async () => undefined), close: () => db.close() };
  }));
