import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { Stop } from './clock.ts';

/** Counts the connections that accounts hold open, such as streams. */
export interface OpenStreams {
  /** Opens one; answers how to end it, and undefined where the account has as many as it may. */
  open(account: AccountId): Stop | undefined;
}

/** Makes a count of open connections; `mostOf` says how many an account may have. */
export function createOpenStreams(mostOf: (account: AccountId) => number): OpenStreams {
  const counts = new Map<AccountId, number>();
  return {
    open(account) {
      const count = counts.get(account) ?? 0;
      if (count >= mostOf(account)) return undefined;
      counts.set(account, count + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (counts.get(account) ?? 1) - 1;
        if (left > 0) counts.set(account, left);
        else counts.delete(account);
      };
    },
  };
}

/** The 429 of an account that has as many streams open as it may. */
export function tooManyStreams(): Problem {
  return new Problem(
    'rate_limited',
    'This account has as many streams open as it may; close one, or let one follow more topics',
    { headers: { 'Retry-After': '5' } },
  );
}
