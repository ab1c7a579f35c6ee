/** Time, as an argument. */
export interface Timers {
  /** Milliseconds, always growing, also while the machine sleeps. */
  now: () => number;
  /** Calls back after a while; answers how to take that back. */
  after: (ms: number, run: () => void) => () => void;
  every: (ms: number, run: () => void) => () => void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
};
