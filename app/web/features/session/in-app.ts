import { redeemTicket } from '@reverie/shared/contract/accounts/keys';
import { z } from 'zod';
import { callNow, isDown } from '../../platform/daemon/api.ts';
import { closeSession, openSession } from '../../platform/daemon/session.ts';
import { whyNoTicket } from './why-not.ts';

const Ticket = z.object({ ticket: z.string().min(1) });

/** A ticket of this window, from the app; undefined while no daemon proves itself to the app. */
async function ticketOfApp(): Promise<string | undefined> {
  const reply = await fetch('/desktop/ticket', { method: 'POST' }).catch(() => undefined);
  return reply?.ok ? Ticket.parse(await reply.json()).ticket : undefined;
}

/** How often the app is asked again while it has no daemon, ms. */
const AGAIN_MS = 1_000;

/** Begins a session with a ticket of the app's, as soon as there is a daemon. */
export async function startInApp(page: Pick<Window, 'sessionStorage'>): Promise<void> {
  for (;;) {
    const ticket = await ticketOfApp();
    try {
      if (ticket !== undefined) {
        const { token, scope, account } = await callNow(redeemTicket, { body: { ticket } });
        return openSession(page.sessionStorage, { token, scope, account, own: true });
      }
    } catch (error) {
      if (!isDown(error)) return closeSession(page.sessionStorage, whyNoTicket(error));
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
