/** What the app knows of the daemon. `failures` counts starts and losses in a row. */
export type DaemonState =
  | { kind: 'looking'; failures: number }
  | { kind: 'running'; nonce: string; since: number; failures: number }
  | { kind: 'starting'; failures: number }
  | { kind: 'waiting'; failures: number; ms: number }
  /** It does not start, and why, in its own words. */
  | { kind: 'refused'; why: string; failures: number }
  | { kind: 'stopped' };

export type DaemonInput =
  | { kind: 'found'; nonce: string; at: number }
  | { kind: 'absent' }
  /** Something answers there that is not the daemon, or it does not answer. */
  | { kind: 'unproved'; why: string }
  | { kind: 'lost'; at: number }
  | { kind: 'started' }
  | { kind: 'start_failed'; why: string }
  | { kind: 'waited' }
  /** A person wants it tried again. */
  | { kind: 'retry' }
  | { kind: 'stop' };

export type DaemonEffect =
  | { kind: 'look' | 'start' }
  | { kind: 'wait'; ms: number }
  | { kind: 'cancel_wait' }
  | { kind: 'tell'; why: string }
  | { kind: 'connect' | 'disconnect' };

export interface DaemonStep {
  next: DaemonState;
  effects: readonly DaemonEffect[];
}

const FIRST_MS = 500;
const LONGEST_MS = 60_000;
/** One that ran this long did not die of its start. */
const STABLE_MS = 60_000;
/** A refusal may go away by itself: another program ends, a disk gets room. */
const AGAIN_MS = 30_000;

/** How long to wait before the next start: twice as long after each one that failed in a row, up to a minute. */
export function backOff(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
}

/** The next state after an input, and what is to be done; an input that does not concern the current state changes nothing. */
export function advance(now: DaemonState, input: DaemonInput): DaemonStep {
  const stay: DaemonStep = { next: now, effects: [] };
  if (input.kind === 'stop')
    return { next: { kind: 'stopped' }, effects: [{ kind: 'cancel_wait' }, { kind: 'disconnect' }] };
  if (now.kind === 'stopped') return stay;
  switch (input.kind) {
    case 'found':
      if (now.kind === 'running' && now.nonce === input.nonce) return stay;
      return {
        next: { kind: 'running', nonce: input.nonce, since: input.at, failures: now.failures },
        effects: [{ kind: 'cancel_wait' }, { kind: 'connect' }],
      };
    case 'absent':
      if (now.kind !== 'looking') return stay;
      // The first one is started at once; what died is given time.
      if (now.failures === 0)
        return { next: { kind: 'starting', failures: 0 }, effects: [{ kind: 'start' }] };
      return waitFor(now.failures);
    case 'unproved':
      return now.kind === 'looking' ? refuse(now.failures, input.why) : stay;
    case 'lost': {
      if (now.kind !== 'running') return stay;
      const failures = input.at - now.since >= STABLE_MS ? 1 : now.failures + 1;
      return { next: { kind: 'looking', failures }, effects: [{ kind: 'disconnect' }, { kind: 'look' }] };
    }
    case 'started':
      if (now.kind !== 'starting') return stay;
      return { next: { kind: 'looking', failures: now.failures + 1 }, effects: [{ kind: 'look' }] };
    case 'start_failed':
      return now.kind === 'starting' ? refuse(now.failures + 1, input.why) : stay;
    case 'waited':
      if (now.kind === 'waiting')
        return { next: { kind: 'starting', failures: now.failures }, effects: [{ kind: 'start' }] };
      // Whether it is told again is for the same words to decide.
      if (now.kind === 'refused')
        return { next: { kind: 'looking', failures: now.failures }, effects: [{ kind: 'look' }] };
      return stay;
    case 'retry':
      if (now.kind !== 'waiting' && now.kind !== 'refused') return stay;
      return { next: { kind: 'looking', failures: 0 }, effects: [{ kind: 'cancel_wait' }, { kind: 'look' }] };
  }
}

function waitFor(failures: number): DaemonStep {
  const ms = backOff(failures);
  return { next: { kind: 'waiting', failures, ms }, effects: [{ kind: 'wait', ms }] };
}

function refuse(failures: number, why: string): DaemonStep {
  return {
    next: { kind: 'refused', why, failures },
    effects: [
      { kind: 'tell', why },
      { kind: 'wait', ms: AGAIN_MS },
    ],
  };
}
