import type { accountStatuses } from '@reverie/shared/contract/accounts';
import type { Account } from './accounts.store.ts';

/** Whether nobody has confirmed an account that has to be. */
export function isProvisional({ expires_at, confirmed_at }: Account): boolean {
  return expires_at !== null && confirmed_at === null;
}

/** Whether the keys of an account work at a time. */
export function isAlive(account: Account, now: number): boolean {
  return !isProvisional(account) || (account.expires_at ?? 0) > now;
}

export function statusOf(account: Account, now: number): (typeof accountStatuses)[number] {
  if (!isAlive(account, now)) return 'expired';
  if (isProvisional(account)) return 'provisional';
  return account.kind === 'bot' ? 'confirmed' : 'active';
}
