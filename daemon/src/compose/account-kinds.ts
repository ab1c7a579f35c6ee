import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Config } from '../config/config.ts';
import type { Store } from '../db/open-store.ts';
import { findAccount } from '../features/accounts/accounts.store.ts';

/** What kind of account one is, for features that treat some of them otherwise. */
export interface AccountKinds {
  isMachine(account: AccountId): boolean;
  isSandbox(account: AccountId): boolean;
  /**
   * Whether the language model that is configured works for an account: the owner pays for it. Always for the machine's own, for those that
   * signed up where `llm.for_signed_up` says so, and never for the sandbox, whose key is public.
   */
  mayUseModel(account: AccountId): boolean;
}

export function createAccountKinds(config: Pick<Config, 'llm'>, store: Store): AccountKinds {
  const kindOf = (account: AccountId) => store.read((db) => findAccount(db, account)?.kind);
  return {
    isMachine: (account) => kindOf(account) === 'machine',
    isSandbox: (account) => kindOf(account) === 'sandbox',
    mayUseModel(account) {
      const kind = kindOf(account);
      return kind === 'machine' || (kind === 'bot' && config.llm.for_signed_up);
    },
  };
}
