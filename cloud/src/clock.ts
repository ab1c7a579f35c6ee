/** Time as the relay sees it; tests hand in one of `shared/testing`. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  every(ms: number, run: () => void): { stop(): void };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  every(ms, run) {
    const timer = setInterval(run, ms);
    timer.unref();
    return { stop: () => clearInterval(timer) };
  },
};
