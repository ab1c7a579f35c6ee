import { retryAfter } from '../contract/retry-after.ts';
import type { Route } from '../contract/route.ts';

/** How often, and how long, a call is tried again. */
export interface RetryPolicy {
  /** Tries in all; 5 where omitted, 1 for none again. */
  tries?: number;
  /** Milliseconds before the second try; twice as long before each one after. 250 where omitted. */
  firstWaitMs?: number;
  /** Milliseconds that a wait has at most; a server that wants longer is not waited for. 30,000 where omitted. */
  longestWaitMs?: number;
}

/** What time and chance are, so that tests can say. */
export interface Surroundings {
  /** Waits; rejects with the reason of the signal where it is aborted. */
  pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 to 1. */
  random: () => number;
}

/** Replies that say that the same request may do better later. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** Whether a call may be made twice: it reads, or its idempotency key makes the second one the first. */
export function isRepeatable(route: Route, idempotencyKey: string | undefined): boolean {
  return (
    route.method === 'GET' ||
    route.scope === 'read' ||
    (route.idempotent === true && idempotencyKey !== undefined)
  );
}

/** The milliseconds before try `attempt + 1`: doubled each time, and anything between half of it and all of it, so that many do not come back at once. */
export function waitBefore(attempt: number, policy: RetryPolicy, random: () => number): number {
  const { firstWaitMs = 250, longestWaitMs = 30_000 } = policy;
  const whole = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * random();
}

/** A `fetch` that tries again where a failure may pass, and waits as long as `Retry-After` says. */
export function retryingFetch(
  fetch: typeof globalThis.fetch,
  policy: RetryPolicy,
  { pause, random }: Surroundings,
): typeof globalThis.fetch {
  const { tries = 5, longestWaitMs = 30_000 } = policy;
  return async (input, init) => {
    const signal = init?.signal ?? undefined;
    for (let attempt = 1; ; attempt += 1) {
      let asked = 0;
      try {
        const response = await fetch(input, init);
        if (!PASSING.has(response.status) || attempt >= tries) return response;
        asked = retryAfter(response.headers.get('retry-after'), Date.now()) ?? 0;
        if (asked > longestWaitMs) return response;
        await response.body?.cancel();
      } catch (cause) {
        if (signal?.aborted || attempt >= tries) throw cause;
      }
      await pause(Math.max(asked, waitBefore(attempt, policy, random)), signal);
    }
  };
}

/** Waits by the clock. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reasonOf(signal));
    const done = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Why a signal was aborted, as an error. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The call was aborted', 'AbortError');
}
