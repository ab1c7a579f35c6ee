import type { Event } from '@reverie/shared/contract/events/events';
import type { StreamMessage } from '@reverie/shared/contract/events/stream';

/** How far the log was read: the last `seq`, and the log that it is of. */
export interface Cursor {
  since: number;
  log_id: string;
}

/** Where the connection to the stream is. `failures` counts the tries since something was received last. */
export type StreamConnection =
  | { kind: 'stopped' }
  /** The end of the log is asked for; `missed` where there may be changes that no message tells. */
  | { kind: 'asking'; failures: number; missed: boolean }
  | { kind: 'connecting'; failures: number; cursor: Cursor }
  | { kind: 'live'; failures: number; cursor: Cursor }
  /** Until the next try; without a cursor that one begins with the question for it. */
  | { kind: 'waiting'; failures: number; cursor: Cursor | undefined };

export type ConnectionInput =
  | { kind: 'start' | 'stop' | 'cursor_failed' | 'opened' | 'closed' | 'waited' }
  /** There is reason to believe that a try would succeed now. */
  | { kind: 'retry' }
  | { kind: 'cursor'; cursor: Cursor }
  /** `undefined` is a message that this page does not understand. */
  | { kind: 'message'; message: StreamMessage | undefined };

export type ConnectionEffect =
  | { kind: 'ask' | 'disconnect' }
  /** Finds out by a call whether the daemon answers, and whether it still knows the key: a socket cannot say. */
  | { kind: 'probe' }
  | { kind: 'connect'; cursor: Cursor }
  | { kind: 'wait'; ms: number }
  | { kind: 'event'; event: Event }
  /** Everything may have changed. */
  | { kind: 'missed' };

export interface ConnectionStep {
  next: StreamConnection;
  effects: ConnectionEffect[];
}

const BASE_MS = 500;
const MOST_MS = 15_000;

/** Full jitter: anything up to a bound that doubles, so that many pages do not come back all at once. */
function backOff(failures: number, random: () => number): number {
  return Math.round(random() * Math.min(MOST_MS, BASE_MS * 2 ** Math.min(failures, 10)));
}

/** The next state after an input, and what is to be done; an input that does not concern the current state changes nothing. */
export function advance(now: StreamConnection, input: ConnectionInput, random: () => number): ConnectionStep {
  const stay: ConnectionStep = { next: now, effects: [] };
  switch (input.kind) {
    case 'start':
      return now.kind === 'stopped' ? ask(0, false) : stay;
    case 'stop':
      return { next: { kind: 'stopped' }, effects: now.kind === 'stopped' ? [] : [{ kind: 'disconnect' }] };
    case 'cursor':
      if (now.kind !== 'asking') return stay;
      return connect(input.cursor, now.failures, now.missed ? [{ kind: 'missed' }] : []);
    case 'cursor_failed':
      return now.kind === 'asking' ? wait({ failures: now.failures, cursor: undefined }, random) : stay;
    case 'opened':
      return now.kind === 'connecting' ? { next: { ...now, kind: 'live' }, effects: [] } : stay;
    case 'closed': {
      if (now.kind !== 'connecting' && now.kind !== 'live') return stay;
      const { next, effects } = wait(now, random);
      return { next, effects: [{ kind: 'probe' }, ...effects] };
    }
    case 'waited':
    case 'retry':
      if (now.kind !== 'waiting') return stay;
      return now.cursor ? connect(now.cursor, now.failures) : ask(now.failures, true);
    case 'message':
      return now.kind === 'live' ? receive(now, input.message) : stay;
  }
}

function receive(
  now: StreamConnection & { kind: 'live' },
  message: StreamMessage | undefined,
): ConnectionStep {
  if (!message) return { next: { ...now, failures: 0 }, effects: [{ kind: 'missed' }] };
  // Only what this page sends could be refused, and it sends nothing.
  if (message.type === 'error') return { next: now, effects: [] };
  if (message.type === 'reset') {
    // What would follow is the whole log; the page needs its end only, and fetches what it shows anew.
    const { next, effects } = ask(0, true);
    return { next, effects: [{ kind: 'disconnect' }, ...effects] };
  }
  const cursor = { ...now.cursor, since: message.seq };
  return { next: { kind: 'live', failures: 0, cursor }, effects: [{ kind: 'event', event: message }] };
}

function ask(failures: number, missed: boolean): ConnectionStep {
  return { next: { kind: 'asking', failures, missed }, effects: [{ kind: 'ask' }] };
}

function connect(cursor: Cursor, failures: number, more: ConnectionEffect[] = []): ConnectionStep {
  return { next: { kind: 'connecting', failures, cursor }, effects: [{ kind: 'connect', cursor }, ...more] };
}

function wait(
  { failures, cursor }: { failures: number; cursor: Cursor | undefined },
  random: () => number,
): ConnectionStep {
  return {
    next: { kind: 'waiting', failures: failures + 1, cursor },
    effects: [{ kind: 'wait', ms: backOff(failures, random) }],
  };
}

/** What a person should know of a connection. */
export type Liveness = 'live' | 'connecting' | 'lost';

export function livenessOf(connection: StreamConnection): Liveness {
  if (connection.kind === 'live') return 'live';
  if (connection.kind === 'waiting') return 'lost';
  return connection.kind !== 'stopped' && connection.failures > 0 ? 'lost' : 'connecting';
}
