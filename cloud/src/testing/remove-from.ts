import { deleteAccount } from '../accounts/accounts.store.ts';
import type { Records } from '../db/records.ts';

/** Removes accounts that hold nothing. */
export const removeFrom = (records: Records) => (account: string) =>
  records.write(() => deleteAccount(account, { at: 0 }));
