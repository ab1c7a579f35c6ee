import { ApiError, createClient, type Client } from '@reverie/shared/client';
import { createHolding, type Reachability } from './holding.ts';
import { closeSession, session } from './session.ts';
import { createStore } from '../store.ts';

/** Whether the daemon answered the last call. */
export const reach = createStore<Reachability>('up');

/** Since when the daemon does not answer, milliseconds since 1970. */
export const awaySince = createStore<number | undefined>(undefined);
reach.subscribe(() => awaySince.set(reach.get() === 'down' ? Date.now() : undefined));

/** How many calls were refused because the disk is full; whoever shows that looks again when the number grows. */
export const refusedAsFull = createStore(0);

const plain = createClient({ origin: '', key: tokenNow });
const leaving = createClient({
  origin: '',
  key: tokenNow,
  fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
});

/** The key of this session, while it is open. */
export function tokenNow(): string | undefined {
  const now = session.get();
  return now.kind === 'open' ? now.token : undefined;
}

const { hold, heldWrites: held } = createHolding({ reach, isDown, asWhom: tokenNow });

/** How many changes wait for a daemon that does not answer. */
export const heldWrites = held;

/** A client whose calls fail at once while the daemon does not answer, for finding out whether it does and for opening a session. */
export const callNow: Client = noting(plain);

/**
 * The client of the page: also notes whether the daemon answers, and ends a session that it no longer accepts. While the daemon
 * does not answer calls wait for it, for the banner says so once and for all of them.
 */
export const call: Client = hold(callNow);

/** As `call`, for calls that have to outlive the page, such as a delete whose undo time was still running. */
export const callWhileLeaving: Client = hold(noting(leaving));

/** A client that looks into another account, as only the owner may; the daemon logs each of its calls. */
export function callInside(account: string): Client {
  return hold(noting(createClient({ origin: '', key: tokenNow, account })));
}

/** A client with a key that is not (yet, or any more) the session's. */
export function clientWith(key: string): Client {
  return createClient({ origin: '', key: () => key });
}

/** No answer at all, or an answer that says the daemon is starting or stopping. */
export function isDown(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unreachable' || error.code === 'unavailable');
}

function noting(client: Client): Client {
  return async (route, sent, options) => {
    const token = tokenNow();
    try {
      const received = await client(route, sent, options);
      reach.set('up');
      return received;
    } catch (error) {
      if (error instanceof ApiError) {
        reach.set(isDown(error) ? 'down' : 'up');
        if (error.code === 'disk_full') refusedAsFull.set(refusedAsFull.get() + 1);
        // Only the token of now: a late answer to an earlier one must not end the session that followed.
        if (error.status === 401 && token !== undefined && token === tokenNow())
          closeSession(sessionStorage, 'You were signed out: your sign-in ran out, or was ended.');
      }
      throw error;
    }
  };
}
