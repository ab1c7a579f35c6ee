import { trialStorage } from '@reverie/shared/accounts/quota';
import { Problem } from '@reverie/shared/contract/problems';
import type { NewEvent } from '../../db/change.ts';
import type { Store, WriteDb } from '../../db/open-store.ts';
import { isProvisional } from './account-status.ts';
import type { Account } from './accounts.store.ts';
import { addHeld, heldByProvisional, measureHeld, provisionalAccounts, saveHeld } from './storage.store.ts';

/** Bytes that an account may hold: small while nobody answers for it; null without a limit. */
export function storageLimit(account: Account): number | null {
  return account.kind === 'sandbox' || isProvisional(account) ? trialStorage.each : null;
}

/**
 * Whether an event tells of a memory that was written: a store. Hiding a memory and showing it again are updates
 * that write nothing, and must be possible when nothing more may be stored, for deleting brings them about.
 */
export function isStore({ type, before, after, origin }: NewEvent): boolean {
  if (after === null || origin === 'device') return false;
  if (type === 'memory.write') return true;
  const changed = (field: string) => before?.[field] !== after[field];
  return type === 'memory.update' && (changed('updated_at') || changed('value'));
}

/** What an event adds to what its account holds; nothing is taken off before it is measured anew. */
function addedBy(event: NewEvent): number {
  const isHeld = isStore(event) || event.type.startsWith('channel.');
  return isHeld && event.after !== null ? Buffer.byteLength(JSON.stringify(event.after)) : 0;
}

/**
 * Refuses, in the transaction of the change, what would make an account that nobody confirmed hold more than
 * 10 MiB, or all of them more than 200 MiB. Throws `storage_exceeded`.
 */
export function keepWithin(db: WriteDb, account: Account, event: NewEvent): void {
  if (storageLimit(account) !== null) makeRoom(db, account, addedBy(event));
}

/** The same for bytes that no event tells of, such as the task of a dream, once they are written. Throws `storage_exceeded`. */
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
