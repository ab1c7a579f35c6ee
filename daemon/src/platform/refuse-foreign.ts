import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';

/** Refuses every account but the machine's own what is this machine's: its models, its files, its other accounts. Throws `forbidden_scope`. */
export function refuseForeign(
  { isMachine }: { isMachine: (account: AccountId) => boolean },
  account: AccountId,
): void {
  if (!isMachine(account))
    throw new Problem('forbidden_scope', "Only the owner of this machine may: the key is another account's");
}
