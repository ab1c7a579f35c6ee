import type { Caller } from '@reverie/shared/accounts/caller';
import type { Clock, Stop } from './clock.ts';

/** Why an open connection ends: its key does not work as it did, or what it is about is out of its reach. */
export type EndReason = 'unauthorized' | 'gone';

/** A connection that stays open longer than a request. */
export interface OpenConnection {
  caller: Caller;
  /** Whether the caller still reaches what the connection is about, where that can move away from it. */
  reaches?: () => boolean;
  /** Ends it; called once at most. */
  end: (reason: EndReason) => void;
}

/** The right of a connection to go on. */
export interface Permit {
  /** Whether the connection may go on, asked with each message; one that may not is ended by this. */
  mayGoOn(): boolean;
  /** Takes the connection away, once it is closed. */
  release(): void;
}

/** Every connection that stays open: none outlives what its key may do. */
export interface OpenConnections {
  add(connection: OpenConnection): Permit;
  /** Looks at once at what a key, or a session of the page, holds open. */
  changed(id: string): void;
  stop: Stop;
}

/** How often connections without messages are looked at, ms: a key may run out, and nobody tells of it. */
const LOOK = 15_000;

export function createOpenConnections({
  clock,
  isLive,
}: {
  clock: Clock;
  isLive: (caller: Caller) => boolean;
}): OpenConnections {
  const permits = new Map<Permit, Caller>();

  const timer = clock.every(LOOK, () => {
    for (const permit of permits.keys()) permit.mayGoOn();
  });

  return {
    add({ caller, reaches = () => true, end }) {
      const permit: Permit = {
        mayGoOn() {
          if (!permits.has(permit)) return false;
          const reason = !isLive(caller) ? 'unauthorized' : !reaches() ? 'gone' : undefined;
          if (reason === undefined) return true;
          permits.delete(permit);
          end(reason);
          return false;
        },
        release: () => void permits.delete(permit),
      };
      permits.set(permit, caller);
      return permit;
    },
    changed(id) {
      for (const [permit, { key, session }] of permits) if (key.id === id || session === id) permit.mayGoOn();
    },
    stop: timer.stop,
  };
}
