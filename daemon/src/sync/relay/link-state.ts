import type { ErrorCode } from '@reverie/shared/protocol/messages';

/** Why a connection ended: a code of the relay, or what this side saw. */
export type Ending =
  | ErrorCode
  | 'unreachable'
  | 'certificate'
  | 'silent'
  | 'storage'
  /** What answers is another relay, or one that was emptied. */
  | 'another_relay'
  /** What answers did not prove which relay it is. */
  | 'unproven'
  /** The relay was restored from before this device. */
  | 'restored'
  /** The account was recovered, and this device removed with all others. */
  | 'recovered';

export interface Failure {
  code: Ending;
  detail: string;
  /** ms since 1970. */
  at: number;
}

/** The link to the relay. `attempt` counts what failed since it was open last, and `failure` says what failed last. */
export type LinkState =
  | { kind: 'dormant' }
  | { kind: 'paused' }
  | { kind: 'connecting'; attempt: number; failure?: Failure }
  | { kind: 'open'; since: number }
  | { kind: 'waiting'; attempt: number; retryAt: number; failure: Failure }
  /** Coming again would not help: a person has to do something. */
  | { kind: 'stopped'; failure: Failure };

export type LinkEvent =
  | { type: 'linked' }
  | { type: 'unlinked' }
  | { type: 'paused' }
  | { type: 'resumed' }
  | { type: 'opened' }
  | { type: 'closed'; code: Ending; detail: string; retryAfterMs: number }
  | { type: 'retried' };

/** The time, and a number from 0 to 1 for the jitter. */
export interface Chance {
  now: number;
  random: number;
}

const FIRST_WAIT = 500;
export const LONGEST_WAIT = 60_000;

/** Endings after which the same connection fails again until a person does something; unless the relay says when to come again. */
const final: readonly Ending[] = ['revoked', 'recovered', 'gone', 'version', 'forbidden', 'malformed'];

/** What the link is after an event; the shell opens and closes the socket by it. */
export function next(state: LinkState, event: LinkEvent, { now, random }: Chance): LinkState {
  switch (event.type) {
    case 'unlinked':
      return { kind: 'dormant' };
    case 'linked':
      return { kind: 'connecting', attempt: 0 };
    case 'paused':
      return state.kind === 'dormant' ? state : { kind: 'paused' };
    case 'resumed':
      return state.kind === 'paused' ? { kind: 'connecting', attempt: 0 } : state;
    case 'opened':
      return state.kind === 'connecting' ? { kind: 'open', since: now } : state;
    case 'retried':
      if (state.kind === 'waiting')
        return { kind: 'connecting', attempt: state.attempt, failure: state.failure };
      return state.kind === 'stopped' ? { kind: 'connecting', attempt: 0 } : state;
    case 'closed': {
      if (state.kind !== 'connecting' && state.kind !== 'open') return state;
      const failure = { code: event.code, detail: event.detail, at: now };
      if (final.includes(event.code) && event.retryAfterMs === 0) return { kind: 'stopped', failure };
      const attempt = state.kind === 'connecting' ? state.attempt + 1 : 1;
      return {
        kind: 'waiting',
        attempt,
        failure,
        retryAt: now + wait({ attempt, random }, event.retryAfterMs),
      };
    }
  }
}

/** Full jitter: anywhere up to a bound that doubles, so that a thousand devices do not come back at once. */
function wait({ attempt, random }: { attempt: number; random: number }, atLeast: number): number {
  const bound = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(attempt - 1, 20));
  return Math.min(LONGEST_WAIT, Math.max(atLeast, 50 + random * (bound - 50)));
}
