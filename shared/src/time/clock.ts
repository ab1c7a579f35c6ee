/** The time as an argument: tests hand in one that stands still or jumps (`shared/testing`). */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Calls back every `ms` until stopped; never keeps the process alive. */
  every(ms: number, run: () => void): { stop(): void };
}

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  every(ms, run) {
    const timer = setInterval(run, ms);
    timer.unref();
    return { stop: () => clearInterval(timer) };
  },
};
