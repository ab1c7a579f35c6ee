import type { Clock, Stop } from '../../../platform/clock.ts';

/** Why dreams wait, and until when, in milliseconds since 1970. */
export interface Held {
  until: number;
  why: string;
}

/** Has dreams that have not begun wait for a while. Kept in memory only: after a restart, whoever asked for it has to ask again. */
export interface Hold {
  now(): Held | undefined;
  /** Holds for so many milliseconds from now; 0 ends it. */
  set(ms: number, why: string): Held | undefined;
  /** Runs this each time that dreams may go on. */
  onEnded(run: () => void): Stop;
}

export function createHold(clock: Clock): Hold {
  const listeners = new Set<() => void>();
  let held: Held | undefined;
  let timer: { stop(): void } | undefined;
  const end = () => {
    timer?.stop();
    timer = undefined;
    if (held === undefined) return;
    held = undefined;
    for (const run of listeners) run();
  };
  return {
    now: () => held,
    set(ms, why) {
      if (ms === 0) end();
      else {
        held = { until: clock.now() + ms, why };
        timer?.stop();
        timer = clock.every(ms, end);
      }
      return held;
    },
    onEnded(run) {
      listeners.add(run);
      return () => void listeners.delete(run);
    },
  };
}
