import { trialStorage } from '@reverie/shared/accounts/quota';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store, WriteDb } from '../../db/open-store.ts';
import { isProvisional } from './account-status.ts';
import type { Account } from './accounts.store.ts';
import { addHeld, heldByProvisional, measureHeld, provisionalAccounts, saveHeld } from './storage.store.ts';

/** Bytes that an account may hold: small while nobody answers for it; null without a limit. */
export function storageLimit(account: Account): number | null {
  return account.kind === 'sandbox' || isProvisional(account) ? trialStorage.each : null;
}

/**
 * Refuses, in the transaction of the change, what would make an account that nobody confirmed hold more than
 * 10 MiB, or all of them more than 200 MiB. What is deleted is taken off when it is measured anew. Throws `storage_exceeded`.
 */
export function makeRoom(db: WriteDb, account: Account, added: number): void {
  const limit = storageLimit(account);
  if (limit === null || added === 0) return;
  let held = addHeld(db, account.id, added);
  if (held > limit) {
    // What was deleted meanwhile is still counted: look before refusing.
    held = measureHeld(db, account.id);
    saveHeld(db, account.id, held);
  }
  if (held > limit)
    throw new Problem(
      'storage_exceeded',
      account.kind === 'sandbox'
        ? `The sandbox holds at most ${limit} bytes; it is emptied every 24 hours`
        : `An account that is not confirmed holds at most ${limit} bytes; confirm the e-mail address, or delete something`,
    );
  if (isProvisional(account) && heldByProvisional(db) > trialStorage.together)
    throw new Problem(
      'storage_exceeded',
      `The accounts that nobody confirmed hold ${trialStorage.together} bytes together, which is the most here; confirm the e-mail address`,
    );
}

/** Measures what provisional accounts hold, so that what they deleted counts no more. */
export function measureProvisional(store: Store): void {
  for (const account of store.read(provisionalAccounts))
    store.write((db) => saveHeld(db, account, measureHeld(db, account)));
}
