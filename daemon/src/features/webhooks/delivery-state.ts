/** When to try again: waits between attempts grow in equal ratios from `minMs` to `maxMs`. */
export interface RetryPolicy {
  minMs: number;
  maxMs: number;
}

/** Attempts after the first one. */
export const RETRIES = 5;
const JITTER = 0.1;

/**
 * Where a delivery stands. `tries` counts the attempts since it was made, or replayed. `dueAt` is 0 before
 * the first attempt, so that first attempts are ordered by `seq` alone. That an attempt is under way is
 * not a state: a crash would leave it behind, and what was under way then has to be tried again.
 */
export type DeliveryState =
  | { kind: 'pending'; tries: number; dueAt: number }
  | { kind: 'delivered'; tries: number; endedAt: number }
  | { kind: 'dead'; tries: number; endedAt: number }
  | { kind: 'cancelled'; tries: number; endedAt: number };

export type DeliveryEvent =
  | { kind: 'succeeded'; at: number }
  /** `retryAfterMs` is what the receiver asked for; `random` in 0..1 makes the jitter. */
  | { kind: 'failed'; at: number; retryAfterMs: number | null; random: number }
  /** Trying again is of no use: the receiver is gone for good, or the event is. */
  | { kind: 'hopeless'; at: number }
  | { kind: 'replayed' }
  | { kind: 'cancelled'; at: number };

export const newDelivery: DeliveryState = { kind: 'pending', tries: 0, dueAt: 0 };

/** What becomes of a delivery; an event that comes too late changes nothing. */
export function nextState(policy: RetryPolicy, state: DeliveryState, event: DeliveryEvent): DeliveryState {
  if (event.kind === 'replayed') return state.kind === 'pending' ? state : newDelivery;
  if (state.kind !== 'pending') return state;
  const tries = state.tries + 1;
  switch (event.kind) {
    case 'succeeded':
      return { kind: 'delivered', tries, endedAt: event.at };
    case 'hopeless':
      return { kind: 'dead', tries, endedAt: event.at };
    case 'cancelled':
      return { kind: 'cancelled', tries: state.tries, endedAt: event.at };
    case 'failed': {
      if (tries > RETRIES) return { kind: 'dead', tries, endedAt: event.at };
      const asked = Math.min(event.retryAfterMs ?? 0, policy.maxMs);
      return {
        kind: 'pending',
        tries,
        dueAt: event.at + Math.max(retryWait(policy, tries, event.random), asked),
      };
    }
  }
}

/** Milliseconds to wait before the retry of this number (1 to 5), ±10 % by `random` in 0..1. */
export function retryWait({ minMs, maxMs }: RetryPolicy, retry: number, random: number): number {
  const wait = minMs * (maxMs / minMs) ** ((retry - 1) / (RETRIES - 1));
  return Math.max(1, Math.round(wait * (1 + JITTER * (2 * random - 1))));
}

/** How long a receiver has been failing. */
export interface ReceiverHealth {
  failingSince: number | null;
  lastFailureAt: number | null;
}

const DAY = 86_400_000;
const FAILING_LIMIT = 5 * DAY;

/**
 * The health after a failure. A gap of more than a day without any failure begins anew: who was down twice
 * for a minute, a week apart, was not down for a week.
 */
export function healthAfterFailure(
  { failingSince, lastFailureAt }: ReceiverHealth,
  at: number,
): ReceiverHealth {
  const goesOn = failingSince !== null && lastFailureAt !== null && at - lastFailureAt <= DAY;
  return { failingSince: goesOn ? failingSince : at, lastFailureAt: at };
}

/** Whether a receiver has failed for so long that it is given up. */
export function isGivenUp({ failingSince, lastFailureAt }: ReceiverHealth): boolean {
  return failingSince !== null && lastFailureAt !== null && lastFailureAt - failingSince >= FAILING_LIMIT;
}
