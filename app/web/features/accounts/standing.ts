import type { Account } from '@reverie/shared/contract/accounts/accounts';
import type { Tone } from '../../ui/Badge.tsx';

/** What an account is called: its address, or what it is for. */
export function nameOf(account: Account): string {
  if (account.kind === 'machine') return 'This machine';
  if (account.kind === 'sandbox') return 'Sandbox';
  return account.email ?? account.id;
}

/** How an account stands, in a word and in a sentence that says what that means. */
export function standingOf(account: Account): { tone: Tone; word: string; sentence: string } {
  if (account.kind === 'machine')
    return {
      tone: 'accent',
      word: 'owner',
      sentence: 'Your own account: what you and your agents here remember.',
    };
  if (account.kind === 'sandbox')
    return {
      tone: 'plain',
      word: 'public',
      sentence:
        'Anybody who reaches this address may try it with the public key. Everything in it is dropped each day.',
    };
  switch (account.status) {
    case 'confirmed':
      return { tone: 'good', word: 'confirmed', sentence: 'Its address is confirmed, so its keys stay.' };
    case 'expired':
      return {
        tone: 'bad',
        word: 'expired',
        sentence: 'Its address was not confirmed in time: its keys no longer work, and it is deleted soon.',
      };
    case 'active':
    case 'provisional':
      return {
        tone: 'warn',
        word: 'unconfirmed',
        sentence: 'It works, but only for a week unless the person with this address confirms it.',
      };
  }
}
