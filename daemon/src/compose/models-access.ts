import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Config } from '../config/config.ts';
import type { Store } from '../db/open-store.ts';
import { findAccount } from '../features/accounts/accounts.store.ts';

/**
 * Whether the language model that is configured works for an account: the owner pays for it. Always for the machine's own, for those that
 * signed up where `llm.for_signed_up` says so, and never for the sandbox, whose key is public.
 */
export function createModelAccess(
  config: Pick<Config, 'llm'>,
  store: Store,
): (account: AccountId) => boolean {
  return (account) => {
    const kind = store.read((db) => findAccount(db, account)?.kind);
    return kind === 'machine' || (kind === 'bot' && config.llm.for_signed_up);
  };
}
