import type { accountStatuses } from '@reverie/shared/contract/accounts/accounts';
import type { Account } from './accounts.store.ts';

/** Whether an account still needs a confirmation: it has an end (`expires_at`), and nobody has confirmed it. */
export function isProvisional({ expires_at, confirmed_at }: Account): boolean {
  return expires_at !== null && confirmed_at === null;
}

/** Whether the keys of an account work at `now` (ms since 1970). */
export function isAlive(account: Account, now: number): boolean {
  return !isProvisional(account) || (account.expires_at ?? 0) > now;
}

export function statusOf(account: Account, now: number): (typeof accountStatuses)[number] {
  if (!isAlive(account, now)) return 'expired';
  if (isProvisional(account)) return 'provisional';
  return account.kind === 'bot' ? 'confirmed' : 'active';
}
