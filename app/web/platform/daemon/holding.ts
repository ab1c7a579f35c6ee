import { ApiError, type Client } from '@reverie/shared/client';
import type { Route } from '@reverie/shared/contract/route';
import { createStore, type ValueStore } from '../store.ts';

/** Whether the daemon answered the last call. */
export type Reachability = 'up' | 'down';

interface HoldingDeps {
  /** Kept by the client that is held back; asked by others until it is `up` again. */
  reach: ValueStore<Reachability>;
  isDown: (error: unknown) => boolean;
  /** Whose calls these are: what waits is not sent in the name of somebody else. */
  asWhom: () => string | undefined;
}

/** How often a call is made that breaks off each time although the daemon answers others. */
const MOST_TRIES = 3;

/**
 * Makes a client wait where the daemon does not answer, and then go on, so that one outage is not told by everything that meets
 * it. What broke off on its way is made again where that does no harm: what only reads, and what the daemon does once by
 * its `Idempotency-Key`.
 */
export function createHolding({ reach, isDown, asWhom }: HoldingDeps) {
  const heldWrites = createStore(0);

  const wait = async (route: Route, signal: AbortSignal | undefined): Promise<void> => {
    const more = isRead(route) ? 0 : 1;
    const whom = asWhom();
    heldWrites.set(heldWrites.get() + more);
    try {
      await becomes(reach, 'up', signal);
    } finally {
      heldWrites.set(heldWrites.get() - more);
    }
    if (asWhom() !== whom) throw unsent('Reverie did not answer before you were signed out');
  };

  const hold =
    (client: Client): Client =>
    async (route, sent, options = {}) => {
      const isOnce = route.idempotent === true;
      const isRepeatable = isRead(route) || isOnce;
      const given = isOnce ? { idempotencyKey: newKey(), ...options } : options;
      for (let tries = 1; ; tries += 1) {
        if (reach.get() === 'down') await wait(route, options.signal);
        try {
          return await client(route, sent, given);
        } catch (error) {
          if (!isDown(error) || tries === MOST_TRIES) throw error;
          const isRefused = error instanceof ApiError && error.code === 'unavailable';
          if (!isRepeatable && !isRefused)
            throw unsent('Reverie stopped before it answered. Look whether it was done', error);
        }
      }
    };

  return { hold, heldWrites };
}

function isRead({ method, scope }: Route): boolean {
  return method === 'GET' || scope === 'read';
}

function unsent(message: string, cause?: unknown): ApiError {
  return new ApiError({ status: 0, code: 'unreachable', message, cause });
}

/** 128 random bits; `crypto.randomUUID` is not there on addresses without TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** Waits until a store has a value; throws the reason of the signal where that ends it. */
export function becomes<T>(store: ValueStore<T>, wanted: T, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reasonOf(signal));
    if (store.get() === wanted) return resolve();
    const stop = () => {
      off();
      signal?.removeEventListener('abort', aborted);
    };
    const aborted = () => {
      stop();
      if (signal) reject(reasonOf(signal));
    };
    const off = store.subscribe(() => {
      if (store.get() !== wanted) return;
      stop();
      resolve();
    });
    signal?.addEventListener('abort', aborted);
  });
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
