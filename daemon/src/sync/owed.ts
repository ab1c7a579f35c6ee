import { Distrusted } from './chain.ts';

/** Entries that a relay told of and has not sent yet. */
export interface Owed {
  /** Takes what the relay told at a heartbeat. Throws `Distrusted` when nothing has come for two of them. */
  told(room: string, at: { cursor: number; head: number }): void;
}

/** Entries come before later heads on one socket: what has not come between two of them does not come at all. */
export function createOwed(heartbeatMs: number): Owed {
  /** Where reading stood when the relay first told of more that has not come since, and when that was. */
  const waits = new Map<string, { cursor: number; since: number }>();
  return {
    told(room, { cursor, head }) {
      const wait = waits.get(room);
      if (cursor >= head) waits.delete(room);
      else if (wait?.cursor !== cursor) waits.set(room, { cursor, since: Date.now() });
      else if (Date.now() - wait.since >= 2 * heartbeatMs)
        throw new Distrusted('The relay tells of entries and does not send them; they are asked for again');
    },
  };
}
