import type { Clock } from '../../../platform/clock.ts';

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
}

/** `ended` is told when dreams may go on. */
export function createHold({ clock, ended }: { clock: Clock; ended: () => void }): Hold {
  let held: Held | undefined;
  let timer: { stop(): void } | undefined;
  const end = () => {
    timer?.stop();
    timer = undefined;
    if (held === undefined) return;
    held = undefined;
    ended();
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
  };
}
