import { trialStorage } from '@reverie/shared/accounts/quota';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store, WriteDb } from '../../db/open-store.ts';
import { isProvisional } from './account-status.ts';
import type { Account } from './accounts.store.ts';
import { addHeld, heldByProvisional, measureHeld, provisionalAccounts, saveHeld } from './storage.store.ts';

/** Bytes that an account may hold: few for the sandbox and for an account that nobody confirmed, null (no limit) for any other. */
export function storageLimit(account: Account): number | null {
  return account.kind === 'sandbox' || isProvisional(account) ? trialStorage.each : null;
}

/**
 * Counts `added` bytes in the transaction of the change. Throws `storage_exceeded` where the sandbox or an account that nobody confirmed
 * would hold more than 10 MiB, or all unconfirmed ones together more than 200 MiB; what was deleted still counts until it is measured anew.
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
