import { ApiError } from '@reverie/shared/client';
import { currentKey, redeemTicket } from '@reverie/shared/contract/accounts/keys';
import { callNow, clientWith, isDown } from '../../platform/daemon/api.ts';
import { isInApp } from '../../platform/desktop.ts';
import { closeSession, keptSession, openSession, ticketOf } from '../../platform/daemon/session.ts';
import { messageOf, whyNoTicket } from './why-not.ts';

/** What only the desktop app needs. */
export const inApp = () => import('./in-app.ts');

/** Other tabs, as far as a session is begun with them. */
interface OtherTabs {
  /** Takes over the session of another tab; false where none has one. */
  ask(): Promise<boolean>;
}

/**
 * Begins with the session that the address brings (`#ticket=…`, which leaves the address at once), with the
 * one this tab kept, or with that of another tab.
 */
export async function startSession(page: Window, tabs: OtherTabs): Promise<void> {
  const kept = keptSession(page.sessionStorage);
  const begin = async (why?: string) => {
    // Again where it is open already: the ticket in its address is not needed then.
    if (kept) return openSession(page.sessionStorage, kept);
    if (!(await tabs.ask())) closeSession(page.sessionStorage, why);
  };
  const ticket = ticketOf(page.location.hash);
  if (ticket === undefined) return isInApp && !kept ? (await inApp()).startInApp(page) : begin();
  page.history.replaceState(null, '', page.location.pathname + page.location.search);
  try {
    const { token, scope, account } = await callNow(redeemTicket, { body: { ticket } });
    openSession(page.sessionStorage, { token, scope, account, own: true });
  } catch (error) {
    // A ticket works once and for a minute; one that was used before is no reason to end a good session.
    await begin(whyNoTicket(error));
  }
}

/** Begins a session with a pasted key; answers what is wrong with it, if something is. */
export async function openWithKey(storage: Storage, pasted: string): Promise<string | undefined> {
  const key = pasted.trim();
  if (key === '') return 'Paste a key first.';
  // A header can carry no other characters, and no key has any.
  if (!/^[\x21-\x7e]+$/.test(key)) return 'This is no key: a key has only letters, digits and underscores.';
  try {
    const { scope, account } = await clientWith(key)(currentKey, {});
    openSession(storage, { token: key, scope, account, own: false });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      return 'Reverie does not know this key. It may be mistyped, expired or revoked.';
    if (isDown(error)) return 'Reverie does not answer. Start it with `reverie start`, then try again.';
    return `The key could not be checked: ${messageOf(error)}.`;
  }
}
