import { LONGEST_AHEAD } from '@reverie/shared/document/clock';

/**
 * The time that changes are stamped with: this machine's, or the relay's while a relay says that this machine is ahead
 * by more than half of what it takes.
 */
export interface RelayTime {
  now(): number;
  /** The latest that a change of anybody may be stamped with, ms: later ones no relay takes. */
  latest(): number;
  /** How far this machine is ahead of the relay that it is connected to, ms; 0 where that does no harm. */
  ahead(): number;
  /** The relay has told its time. */
  told(relayNow: number): void;
  /** The relay says that this machine is ahead: its clock may have jumped since the time was told. */
  doubted(): void;
  /** There is no relay to compare with any more. */
  lost(): void;
}

/** Ahead by more than this, ms, and a machine's clock is taken for wrong. */
export const MUCH_AHEAD = LONGEST_AHEAD / 2;

/** What the relay told takes its time to come here, ms. */
const SLACK = 60_000;

export function createRelayTime(clock: { now(): number }): RelayTime {
  let ahead = 0;
  /** What the relay told last, and when that was by a clock that nobody sets. */
  let last: { relay: number; here: number } | undefined;

  const relayNow = () => (last ? last.relay + performance.now() - last.here : 0);

  function measure(): void {
    if (!last) return;
    const difference = clock.now() - relayNow();
    ahead = difference > MUCH_AHEAD ? Math.round(difference) : 0;
  }

  return {
    now: () => clock.now() - ahead,
    // Where this machine is behind, the relay's clock counts.
    latest: () => Math.max(clock.now() - ahead, relayNow()) + LONGEST_AHEAD + SLACK,
    ahead: () => ahead,
    told(relayNow) {
      last = { relay: relayNow, here: performance.now() };
      measure();
    },
    doubted: measure,
    lost() {
      last = undefined;
      ahead = 0;
    },
  };
}
